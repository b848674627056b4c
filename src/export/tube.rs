//! Ropes and rods as tubes: a ring of points around each particle, and a tip at each end.

use glam::{Vec3, Vec4};

use super::form::{Form, Part};
use crate::scene::{Material, Tube};

/// Points of a ring.
const SIDES: u32 = 8;

/// The mesh of a tube, whose points [`places`] gives.
pub(super) fn form(tube: &Tube) -> Form {
    let (first, last) = (SIDES * tube.count, SIDES * tube.count + 1);
    let mut indices = Vec::new();
    for ring in 0..tube.count - 1 {
        for side in 0..SIDES {
            let [a, b] = [side, (side + 1) % SIDES].map(|side| ring * SIDES + side);
            indices.extend([a, b, b + SIDES, a, b + SIDES, a + SIDES]);
        }
    }
    for side in 0..SIDES {
        let [a, b] = [side, (side + 1) % SIDES];
        let end = SIDES * (tube.count - 1);
        indices.extend([first, b, a, last, end + a, end + b]);
    }
    let half = |point: u32| tube.colors[usize::from(point < first && 2 * (point % SIDES) >= SIDES)];
    let part = Part {
        material: Material { roughness: 0.55, ..Material::default() },
        uvs: Vec::new(),
        colors: (0..=last).map(half).collect(),
        indices,
        points: (0..=last).collect(),
    };
    Form { name: "rope".into(), parts: vec![part], shell: None, tint: Vec4::ONE, corners: false }
}

/// Where the points of a tube are [m], with particles at `positions`.
pub(super) fn places(tube: &Tube, positions: &[Vec3]) -> Vec<Vec3> {
    let at = |first: u32| &positions[first as usize..(first + tube.count) as usize];
    let line = at(tube.first_particle.0);
    let ghosts = tube.first_ghost.map(|ghost| at(ghost.0));
    let along = |i: usize| {
        let ahead = line[(i + 1).min(line.len() - 1)] - line[i.saturating_sub(1)];
        ahead.try_normalize().unwrap_or(Vec3::X)
    };
    let mut beside = along(0).any_orthonormal_vector();
    let mut places = Vec::with_capacity(line.len() * SIDES as usize + 2);
    for (i, center) in line.iter().enumerate() {
        let ahead = along(i);
        let wanted = ghosts.map_or(beside, |ghosts| ghosts[i] - *center);
        // Carried on with the least turning, so that the tube is not twisted by itself.
        beside = wanted.reject_from(ahead).try_normalize().unwrap_or_else(|| ahead.any_orthonormal_vector());
        let across = ahead.cross(beside);
        places.extend((0..SIDES).map(|side| {
            let (sin, cos) = (std::f32::consts::TAU * side as f32 / SIDES as f32).sin_cos();
            *center + tube.radius * (cos * beside + sin * across)
        }));
    }
    places.push(line[0] - tube.radius * along(0));
    places.push(line[line.len() - 1] + tube.radius * along(line.len() - 1));
    places
}
