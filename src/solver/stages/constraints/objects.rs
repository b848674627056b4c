//! Objects of free particles as wholes: what constraints join, directly or over others.

use crate::constraints::GlobalRow;
use crate::gpu::Context;
pub(in crate::solver) use crate::gpu::wgsl::constraints::object::{
    Joined as JoinedRow, Object as ObjectRow, Slice as SliceRow,
};
use crate::scene::{Extent, Fabric, Scene, Seams, components};
use crate::solver::stages::ground::NONE;

/// Most slices of an object: every one of them goes through the sums of all.
const MOST_SLICES: usize = 2048;

/// Fewest members of all slices of an object but the last. A graphics card goes through many short ones at once; a software
/// adapter pays for every barrier in them.
pub(super) fn least_members(context: &Context) -> usize {
    if context.info().kind == "software" { 1024 } else { 128 }
}

/// What constraints join, in slices, and the objects among it.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct Objects {
    pub(in crate::solver) rows: Vec<ObjectRow>,
    /// Those of objects come first.
    pub(in crate::solver) slices: Vec<SliceRow>,
    pub(in crate::solver) members: Vec<JoinedRow>,
    /// Number of slices of objects.
    pub(in crate::solver) object_slices: u32,
}

/// What is known of each particle, shape [particle_count].
struct Standing<'a> {
    /// Its first phantom, and how many.
    phantoms: &'a [[u32; 2]],
    /// Whether the second order is not for it.
    first_order: Vec<bool>,
}

impl Objects {
    /// `phantoms` are the first phantom and the number of phantoms of each particle, `least` is the [`least_members`].
    pub(in crate::solver) fn new(scene: &Scene, seams: &Seams, phantoms: &[[u32; 2]], least: usize) -> Self {
        let mut edges: Vec<[u32; 2]> = Vec::new();
        let moves = |particle: &u32| scene.particles[*particle as usize].mass > 0.0;
        // What acts from outside: pins, the world, bodies.
        let mut anchored = vec![false; scene.particles.len()];
        // What is held stands still: it must not keep what was predicted for it.
        let mut joined: Vec<bool> = scene.particles.iter().map(|particle| particle.mass == 0.0).collect();
        let mut join = |particles: &mut dyn Iterator<Item = u32>| {
            let all: Vec<u32> = particles.collect();
            all.iter().for_each(|i| joined[*i as usize] = true);
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
            joined[attachment.particle.0 as usize] = true;
        }
        // What hangs on nothing may be fastened while the world runs.
        let may_hang = scene.deformables.iter().filter(|_| scene.reserve.attachments > 0);
        may_hang.flat_map(Extent::ranges).flatten().for_each(|i| joined[i as usize] = true);
        for link in scene.bodies.iter().flat_map(|body| &body.links) {
            joined[link.particle.0 as usize] = false;
        }
        // Pressure and the skin that bears it, one after the other, would shake each other ever harder by the second order.
        let mut first_order = vec![false; scene.particles.len()];
        let inflated = scene.global_constraints.iter().filter(|row| row.kind.inflates.is_some());
        inflated.flat_map(GlobalRow::joined).for_each(|i| first_order[i as usize] = true);
        let standing = Standing { phantoms, first_order };
        let mut objects = Self::default();
        let mut others = Vec::new();
        let roots = components(scene.particles.len(), edges);
        let mut order: Vec<(u32, u32)> = roots.into_iter().zip(0..).filter(|(_, i)| joined[*i as usize]).collect();
        order.sort_unstable();
        let damping = damping(scene);
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            let own: Vec<u32> = group.iter().map(|i| i.1).collect();
            let free = u32::from(!own.iter().any(|i| anchored[*i as usize]));
            let damping = own.iter().map(|i| damping[*i as usize]).fold(0.0, f32::max);
            if own.len() > 1 && (free == 1 || damping > 0.0) {
                let mass = own.iter().map(|i| scene.particles[*i as usize].mass).sum();
                let first = objects.slices.len() as u32;
                objects.slice(objects.rows.len() as u32, &own, &standing, least.max(own.len().div_ceil(MOST_SLICES)));
                let count = objects.slices.len() as u32 - first;
                let [first_fabric, end_fabric] = fabrics(seams, &own);
                objects.rows.push(ObjectRow { first, count, mass, damping, free, first_fabric, end_fabric });
            } else {
                others.extend(own);
            }
        }
        objects.object_slices = objects.slices.len() as u32;
        objects.slice(NONE, &others, &standing, least);
        objects
    }

    fn slice(&mut self, object: u32, members: &[u32], standing: &Standing<'_>, length: usize) {
        for own in members.chunks(length) {
            let first = self.members.len() as u32;
            let slice = SliceRow { object, origin: members[0], first, count: own.len() as u32, ..SliceRow::default() };
            self.slices.push(slice);
            self.members.extend(own.iter().map(|i| {
                let [first_phantom, phantoms] = standing.phantoms[*i as usize];
                let first_order = u32::from(standing.first_order[*i as usize]);
                JoinedRow { particle: *i, first_phantom, phantoms, first_order }
            }));
        }
    }
}

/// The range of fabrics that have some of these particles.
fn fabrics(seams: &Seams, particles: &[u32]) -> [u32; 2] {
    let has = |fabric: &Fabric| {
        let own = fabric.first_particle..fabric.first_particle + fabric.particles;
        particles.iter().any(|particle| own.contains(particle))
    };
    let found: Vec<u32> = (0..).zip(&seams.fabrics).filter(|(_, fabric)| has(fabric)).map(|(index, _)| index).collect();
    [found.first().copied().unwrap_or(0), found.last().map_or(0, |last| last + 1)]
}

/// Damping of each particle's object [1/s].
fn damping(scene: &Scene) -> Vec<f32> {
    let mut damping = vec![0.0; scene.particles.len()];
    for extent in &scene.deformables {
        extent.ranges().flatten().for_each(|i| damping[i as usize] = extent.damping);
    }
    damping
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

    fn gathered(scene: &Scene) -> Objects {
        Objects::new(scene, &Seams::new(scene), &vec![[0, 0]; scene.particles.len()], 64)
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
        let objects = gathered(&scene);
        let first_of = |o: &ObjectRow| &objects.slices[o.first as usize];
        let found: Vec<_> = objects.rows.iter().map(|o| (first_of(o).origin, first_of(o).count, o.free)).collect();
        // The pinned end of the second is no member; the third and the last have nothing to be kept or damped.
        assert_eq!(found, [(free, 4, 1), (anchored + 1, 3, 0), (fourth.0, 4, 1)]);
        // Joined, the first and the fourth are one.
        scene.add_constraint(&Distance::between([free, fourth.0], [Vec3::ZERO, Vec3::Y], 0.0)).unwrap();
        assert_eq!(gathered(&scene).slices.iter().map(|s| s.count).collect::<Vec<_>>(), [8, 3, 9]);
    }
}
