//! Liquids and grains: free particles that no constraint joins.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::check::{Check, not_negative, number, positive, vector};
use crate::numbers::cubed;

/// Index of a liquid in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LiquidId(pub u32);

/// Index of a kind of grains in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GrainsId(pub u32);

/// What has no shape of its own: it is poured, leaves emitters and goes down drains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Substance {
    /// A liquid.
    Liquid(LiquidId),
    /// A kind of grains.
    Grains(GrainsId),
}

impl From<LiquidId> for Substance {
    fn from(id: LiquidId) -> Self {
        Self::Liquid(id)
    }
}

impl From<GrainsId> for Substance {
    fn from(id: GrainsId) -> Self {
        Self::Grains(id)
    }
}

/// A liquid, and which particles are of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Liquid {
    /// Name for messages and reports.
    pub name: String,
    /// Density at rest [kg/m³], above 0.
    pub density: f32,
    /// Viscosity [Pa s], 0 or more: water 0.001, oil 0.1, honey 10.
    pub viscosity: f32,
    /// Surface tension [N/m], 0 or more: water 0.07.
    pub tension: f32,
    /// Vorticity confinement [1/s], 0 or more: how fast eddies speed up against what damps them; 0 leaves them alone.
    pub confinement: f32,
    /// Part of light that is left after 1 m of it [linear RGB], above 0 and at most 1.
    pub clearness: Vec3,
    /// Light that 1 m of it scatters back [1/m], 0 or more: clear water 0, honey 20, milk 2000. What scatters little is seen through,
    /// what scatters much has a color of its own, that of its `clearness`.
    #[serde(default)]
    pub turbidity: f32,
    /// Radius of its particles [m], above 0, the same for all liquids of a scene; at rest they are twice as far apart.
    pub radius: f32,
    /// Its particles: ranges of particle indices, in order.
    pub blocks: Vec<std::ops::Range<u32>>,
}

impl Liquid {
    /// Water of particles with this radius [m].
    pub fn water(radius: f32) -> Self {
        Self {
            name: "water".into(),
            density: 1000.0,
            viscosity: 0.001,
            tension: 0.07,
            confinement: 0.0,
            clearness: Vec3::new(0.25, 0.72, 0.82),
            turbidity: 0.0,
            radius,
            blocks: Vec::new(),
        }
    }

    /// Mass of a particle [kg]: that of a cube of two radii.
    pub fn particle_mass(&self) -> f32 {
        self.density * cubed(2.0 * self.radius)
    }

    /// Whether another one is the same but for its particles.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        *other == Self { blocks: other.blocks.clone(), ..self.clone() }
    }

    pub(super) fn check(&self) -> Check {
        let item = &format!("liquid `{}`", self.name);
        positive(item, "density", self.density)?;
        not_negative(item, "viscosity", self.viscosity)?;
        not_negative(item, "surface tension", self.tension)?;
        not_negative(item, "vorticity confinement", self.confinement)?;
        positive(item, "particle radius", self.radius)?;
        not_negative(item, "turbidity", self.turbidity)?;
        self.clearness
            .to_array()
            .into_iter()
            .try_for_each(|part| number(item, "clearness", part, part > 0.0 && part <= 1.0, "above 0 and at most 1"))
    }
}

/// A kind of grains, and which particles are of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grains {
    /// Name for messages and reports.
    pub name: String,
    /// Density of a grain [kg/m³], above 0.
    pub density: f32,
    /// Friction coefficient [dimensionless], 0 or more: a heap of grains stands at its arc tangent.
    pub friction: f32,
    /// Color [linear RGB].
    pub color: Vec3,
    /// Radius of a grain [m], above 0.
    pub radius: f32,
    /// Its particles: ranges of particle indices, in order.
    pub blocks: Vec<std::ops::Range<u32>>,
}

impl Grains {
    /// Sand of grains with this radius [m].
    pub fn sand(radius: f32) -> Self {
        Self {
            name: "sand".into(),
            density: 2600.0,
            friction: 0.6,
            color: Vec3::new(0.62, 0.45, 0.24),
            radius,
            blocks: Vec::new(),
        }
    }

    /// Mass of a grain [kg], a ball.
    pub fn particle_mass(&self) -> f32 {
        self.density * std::f32::consts::PI * 4.0 / 3.0 * cubed(self.radius)
    }

    /// Whether another one is the same but for its particles.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        *other == Self { blocks: other.blocks.clone(), ..self.clone() }
    }

    pub(super) fn check(&self) -> Check {
        let item = &format!("grains `{}`", self.name);
        positive(item, "density", self.density)?;
        not_negative(item, "friction", self.friction)?;
        positive(item, "particle radius", self.radius)?;
        vector(item, "color", self.color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn a_poured_block_has_the_mass_of_its_volume() {
        let mut scene = Scene::default();
        let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
        let places: Vec<Vec3> = (0..1000_u16).map(|i| Vec3::X * f32::from(i)).collect();
        scene.pour(water, &places, Vec3::ZERO).unwrap();
        let mass: f32 = scene.particles.iter().map(|p| p.mass).sum();
        assert!((mass - 1000.0).abs() < 0.1, "{mass} kg in a cubic metre");
        assert_eq!(scene.liquids[0].blocks, std::slice::from_ref(&(0..1000)));
    }

    #[test]
    fn liquids_share_one_radius() {
        let mut scene = Scene::default();
        scene.add_liquid(Liquid::water(0.05)).unwrap();
        let oil = Liquid { name: "oil".into(), density: 900.0, ..Liquid::water(0.04) };
        let refusal = scene.add_liquid(oil.clone()).unwrap_err().to_string();
        assert!(refusal.contains("oil") && refusal.contains("0.04") && refusal.contains("0.05"), "{refusal}");
        assert_eq!(scene.liquids.len(), 1);
        scene.add_liquid(Liquid { radius: 0.05, ..oil }).unwrap();
    }

    #[test]
    fn bad_numbers_are_named() {
        let mut scene = Scene::default();
        let thin = Liquid { density: -1.0, ..Liquid::water(0.05) };
        assert!(scene.add_liquid(thin).unwrap_err().to_string().contains("density"));
        let rough = Grains { friction: f32::NAN, ..Grains::sand(0.05) };
        assert!(scene.add_grains(rough).unwrap_err().to_string().contains("friction"));
        assert!(scene.pour(LiquidId(3), &[], Vec3::ZERO).is_err());
        let sand = scene.add_grains(Grains::sand(0.05)).unwrap();
        assert!(scene.heap(sand, &[Vec3::NAN], Vec3::ZERO).is_err());
        assert!(scene.particles.is_empty());
    }
}
