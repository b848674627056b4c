//! Where liquid and grains come from and go: emitters with a reserve of particles, and drains.

use std::ops::Range;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, not_negative, number, positive, vector};
use super::{Shape, Substance};
use crate::numbers::cubed;

/// Height at which particles are kept that are not in the world [m]. `STORE_HEIGHT` of `common/store`.
const STORE_HEIGHT: f32 = 2e6;
/// Least distance between two of them [m], and in radii: none is near another. `STORE_PITCH` and `STORE_PITCH_RADII` of `common/store`.
const STORE_PITCH: [f32; 2] = [0.25, 16.0];
/// Particles side by side there. `STORE_ROW` of `common/store`.
const STORE_ROW: u32 = 1024;
/// Most particles in the reserve of one emitter.
const MOST_BUDGET: u32 = 1 << 20;
/// Most particles side by side in a nozzle.
const MOST_SPOTS: f32 = 16_384.0;

/// A round nozzle that liquid or grains leave at an even speed: density times area times speed is the rate of a liquid [kg/s]; grains, which
/// are balls, fill about half of the nozzle. It takes particles from its reserve, and pauses while that is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Emitter {
    /// Name for messages.
    pub name: String,
    /// What leaves it.
    pub of: Substance,
    /// Middle of the nozzle [m].
    pub position: Vec3,
    /// Where it goes; any length but 0.
    pub direction: Vec3,
    /// Radius of the nozzle [m], at least that of the particles.
    pub radius: f32,
    /// Speed in the nozzle [m/s], 0 or more.
    pub speed: f32,
    /// Particles in reserve when the world begins, above 0: they are neither seen nor felt until they leave the nozzle.
    pub budget: u32,
    /// These particles, by index in the scene; set by [`Scene::add_emitter`].
    pub particles: Range<u32>,
    /// How far they have gone in the nozzle since the last layer of particles left it [m].
    pub way: f64,
}

/// A place that takes liquid and grains out of the world: particles of an emitter go back to its reserve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drain {
    /// A box, along the axes, or a ball.
    pub shape: Shape,
    /// Its middle [m].
    pub position: Vec3,
}

impl Emitter {
    /// An emitter of a liquid or a kind of grains, to be set up with the other fields.
    pub fn new(name: impl Into<String>, of: impl Into<Substance>) -> Self {
        Self {
            name: name.into(),
            of: of.into(),
            position: Vec3::ZERO,
            direction: Vec3::Y,
            radius: 0.1,
            speed: 1.0,
            budget: 1000,
            particles: 0..0,
            way: 0.0,
        }
    }

    /// Places of the particles of a layer that leaves the nozzle, for particles of this radius [m]: those nearest to its middle,
    /// at least as many as its area has room for, so that layers follow one another no closer than particles lie side by side.
    pub(crate) fn spots(&self, radius: f32) -> Vec<Vec3> {
        let (u, v) = self.direction.normalize().any_orthonormal_pair();
        let across = self.radius / (2.0 * radius);
        let count = (std::f32::consts::PI * across * across).ceil() as usize;
        let half = across.ceil() as i32 + 1;
        let mut cells: Vec<[i32; 2]> = (-half..=half).flat_map(|x| (-half..=half).map(move |y| [x, y])).collect();
        cells.sort_by_key(|[x, y]| (x * x + y * y, *x, *y));
        let place = |[x, y]: [i32; 2]| self.position + 2.0 * radius * (x as f32 * u + y as f32 * v);
        cells.into_iter().take(count).map(place).collect()
    }

    /// Way from one layer to the next [m]: a spacing's cube of the nozzle's area for each particle in it.
    pub(crate) fn pitch(&self, radius: f32) -> f32 {
        let area = std::f32::consts::PI * self.radius * self.radius;
        self.spots(radius).len() as f32 * cubed(2.0 * radius) / area
    }
}

