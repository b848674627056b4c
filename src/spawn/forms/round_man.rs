//! A round little man on a lattice, instead of the Omotondo of paper 3.

use glam::Vec3;

use crate::import::tets::{TetMesh, fill};

/// Distance of neighbors over the height: gives the published number of tetrahedra.
const SPACING: f32 = 0.0252;

/// A man `height` [m] high, feet at y = 0, facing Z.
pub fn round_man(height: f32) -> TetMesh {
    // Balls: place and radius for a height of 1.
    let side = [
        (Vec3::new(0.17, 0.07, 0.03), 0.095),
        (Vec3::new(0.15, 0.16, 0.0), 0.085),
        (Vec3::new(0.29, 0.50, 0.02), 0.075),
        (Vec3::new(0.36, 0.42, 0.07), 0.075),
        (Vec3::new(0.09, 0.985, -0.02), 0.05),
    ];
    let mut balls =
        vec![(Vec3::new(0.0, 0.37, 0.0), 0.26), (Vec3::new(0.0, 0.78, 0.0), 0.2), (Vec3::new(0.0, 0.76, 0.19), 0.045)];
    balls.extend(side.iter().flat_map(|(p, r)| [(*p, *r), (*p * Vec3::new(-1.0, 1.0, 1.0), *r)]));
    let distance = |p: Vec3| {
        let p = p / height;
        // Smooth union: balls flow into each other over a twentieth of the height.
        let sum: f32 = balls.iter().map(|(center, radius)| ((radius - p.distance(*center)) / 0.02).exp()).sum();
        -0.02 * height * sum.ln()
    };
    let bounds = (Vec3::new(-0.5, -0.06, -0.32) * height, Vec3::new(0.5, 1.08, 0.32) * height);
    fill(bounds, SPACING * height, distance).expect("few cells")
}
