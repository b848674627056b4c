//! What a scene has, by whatever name a game asks for it: what was hit, what is inside, what carries the game's own data.

use serde::{Deserialize, Serialize};

use super::check::present;
use super::{BodyId, ColliderId, DeformableId, GrainsId, LiquidId, ParticleId, Scene, SceneError};

/// Anything that can be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Thing {
    /// A rigid body, or a bone of a character.
    Body(BodyId),
    /// A part of the static or moving world.
    Collider(ColliderId),
    /// Cloth, flesh, a rope or a rod.
    Deformable(DeformableId),
    /// A liquid.
    Liquid(LiquidId),
    /// A kind of grains.
    Grains(GrainsId),
}

/// Which thing each particle is of: ranges of particles, in order.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// First particle, the one after the last, and whose they are.
    ranges: Vec<(u32, u32, Thing)>,
}

impl Members {
    /// What a particle is of; `None` for a free particle that belongs to no object.
    pub fn thing(&self, particle: ParticleId) -> Option<Thing> {
        let after = self.ranges.partition_point(|(first, ..)| *first <= particle.0);
        let (_, end, thing) = *self.ranges[..after].last()?;
        (particle.0 < end).then_some(thing)
    }
}

impl Scene {
    /// Which thing each particle is of. A particle that a joint shares is of the joint's first body.
    pub fn members(&self) -> Members {
        let mut ranges: Vec<(u32, u32, Thing)> = Vec::new();
        for (index, body) in (0..).zip(&self.bodies) {
            let first = body.first_particle;
            ranges.push((first, first + body.particle_count, Thing::Body(BodyId(index))));
        }
        for joint in &self.joints {
            let shared = joint.points.iter().map(|point| point.particle.0);
            ranges.extend(shared.map(|particle| (particle, particle + 1, Thing::Body(joint.desc.a))));
        }
        for (index, extent) in (0..).zip(&self.deformables) {
            let first = extent.first_particle.0;
            ranges.push((first, first + extent.particle_count, Thing::Deformable(DeformableId(index))));
        }
        for (index, liquid) in (0..).zip(&self.liquids) {
            ranges.extend(liquid.blocks.iter().map(|block| (block.start, block.end, Thing::Liquid(LiquidId(index)))));
        }
        for (index, grains) in (0..).zip(&self.grains) {
            ranges.extend(grains.blocks.iter().map(|block| (block.start, block.end, Thing::Grains(GrainsId(index)))));
        }
        ranges.retain(|(first, end, _)| first < end);
        ranges.sort_unstable_by_key(|(first, ..)| *first);
        Members { ranges }
    }

    /// Gives a thing a number of the game's own, which events and queries return with it.
    ///
    /// # Errors
    /// [`SceneError::Missing`] for a thing that the scene does not have.
    pub fn set_user_data(&mut self, thing: Thing, data: u64) -> Result<(), SceneError> {
        let (field, index, count) = self.place_of(thing);
        present("user data", field, index, count)?;
        self.user_data.insert(thing, data);
        Ok(())
    }

    /// The game's own number of a thing; 0 if it has none.
    pub fn user_data(&self, thing: Thing) -> u64 {
        self.user_data.get(&thing).copied().unwrap_or(0)
    }

    /// Whether everything is there that has a number of the game's own.
    pub(super) fn check_user_data(&self) -> Result<(), SceneError> {
        self.user_data.keys().try_for_each(|thing| {
            let (field, index, count) = self.place_of(*thing);
            present("user data", field, index, count)
        })
    }

    /// What a thing is called, its index, and how many there are of its kind.
    pub(super) fn place_of(&self, thing: Thing) -> (&'static str, usize, usize) {
        match thing {
            Thing::Body(id) => ("body", id.0 as usize, self.bodies.len()),
            Thing::Collider(id) => ("collider", id.0 as usize, self.colliders.len()),
            Thing::Deformable(id) => ("deformable object", id.0 as usize, self.deformables.len()),
            Thing::Liquid(id) => ("liquid", id.0 as usize, self.liquids.len()),
            Thing::Grains(id) => ("kind of grains", id.0 as usize, self.grains.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::scene::{BodyDesc, Deformable, JointDesc, JointKind, Liquid};

    #[test]
    fn every_particle_finds_its_thing() {
        let mut scene = Scene::default();
        let a = scene.add_body(BodyDesc::sphere(0.1, 0.1)).unwrap();
        let b = scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::X)).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Ball, b, a, Vec3::X * 0.5, Vec3::Z, 0.05)).unwrap();
        let shared = scene.joints[0].points[0].particle;
        let rope = Deformable::new("rope", vec![Vec3::Y, Vec3::Y * 2.0], 1.0, 0.05);
        let rope = scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
        scene.pour(water, &[Vec3::Z, Vec3::Z * 2.0], Vec3::ZERO).unwrap();
        let members = scene.members();
        let first = |id: BodyId| ParticleId(scene.body(id).first_particle);
        assert_eq!(members.thing(first(a)), Some(Thing::Body(a)));
        assert_eq!(members.thing(first(b)), Some(Thing::Body(b)));
        assert_eq!(members.thing(shared), Some(Thing::Body(b)));
        assert_eq!(members.thing(scene.deformables[0].first_particle), Some(Thing::Deformable(rope)));
        let last = ParticleId(scene.particles.len() as u32 - 1);
        assert_eq!(members.thing(last), Some(Thing::Liquid(water)));
        assert_eq!(members.thing(ParticleId(last.0 + 1)), None);
    }

    #[test]
    fn user_data_stays_with_its_thing() {
        let mut scene = Scene::default();
        let body = Thing::Body(scene.add_body(BodyDesc::sphere(0.1, 0.1)).unwrap());
        assert_eq!(scene.user_data(body), 0);
        scene.set_user_data(body, 7).unwrap();
        assert_eq!(scene.user_data(body), 7);
        let refusal = scene.set_user_data(Thing::Liquid(LiquidId(2)), 1).unwrap_err().to_string();
        assert!(refusal.contains("liquid") && refusal.contains('2'), "{refusal}");
    }
}
