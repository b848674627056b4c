//! Skin weights: how much every vertex follows each joint.
//!
//! A joint takes over from its parent across a plane through it, softly over a width of its own. Limbs start only where
//! the surface is nearer to them than to the trunk, so a lifted arm leaves the ribs alone. Spreading the weights a few
//! times over the mesh then rounds what is left of corners: along the surface, never through the air between two limbs.

use glam::Vec3;

use crate::field;
use crate::mesh::{Mesh, edges};
use crate::shape::smooth_step;
use crate::skeleton::{COUNT, JOINTS, Joint, mirrored};

/// Joints and weights of one vertex; weights fall and sum to 1.
pub type Influences = [(u8, f32); 4];

/// Where a joint takes over from its parent: across the plane through the joint moved by `shift`, `normal` into the
/// joint's side, over `width` to both sides [m].
struct Seam {
    joint: Joint,
    shift: Vec3,
    normal: Vec3,
    width: f32,
}

const fn seam(joint: Joint, shift: [f32; 3], normal: [f32; 3], width: f32) -> Seam {
    Seam { joint, shift: Vec3::from_array(shift), normal: Vec3::from_array(normal), width }
}

/// Seams of the trunk, the left arm and the left leg.
const SEAMS: [Seam; 13] = {
    use Joint::*;
    [
        seam(Spine, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.070),
        seam(Chest, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.065),
        seam(UpperChest, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.065),
        seam(Neck, [0.0, 0.004, 0.0], [0.0, 1.0, 0.25], 0.034),
        seam(Head, [0.0, 0.000, 0.0], [0.0, 0.80, 0.55], 0.026),
        seam(LeftShoulder, [0.055, -0.035, 0.0], [0.85, 0.45, 0.0], 0.060),
        seam(LeftUpperArm, [0.012, -0.012, 0.0], [0.88, -0.30, 0.0], 0.052),
        seam(LeftLowerArm, [0.0, 0.0, 0.0], [0.766, -0.643, 0.05], 0.042),
        seam(LeftHand, [0.0, 0.0, 0.0], [0.750, -0.650, 0.10], 0.034),
        seam(LeftUpperLeg, [0.0, -0.012, 0.0], [0.62, -0.78, 0.0], 0.075),
        seam(LeftLowerLeg, [0.0, 0.0, 0.0], [0.0, -1.0, 0.05], 0.055),
        seam(LeftFoot, [0.0, 0.0, 0.0], [0.0, -0.85, 0.50], 0.038),
        seam(LeftToes, [0.0, 0.0, 0.0], [0.12, 0.0, 1.0], 0.020),
    ]
};

/// Passes of spreading, and the share a vertex takes from its neighbors in each.
const PASSES: usize = 8;
const SHARE: f32 = 0.5;

/// Influences of every vertex of the mesh.
pub fn weights(mesh: &Mesh) -> Vec<Influences> {
    let raw: Vec<[f32; COUNT]> = mesh.points.iter().map(|p| at(*p)).collect();
    spread(mesh, raw).iter().map(strongest).collect()
}

/// How much the surface at `p` follows a seam's joint rather than its parent.
fn share(seam: &Seam, p: Vec3) -> f32 {
    let d = field::distances(p);
    let arm = smooth_step(-0.022, 0.016, d.torso - d.arm);
    let leg = smooth_step(-0.060, 0.010, d.torso - d.leg) * smooth_step(-0.004, 0.030, p.x) * (1.0 - arm);
    let height = (p - seam.joint.rest() - seam.shift).dot(seam.normal.normalize());
    let crossed = smooth_step(-seam.width, seam.width, height);
    match seam.joint {
        // However low an arm hangs, it hangs from the upper chest.
        Joint::Spine | Joint::Chest | Joint::UpperChest => crossed.max(arm),
        Joint::LeftShoulder => {
            crossed * (smooth_step(1.330, 1.410, p.y) * (1.0 - smooth_step(1.465, 1.530, p.y))).max(arm)
        }
        Joint::LeftUpperArm => crossed * arm,
        Joint::LeftUpperLeg => crossed * leg,
        _ => crossed,
    }
}

/// Weights at `p`: every joint keeps what its children leave of what it got from its parent.
fn at(p: Vec3) -> [f32; COUNT] {
    let mut got = [0.0; COUNT];
    got[0] = 1.0;
    let mut given = [0.0; COUNT];
    for (i, row) in JOINTS.iter().enumerate().skip(1) {
        // The right side is the left one, seen in a mirror.
        let left_name = row.name.replacen("right", "left", 1);
        let p = if left_name == row.name { p } else { mirrored(p) };
        let seam = SEAMS.iter().find(|s| JOINTS[s.joint.index()].name == left_name).expect("every joint has a seam");
        let parent = row.parent.index();
        got[i] = got[parent] * share(seam, p);
        given[parent] += got[i];
    }
    std::array::from_fn(|i| (got[i] - given[i]).max(0.0))
}

fn spread(mesh: &Mesh, mut weights: Vec<[f32; COUNT]>) -> Vec<[f32; COUNT]> {
    for _ in 0..PASSES {
        let mut sums = vec![([0.0; COUNT], 0.0); weights.len()];
        for (a, b) in mesh.triangles.iter().flat_map(|t| edges(*t)) {
            let sum = &mut sums[a as usize];
            sum.1 += 1.0;
            sum.0.iter_mut().zip(&weights[b as usize]).for_each(|(sum, w)| *sum += w);
        }
        for (own, (sum, count)) in weights.iter_mut().zip(&sums) {
            own.iter_mut().zip(sum).for_each(|(w, sum)| *w += SHARE * (sum / count - *w));
        }
    }
    weights
}

fn strongest(weights: &[f32; COUNT]) -> Influences {
    let mut order: Vec<usize> = (0..COUNT).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
    // Weights that nobody would see only cost time.
    let kept: [f32; 4] = std::array::from_fn(|i| if weights[order[i]] < 0.004 { 0.0 } else { weights[order[i]] });
    let sum: f32 = kept.iter().sum();
    std::array::from_fn(|i| (if kept[i] > 0.0 { order[i] as u8 } else { 0 }, kept[i] / sum))
}
