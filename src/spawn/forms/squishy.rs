//! A ball with rubber hairs, instead of the scanned toy of paper 3: thick hairs on the corners of the next coarser
//! sphere, thin ones between them.

use std::collections::HashMap;

use glam::{IVec3, Vec3};

use super::onion::{Sphere, onion};
use super::turned;
use crate::import::tets::{TetMesh, prism};
use crate::numbers::cubed;

/// Frequencies of the nested spheres of the core.
const CORE: [i32; 4] = [30, 10, 5, 1];
/// Layers of a thick and of a thin hair; the last one ends in a tip.
const THICK: u32 = 30;
const THIN: u32 = 10;

/// The ball, hairs and all `radius` [m] from its middle.
pub fn squishy_ball(radius: f32) -> TetMesh {
    let core = onion(&CORE);
    let mut hairy = Hairy { positions: core.positions, tets: core.tets };
    let surface = Sphere { frequency: CORE[0], radius: 1.0 };
    // The core has its points by place.
    let key = |p: Vec3| (p * 1.0e4).round().as_ivec3();
    let known: HashMap<IVec3, u32> = hairy.positions.iter().zip(0..).map(|(p, i)| (key(*p), i)).collect();
    let at = |p: IVec3| known[&key(surface.place(p))];
    let ratio = CORE[0] / CORE[1];
    let mut stars: HashMap<IVec3, Vec<[u32; 3]>> = HashMap::new();
    for t in surface.triangles() {
        let points = t.map(at);
        if let Some(root) = t.iter().find(|p| **p % ratio == IVec3::ZERO) {
            stars.entry(*root).or_default().push(points);
        }
    }
    let mut roots: Vec<_> = stars.into_iter().collect();
    roots.sort_by_key(|(root, _)| root.to_array());
    for (_, star) in roots {
        hairy.grow(&star, THICK);
    }
    let coarse = Sphere { frequency: CORE[1], radius: 1.0 };
    for [a, b, c] in coarse.triangles() {
        // The triangle on one side of the middle: it has no edge with a thick hair's root.
        let step = |i: i32, j: i32| at(a * ratio + (b - a) * i + (c - a) * j);
        hairy.grow(&[[step(1, 0), step(2, 0), step(1, 1)]], THIN);
    }
    let farthest = hairy.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
    hairy.positions.iter_mut().for_each(|p| *p *= radius / farthest);
    turned("squishy ball", hairy.positions, hairy.tets)
}

struct Hairy {
    positions: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
}

impl Hairy {
    /// Grows a hair of `layers` layers on these triangles of the core, thinner and thinner, to a tip.
    fn grow(&mut self, root: &[[u32; 3]], layers: u32) {
        /// Height of a layer over the radius of the core.
        const STEP: f32 = 0.03;
        let mut corners: Vec<u32> = root.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        let middle = corners.iter().map(|i| self.positions[*i as usize]).sum::<Vec3>() / corners.len() as f32;
        let axis = middle.normalize();
        let offsets: Vec<Vec3> = corners.iter().map(|i| self.positions[*i as usize] - middle).collect();
        let mut below = corners.clone();
        for layer in 1..layers {
            let along = layer as f32 / layers as f32;
            // A little thinner outward, with a round tip.
            let width = (1.0 - 0.35 * along) * (1.0 - cubed(along * along) * along * along).sqrt();
            let above: Vec<u32> = (0..corners.len() as u32).map(|i| self.positions.len() as u32 + i).collect();
            self.positions.extend(offsets.iter().map(|o| middle + axis * (layer as f32 * STEP) + *o * width));
            for t in root {
                let place = t.map(|c| corners.binary_search(&c).expect("a corner of the root"));
                self.tets.extend(prism(place.map(|i| below[i]), place.map(|i| above[i])));
            }
            below = above;
        }
        let tip = self.positions.len() as u32;
        self.positions.push(middle + axis * (layers as f32 * STEP));
        for t in root {
            let [a, b, c] = t.map(|corner| below[corners.binary_search(&corner).expect("a corner of the root")]);
            self.tets.push([a, b, c, tip]);
        }
    }
}
