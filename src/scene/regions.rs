//! Objects of shape-matched regions that overlap (Müller et al. 2005; lattices of regions: Rivers and James 2007).

use std::collections::{BTreeMap, BTreeSet};

use glam::{IVec3, Vec3};

use super::check::{positive, present};
use super::{Deformable, SceneError};
use crate::constraints::{RegionMode, ShapeRegion};

/// How an object is divided into regions that keep their shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regions {
    /// Side of a region, in mean lengths of the links between particles: at least twice the longest of them. The wider, the stiffer.
    pub width: f32,
    /// How a region may deform.
    pub mode: RegionMode,
    /// From 0 to 1: how far regions stay as they are deformed; see [`ShapeRegion::blend`].
    pub blend: f32,
    /// How far one particle leaves its goal in a region [m/N].
    pub compliance: f32,
}

impl Default for Regions {
    fn default() -> Self {
        Self { width: 3.0, mode: RegionMode::Linear, blend: 0.5, compliance: 0.0 }
    }
}

/// A region takes in neighbors until it has so many particles: with fewer it does not know which way it is turned.
const LEAST_MEMBERS: usize = 4;

impl Deformable {
    /// Covers the object with cubes that overlap by half, each a [`ShapeRegion`]. `links` are pairs of particles that hang together: what
    /// of a cube no link joins, as two fingers side by side, makes regions of its own.
    ///
    /// # Errors
    /// [`SceneError`] for a particle that does not exist, no links, regions that are not twice as wide as the longest link, and numbers
    /// out of range.
    pub fn join_regions(&mut self, regions: &Regions, links: &[[u32; 2]]) -> Result<(), SceneError> {
        let item = &format!("regions of `{}`", self.name);
        let here = |i: &u32| present(item, "particle", *i as usize, self.rest.len());
        links.iter().flatten().try_for_each(here)?;
        let length = |[a, b]: &[u32; 2]| self.rest[*a as usize].distance(self.rest[*b as usize]);
        let mean = links.iter().map(length).sum::<f32>() / links.len().max(1) as f32;
        let longest = links.iter().map(length).fold(0.0, f32::max);
        positive(item, "mean length of the links", mean)?;
        let (field, allowed) = ("width", "at least twice the longest link, in mean ones");
        if regions.width.is_nan() || regions.width * mean < 2.0 * longest || !regions.width.is_finite() {
            return Err(SceneError::Number { item: item.clone(), field, value: regions.width, allowed });
        }
        let mut neighbors = vec![Vec::new(); self.rest.len()];
        for [a, b] in links.iter().copied() {
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
        }
        let Regions { mode, blend, compliance, .. } = *regions;
        for particles in covered(&self.rest, &neighbors, 0.5 * regions.width * mean) {
            let rest = particles.iter().map(|i| self.rest[*i as usize]).collect();
            self.join_global(&ShapeRegion { particles, rest, mode, blend, compliance })?;
        }
        Ok(())
    }
}

/// The particles of each region: those of eight cells with sides of `half` [m] that hang together.
fn covered(rest: &[Vec3], neighbors: &[Vec<u32>], half: f32) -> BTreeSet<Vec<u32>> {
    let low = rest.iter().fold(Vec3::MAX, |m, p| m.min(*p));
    let cell = |p: &Vec3| ((*p - low) / half).floor().as_ivec3();
    // The last cell that begins a cube: at the border a cube begins with the last but one.
    let last = rest.iter().map(cell).fold(IVec3::ZERO, IVec3::max).map(|n| (n - 1).max(0));
    let mut cubes: BTreeMap<[i32; 3], Vec<u32>> = BTreeMap::new();
    for (p, particle) in rest.iter().zip(0..) {
        let own = cell(p);
        let begins: BTreeSet<[i32; 3]> =
            (0..8).map(|k| (own - IVec3::new(k & 1, k >> 1 & 1, k >> 2)).clamp(IVec3::ZERO, last).to_array()).collect();
        begins.into_iter().for_each(|begin| cubes.entry(begin).or_default().push(particle));
    }
    cubes.values().flat_map(|cube| parts(cube, neighbors)).collect()
}

/// The parts of a cube that hang together, each with its neighbors where it is too small.
fn parts(cube: &[u32], neighbors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut left: BTreeSet<u32> = cube.iter().copied().collect();
    let mut parts = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut part, mut open) = (BTreeSet::from([first]), vec![first]);
        while let Some(at) = open.pop() {
            for next in neighbors[at as usize].iter().filter(|next| left.remove(next)) {
                part.insert(*next);
                open.push(*next);
            }
        }
        while part.len() < LEAST_MEMBERS {
            let more: BTreeSet<u32> = part.iter().flat_map(|i| &neighbors[*i as usize]).copied().collect();
            let before = part.len();
            part.extend(more);
            if part.len() == before {
                break;
            }
        }
        parts.push(part.into_iter().collect());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of points and its links.
    fn line(count: u32) -> (Vec<Vec3>, Vec<[u32; 2]>) {
        ((0..count).map(|i| i as f32 * Vec3::X).collect(), (1..count).map(|i| [i - 1, i]).collect())
    }

    #[test]
    fn every_link_is_in_a_region_and_strangers_are_in_none() {
        let (mut rest, mut links) = line(20);
        // A second row, a hair beside the first, that nothing links to it.
        rest.extend(rest.clone().iter().map(|p| *p + 0.1 * Vec3::Y));
        links.extend(links.clone().iter().map(|link| link.map(|i| i + 20)));
        let mut object = Deformable::new("rows", rest, 1.0, 0.01);
        object.join_regions(&Regions { width: 4.0, ..Regions::default() }, &links).unwrap();
        let regions: Vec<Vec<u32>> = object.global_constraints.iter().map(|row| row.joined().collect()).collect();
        assert!(links.iter().all(|link| regions.iter().any(|own| link.iter().all(|i| own.contains(i)))));
        assert!(regions.iter().all(|own| own.iter().all(|i| (*i < 20) == (own[0] < 20)) && own.len() >= LEAST_MEMBERS));
        assert!(regions.len() >= 16, "{}", regions.len());
    }

    #[test]
    fn faults_are_named() {
        let (rest, links) = line(5);
        let mut object = Deformable::new("row", rest, 1.0, 0.01);
        let mut told = |regions: Regions, links: &[[u32; 2]], part: &str| {
            let message = object.join_regions(&regions, links).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        };
        let good = Regions::default();
        told(good, &[[0, 9]], "particle 9 does not exist");
        told(good, &[], "mean length of the links");
        told(Regions { width: 1.0, ..good }, &links, "width is 1; it must be at least twice the longest link");
        told(Regions { width: f32::NAN, ..good }, &links, "width");
        told(Regions { blend: 2.0, ..good }, &links, "blend is 2");
    }
}
