//! The whole body as one signed distance field.
//!
//! Shapes melt along the skeleton only: inside a table each row joins the rows above it, and a limb joins the trunk with
//! a softness that fades away from its root. Arms beside the ribs or thigh beside thigh stay apart however near they are.

use glam::Vec3;

use crate::body::{ARM, LEG, Part, TORSO};
use crate::head::{EYES, HAIR, HOLLOWS, SKULL};
use crate::shape::{Shape, smooth_max, smooth_min, smooth_step};
use crate::skeleton::{ANKLE, FINGERTIP, HIP, Joint, SHOULDER};

/// Distances [m] from the parts of the body; the body is the least of them, melted.
#[derive(Clone, Copy, Debug)]
pub struct Distances {
    /// Trunk and neck.
    pub torso: f32,
    /// Head without hair.
    pub head: f32,
    /// Hair.
    pub hair: f32,
    /// The arm on this side.
    pub arm: f32,
    /// The leg on this side.
    pub leg: f32,
}

fn melt(parts: &[Part], p: Vec3) -> f32 {
    let mut d = f32::MAX;
    for (shape, width) in parts {
        d = smooth_min(d, shape.distance(p), *width);
    }
    d
}

/// The body's left and right halves mirror each other, so the left one is looked up for both.
fn folded(p: Vec3) -> Vec3 {
    Vec3::new(p.x.abs(), p.y, p.z)
}

/// Distance [m] from a hull of two spheres around a whole part. Beyond `FAR` it stands in for the part's own shapes.
fn around(p: Vec3, a: Vec3, b: Vec3, radius: f32) -> f32 {
    Shape::Cone(a, b, radius, radius).distance(p)
}

/// Farther away than any two parts melt [m].
const FAR: f32 = 0.08;

/// Distances from every part at `p` [m]; those of parts far away are lower bounds above `FAR`.
pub fn distances(p: Vec3) -> Distances {
    let q = folded(p);
    let bound = |a, b, radius, exact: &dyn Fn() -> f32| {
        let bound = around(q, a, b, radius);
        if bound > FAR { bound } else { exact() }
    };
    let skull = Vec3::new(0.0, 1.65, -0.01);
    Distances {
        torso: bound(Joint::Hips.rest(), Joint::Neck.rest(), 0.2, &|| melt(&TORSO, q)),
        head: bound(skull, skull + Vec3::Y * 0.01, 0.14, &|| head(q)),
        hair: bound(skull, skull + Vec3::Y * 0.01, 0.17, &|| melt(&HAIR, q)),
        arm: bound(SHOULDER, FINGERTIP, 0.09, &|| melt(&ARM, q)),
        // Soles are flat.
        leg: bound(HIP, ANKLE - Vec3::Y * 0.04, 0.20, &|| smooth_max(melt(&LEG, q), -q.y, 0.018)),
    }
}

fn head(q: Vec3) -> f32 {
    let mut head = melt(&SKULL, q);
    for (shape, width) in &HOLLOWS {
        head = smooth_max(head, -shape.distance(q), *width);
    }
    for (shape, width) in &EYES {
        head = smooth_min(head, shape.distance(q), *width);
    }
    head
}

/// Softness [m] that is `most` at a limb's root and gone at `reach` [m] from it.
fn near(p: Vec3, root: Vec3, most: f32, reach: f32) -> f32 {
    most * (1.0 - smooth_step(0.4 * reach, reach, (p - root).length()))
}

/// Signed distance [m] from the body at `p`, negative inside.
pub fn distance(p: Vec3) -> f32 {
    let d = distances(p);
    let q = folded(p);
    let head = smooth_min(d.head, d.hair, 0.003);
    let mut body = smooth_min(d.torso, head, near(q, Joint::Head.rest(), 0.030, 0.12));
    body = smooth_min(body, d.arm, near(q, SHOULDER, 0.055, 0.17));
    smooth_min(body, d.leg, near(q, HIP, 0.065, 0.20))
}

fn slope(p: Vec3) -> Vec3 {
    const STEP: f32 = 5e-4;
    let along = |axis: Vec3| (distance(p + axis * STEP) - distance(p - axis * STEP)) / (2.0 * STEP);
    Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
}

/// Outward unit normal of the field at `p`.
pub fn normal(p: Vec3) -> Vec3 {
    slope(p).normalize_or(Vec3::Y)
}

/// The point of the surface next to `p`, which must be within a few centimeters of it: Newton's method.
pub fn project(mut p: Vec3) -> Vec3 {
    for _ in 0..8 {
        let d = distance(p);
        if d.abs() < 2e-5 {
            break;
        }
        let slope = slope(p);
        p -= slope * (d.clamp(-0.01, 0.01) / slope.length_squared().max(0.2));
    }
    p
}
