//! The owner of each particle, and the game's own numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::scene::check::present;
use crate::scene::{BodyId, ColliderId, DeformableId, GrainsId, LiquidId, Members, Scene, SceneError, Thing};

impl Scene {
    /// Which thing each particle is of. A particle that a joint shares is of the joint's first body.
    pub fn members(&self) -> Members {
        let mut ranges: Vec<(u32, u32, Thing)> = Vec::new();
        for (index, body) in (0..).zip(&self.bodies) {
            let first = body.first_particle;
            ranges.push((first, first + body.particle_count, Thing::Body(BodyId(index))));
        }
        let mut linked: BTreeMap<u32, Thing> = BTreeMap::new();
        for joint in &self.joints {
            linked.extend(joint.points.iter().map(|point| (point.particle.0, Thing::Body(joint.desc.a))));
        }
        for (index, body) in (0..).zip(&self.bodies) {
            // Others than its own: joints share them, and hold their limits with them.
            let own = body.first_particle..body.first_particle + body.particle_count;
            for link in body.links.iter().filter(|link| !own.contains(&link.particle.0)) {
                linked.entry(link.particle.0).or_insert(Thing::Body(BodyId(index)));
            }
        }
        ranges.extend(linked.into_iter().map(|(particle, thing)| (particle, particle + 1, thing)));
        for (index, extent) in (0..).zip(&self.deformables) {
            let thing = Thing::Deformable(DeformableId(index));
            ranges.extend(extent.ranges().map(|range| (range.start, range.end, thing)));
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

    /// Ranges of the particles of a thing, those that it was made of first; none of a collider. Particles that a joint shares are of no
    /// body here.
    pub(crate) fn ranges_of(&self, thing: Thing) -> Vec<Range<u32>> {
        match thing {
            Thing::Body(id) => {
                let (first, count) = (self.body(id).first_particle, self.body(id).particle_count);
                std::iter::once(first..first + count).collect()
            }
            Thing::Deformable(id) => self.deformables[id.0 as usize].ranges().collect(),
            Thing::Liquid(id) => self.liquids[id.0 as usize].blocks.clone(),
            Thing::Grains(id) => self.grains[id.0 as usize].blocks.clone(),
            Thing::Collider(_) => Vec::new(),
        }
    }

    /// Everything that can be met, with so many colliders: bodies, objects, liquids, grains, colliders.
    pub(crate) fn things(&self, colliders: u32) -> impl Iterator<Item = Thing> {
        let bodies = (0..self.bodies.len() as u32).map(|i| Thing::Body(BodyId(i)));
        let objects = (0..self.deformables.len() as u32).map(|i| Thing::Deformable(DeformableId(i)));
        let liquids = (0..self.liquids.len() as u32).map(|i| Thing::Liquid(LiquidId(i)));
        let grains = (0..self.grains.len() as u32).map(|i| Thing::Grains(GrainsId(i)));
        bodies.chain(objects).chain(liquids).chain(grains).chain((0..colliders).map(|i| Thing::Collider(ColliderId(i))))
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
    pub(in crate::scene) fn check_user_data(&self) -> Result<(), SceneError> {
        self.user_data.keys().try_for_each(|thing| {
            let (field, index, count) = self.place_of(*thing);
            present("user data", field, index, count)
        })
    }

    /// What a thing is called, its index, and how many there are of its kind.
    pub(crate) fn place_of(&self, thing: Thing) -> (&'static str, usize, usize) {
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
    use crate::scene::{BodyDesc, Deformable, JointDesc, JointKind, Liquid, ParticleId};

    #[test]
    fn every_particle_finds_its_thing() {
        let mut scene = Scene::default();
        let a = scene.add_body(BodyDesc::sphere(0.1, 0.1)).unwrap();
        let b = scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::X)).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Ball, b, a, Vec3::X * 0.5, Vec3::Z, 0.05)).unwrap();
        let shared = scene.joints[0].points[0].particle;
        let hinge = JointDesc::new(JointKind::Hinge, b, a, Vec3::X * 0.5, Vec3::Z, 0.05);
        let hinge = scene.add_joint(hinge).unwrap();
        scene.add_hinge_limiter(hinge, Vec3::Y, 0.5).unwrap();
        let rope = Deformable::new("rope", vec![Vec3::Y, Vec3::Y * 2.0], 1.0, 0.05);
        let rope = scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
        scene.pour(water, &[Vec3::Z, Vec3::Z * 2.0], Vec3::ZERO).unwrap();
        let members = scene.members();
        let first = |id: BodyId| ParticleId(scene.body(id).first_particle);
        assert_eq!(members.thing(first(a)), Some(Thing::Body(a)));
        assert_eq!(members.thing(first(b)), Some(Thing::Body(b)));
        assert_eq!(members.thing(shared), Some(Thing::Body(b)));
        for body in &scene.bodies {
            assert!(body.links.iter().all(|link| matches!(members.thing(link.particle), Some(Thing::Body(_)))));
        }
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