impl Emitter {
    /// Checks it for particles of this radius [m].
    pub(crate) fn check(&self, item: &str, radius: f32) -> Check {
        vector(item, "position", self.position)?;
        vector(item, "direction", self.direction)?;
        positive(item, "length of the direction", self.direction.length())?;
        not_negative(item, "speed", self.speed)?;
        let across = self.radius / (2.0 * radius);
        let fits = self.radius >= radius && across * across <= MOST_SPOTS;
        number(item, "radius", self.radius, fits, "at least a particle's radius, and at most 256 of them")?;
        let budget = self.budget as f32;
        number(item, "budget", budget, (1..=MOST_BUDGET).contains(&self.budget), "from 1 to 1048576")
    }
}

impl Drain {
    pub(super) fn check(&self, item: String) -> Check {
        vector(&item, "position", self.position)?;
        match &self.shape {
            Shape::Cuboid(half) => {
                vector(&item, "half extent", *half)?;
                positive(&item, "half extent", half.min_element())?;
            }
            Shape::Sphere(radius) => positive(&item, "radius", *radius)?,
            _ => return Err(SceneError::DrainShape(item)),
        }
        Ok(())
    }
}

/// Where a particle is kept while it is not in the world [m].
pub(crate) fn stored_at(particle: u32, radius: f32) -> Vec3 {
    let (across, along) = ((particle % STORE_ROW) as f32, (particle / STORE_ROW) as f32);
    let pitch = store_pitch(radius);
    Vec3::new(across * pitch, STORE_HEIGHT, along * pitch)
}

/// Distance between two of them [m].
fn store_pitch(radius: f32) -> f32 {
    (STORE_PITCH[1] * radius).max(STORE_PITCH[0])
}

/// Whether a particle is kept out of the world, by where it is.
pub fn is_stored(position: Vec3) -> bool {
    position.y > 0.5 * STORE_HEIGHT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Liquid, LiquidId, Scene};

    #[test]
    fn a_nozzle_has_as_much_liquid_as_its_area() {
        let radius = 0.02;
        for wide in [0.02, 0.03, 0.05, 0.11] {
            let emitter = Emitter { radius: wide, ..Emitter::new("jet", LiquidId(0)) };
            let spots = emitter.spots(radius);
            let volume = spots.len() as f32 * (2.0 * radius).powi(3);
            let area = std::f32::consts::PI * wide * wide;
            assert!((volume / (emitter.pitch(radius) * area) - 1.0).abs() < 1e-5);
            assert!(spots.iter().all(|s| s.length() < wide + radius && s.y == 0.0), "{wide}");
            let pitch = emitter.pitch(radius) / (2.0 * radius);
            assert!((1.0..1.4).contains(&pitch), "{wide}: layers {pitch} spacings apart");
        }
    }

    #[test]
    fn bad_emitters_and_drains_are_named() {
        let mut scene = Scene::default();
        let refusal = scene.add_emitter(Emitter::new("jet", LiquidId(0))).unwrap_err().to_string();
        assert!(refusal.contains("jet") && refusal.contains("liquid"), "{refusal}");
        let water = scene.add_liquid(Liquid::water(0.02)).unwrap();
        let jet = Emitter::new("jet", water);
        for (field, bad) in [
            ("radius", Emitter { radius: 0.01, ..jet.clone() }),
            ("radius", Emitter { radius: 1e6, ..jet.clone() }),
            ("speed", Emitter { speed: f32::NAN, ..jet.clone() }),
            ("direction", Emitter { direction: Vec3::ZERO, ..jet.clone() }),
            ("budget", Emitter { budget: 0, ..jet.clone() }),
            ("position", Emitter { position: Vec3::INFINITY, ..jet.clone() }),
        ] {
            let refusal = scene.add_emitter(bad).unwrap_err().to_string();
            assert!(refusal.contains("jet") && refusal.contains(field), "{field}: {refusal}");
        }
        assert!(scene.particles.is_empty() && scene.emitters.is_empty());
        for shape in [Shape::Sphere(0.0), Shape::Cuboid(Vec3::NAN), Shape::Plane] {
            let refusal = scene.add_drain(Drain { shape, position: Vec3::ZERO }).unwrap_err().to_string();
            assert!(refusal.contains("drain 0"), "{refusal}");
        }
        scene.add_emitter(jet).unwrap();
        assert!(scene.particles.iter().all(|p| is_stored(p.position)));
    }
}
