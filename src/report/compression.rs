//! How much denser than at rest liquid is, from positions alone: a kernel sum, with solids counted as half spaces of liquid.

use glam::{IVec3, Quat, Vec3};
use rayon::prelude::*;
use std::collections::HashMap;

use super::Snapshot;
use crate::scene::{Phase, Scene, Shape, is_stored};

/// Reach of the kernel in spacings of the lattice at rest.
const SUPPORT: f32 = 2.0;

/// Density over that at rest, of each particle of liquid [dimensionless], in the order of the particles. Where there is no
/// liquid and no solid, at a surface, it is low.
pub fn relative_densities(scene: &Scene, state: &Snapshot) -> Vec<f64> {
    let Some(liquid) = scene.liquids.first() else { return Vec::new() };
    let reach = SUPPORT * 2.0 * liquid.radius;
    let ours = |i: &usize| scene.particles[*i].phase.contains(Phase::LIQUID);
    let members: Vec<usize> = (0..scene.particles.len()).filter(ours).collect();
    let cell = |p: Vec3| (p / reach).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
    members.iter().for_each(|i| cells.entry(cell(state.particles[*i])).or_default().push(*i));
    let solids = solids(scene, state);
    let at_rest = lattice_sum();
    let density = |i: &usize| {
        let at = state.particles[*i];
        let around = (0..27).map(|n| cell(at) + IVec3::new(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
        let near = around.filter_map(|c| cells.get(&c)).flatten();
        let sum: f64 = near.map(|j| kernel(f64::from(state.particles[*j].distance(at) / reach))).sum();
        let left: f64 = solids.iter().map(|solid| 1.0 - solid.fill(at, reach)).product();
        sum / at_rest + 1.0 - left
    };
    members.par_iter().map(density).collect()
}

/// Mean compression of the liquid [dimensionless]: how much denser than at rest, where it is; `None` without liquid.
pub fn compression(scene: &Scene, state: &Snapshot) -> Option<f64> {
    let ours = scene.particles.iter().zip(&state.particles).filter(|(p, _)| p.phase.contains(Phase::LIQUID));
    let here: Vec<bool> = ours.map(|(_, at)| !is_stored(*at)).collect();
    let densities = relative_densities(scene, state).into_iter().zip(here).filter_map(|(d, here)| here.then_some(d));
    let densities: Vec<f64> = densities.collect();
    let sum: f64 = densities.iter().map(|density| (density - 1.0).max(0.0)).sum();
    (!densities.is_empty()).then(|| sum / densities.len() as f64)
}

/// (1 - q²)³ (Müller et al. 2003), not normalized.
fn kernel(q: f64) -> f64 {
    (1.0 - q * q).max(0.0).powi(3)
}

fn lattice_sum() -> f64 {
    let range = || -2..=2_i32;
    let places = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| x * x + y * y + z * z)));
    places.map(|square| kernel(f64::from(square).sqrt() / f64::from(SUPPORT))).sum()
}

/// A shape somewhere.
struct Solid<'a> {
    shape: &'a Shape,
    position: Vec3,
    inverse: Quat,
}

fn solids<'a>(scene: &'a Scene, state: &'a Snapshot) -> Vec<Solid<'a>> {
    let colliders = scene.colliders.iter().map(|c| Solid {
        shape: &c.shape,
        position: c.position + c.velocity * state.time as f32,
        inverse: (Quat::from_scaled_axis(c.angular_velocity * state.time as f32) * c.rotation).inverse(),
    });
    let bodies = scene.bodies.iter().zip(&state.bodies).filter(|(_, pose)| !pose.is_removed()).map(|(body, pose)| {
        Solid { shape: &scene.shapes[body.shape], position: pose.center, inverse: pose.rotation.inverse() }
    });
    colliders.chain(bodies).collect()
}

impl Solid<'_> {
    /// Part of the kernel's ball about a point that lies in the solid, taken as a half space: the integral of the kernel's
    /// slice 315/256 (1 - z²)⁴ from the surface on.
    fn fill(&self, at: Vec3, reach: f32) -> f64 {
        let offset = at - self.position;
        if offset.length() > self.shape.bounding_radius() + reach {
            return 0.0;
        }
        let z = f64::from((self.shape.distance(self.inverse * offset) / reach).clamp(-1.0, 1.0));
        let s = z * z;
        let slices = z * (1.0 + s * (-4.0 / 3.0 + s * (6.0 / 5.0 + s * (-4.0 / 7.0 + s / 9.0))));
        0.5 - 315.0 / 256.0 * slices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Collider, Liquid};

    /// A lattice of 8³ with this spacing over that at rest, on the ground.
    fn cube(spacing: f32) -> Vec<f64> {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
        let place = |i: u16| Vec3::new(f32::from(i % 8), f32::from(i / 8 % 8) + 0.5, f32::from(i / 64));
        let places: Vec<Vec3> = (0..512).map(|i| place(i) * 0.1 * spacing).collect();
        scene.pour(water, &places, Vec3::ZERO).unwrap();
        relative_densities(&scene, &Snapshot::start(&scene))
    }

    #[test]
    fn a_lattice_is_as_dense_as_its_spacing_says() {
        let middle = 3 + 8 * 3 + 64 * 4;
        for spacing in [0.95, 1.0, 1.05] {
            let expected = f64::from(spacing).powi(-3);
            let found = cube(spacing)[middle];
            assert!((found - expected).abs() < 0.01, "{spacing}: {found} instead of {expected}");
        }
    }

    #[test]
    fn a_wall_is_as_good_as_liquid() {
        let densities = cube(1.0);
        let (floor, top) = (3 + 64 * 4, 3 + 8 * 7 + 64 * 4);
        assert!((densities[floor] - 1.0).abs() < 0.04, "{}", densities[floor]);
        assert!(densities[top] < 0.85, "{}", densities[top]);
    }
}
