//! Objects of free particles as wholes: what constraints join, directly or over others.

use crate::gpu::wgsl::constraints::object::Object as ObjectRow;
use crate::scene::{Scene, components};

/// Objects and their particles.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub(super) rows: Vec<ObjectRow>,
    pub(super) members: Vec<u32>,
}

impl Objects {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut edges: Vec<[u32; 2]> = Vec::new();
        let moves = |particle: &u32| scene.particles[*particle as usize].mass > 0.0;
        // What acts from outside: pins, the world, bodies.
        let mut anchored = vec![false; scene.particles.len()];
        let mut join = |particles: &mut dyn Iterator<Item = u32>| {
            let all: Vec<u32> = particles.collect();
            let moving: Vec<u32> = all.iter().copied().filter(moves).collect();
            let Some(first) = moving.first() else { return };
            anchored[*first as usize] |= moving.len() < all.len() || all.len() == 1;
            edges.extend(moving[1..].iter().map(|other| [*first, *other]));
        };
        for row in &scene.constraints {
            join(&mut row.joined().iter().copied());
        }
        for row in &scene.global_constraints {
            join(&mut row.joined());
        }
        for attachment in &scene.attachments {
            anchored[attachment.particle.0 as usize] = true;
        }
        Self::gathered(scene, &components(scene.particles.len(), edges), &anchored)
    }

    fn gathered(scene: &Scene, roots: &[u32], anchored: &[bool]) -> Self {
        let mut damping = vec![0.0_f32; scene.particles.len()];
        for extent in &scene.deformables {
            let first = extent.first_particle.0 as usize;
            damping[first..first + extent.particle_count as usize].fill(extent.damping);
        }
        let mut order: Vec<(u32, u32)> = roots.iter().copied().zip(0..).collect();
        order.sort_unstable();
        let mut objects = Self::default();
        for group in order.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let of = |i: &(u32, u32)| i.1 as usize;
            let row = ObjectRow {
                first: objects.members.len() as u32,
                count: group.len() as u32,
                mass: group.iter().map(|i| scene.particles[of(i)].mass).sum(),
                damping: group.iter().map(|i| damping[of(i)]).fold(0.0, f32::max),
                free: u32::from(!group.iter().any(|i| anchored[of(i)])),
            };
            if row.free == 1 || row.damping > 0.0 {
                objects.rows.push(row);
                objects.members.extend(group.iter().map(|i| i.1));
            }
        }
        objects
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::constraints::Distance;
    use crate::scene::{BodyDesc, Deformable};

    /// A rope of four particles along x.
    fn rope() -> Deformable {
        let rest: Vec<Vec3> = (0..4).map(|i| 0.1 * i as f32 * Vec3::X).collect();
        let mut rope = Deformable::new("rope", rest.clone(), 1.0, 0.01);
        for i in 0..3 {
            rope.join(&Distance::between([i, i + 1], [rest[i as usize], rest[i as usize + 1]], 0.0)).unwrap();
        }
        rope
    }

    #[test]
    fn what_is_joined_is_one_object_and_free_unless_held() {
        let mut scene = Scene::default();
        let body = scene.add_body(BodyDesc::sphere(0.1, 0.05)).unwrap();
        let mut pinned = rope();
        pinned.pin(|at| at.x == 0.0);
        pinned.damping = 2.0;
        for (i, object) in
            [rope(), pinned.clone(), rope(), rope(), Deformable { damping: 0.0, ..pinned }].iter().enumerate()
        {
            scene.add_deformable(object, Vec3::Y * i as f32, Quat::IDENTITY, Vec3::ZERO).unwrap();
        }
        let first = |i: usize| scene.deformables[i].first_particle;
        let (free, anchored, third, fourth) = (first(0).0, first(1).0, first(2), first(3));
        scene.attach(third, body, 0.0).unwrap();
        let objects = Objects::new(&scene);
        let found: Vec<_> = objects.rows.iter().map(|o| (objects.members[o.first as usize], o.count, o.free)).collect();
        // The pinned end of the second is no member; the third and the last have nothing to be kept or damped.
        assert_eq!(found, [(free, 4, 1), (anchored + 1, 3, 0), (fourth.0, 4, 1)]);
        // Joined, the first and the fourth are one.
        scene.add_constraint(&Distance::between([free, fourth.0], [Vec3::ZERO, Vec3::Y], 0.0)).unwrap();
        assert_eq!(Objects::new(&scene).rows.iter().map(|o| o.count).collect::<Vec<_>>(), [8, 3]);
    }
}
