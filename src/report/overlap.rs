//! How deep particles sit in bodies, colliders and one another: the state itself, not the solver's contacts.

use glam::{IVec3, Quat, Vec3};
use rayon::prelude::*;

use super::{Pose, Snapshot};
use crate::scene::{Collider, ColliderId, Layers, ParticleId, Phase, Scene, Thing, is_stored};

/// Gap that two surfaces keep, in radii of both: `THICKNESS` of `surfaces/primitive`.
const SURFACE_GAP: f32 = 0.7;

/// Measures overlap in one scene; made once, used every frame.
#[derive(Debug)]
pub struct Overlap<'a> {
    scene: &'a Scene,
    /// Bodies that own each particle.
    owners: Vec<Vec<u32>>,
    /// Particles that are corners of triangles.
    corners: Vec<bool>,
    largest_radius: f32,
}

/// Where a collider is now, and how far its shape reaches.
struct Placed<'a> {
    collider: &'a Collider,
    position: Vec3,
    inverse: Quat,
    reach: f32,
}

impl<'a> Overlap<'a> {
    /// Prepares to measure `scene`.
    pub fn new(scene: &'a Scene) -> Self {
        let mut owners = vec![Vec::new(); scene.particles.len()];
        for (b, body) in scene.bodies.iter().enumerate() {
            body.links.iter().for_each(|l| owners[l.particle.0 as usize].push(b as u32));
        }
        let mut corners = vec![false; scene.particles.len()];
        scene.triangles.iter().flatten().for_each(|i| corners[*i as usize] = true);
        let largest_radius = scene.particles.iter().map(|p| p.radius).fold(0.0, f32::max);
        Self { scene, owners, corners, largest_radius }
    }

    /// Deepest overlap of any particle that may touch what it is in, in radii of that particle; 0 when all are clear.
    pub fn worst(&self, state: &Snapshot) -> f32 {
        let bodies = self.body_cells(state);
        let free = self.free_cells(state);
        let colliders = self.placed(state.time as f32);
        (0..state.particles.len())
            .into_par_iter()
            .map(|i| {
                let at = state.particles[i];
                if is_stored(at) {
                    return 0.0;
                }
                let in_bodies = bodies.at(at).map(|b| self.in_body(i, b as usize, state)).fold(0.0, f32::max);
                let in_world = colliders.iter().map(|c| self.in_collider(i, at, c, state)).fold(0.0, f32::max);
                let in_free = free.at(at).map(|j| self.in_particle(i, j as usize, state)).fold(0.0, f32::max);
                in_bodies.max(in_world).max(in_free)
            })
            .reduce(|| 0.0, f32::max)
            .max(self.between_limiters(state))
    }

    fn body_cells(&self, state: &Snapshot) -> Cells {
        let reach = |b: usize| self.scene.shapes[self.scene.bodies[b].shape].bounding_radius() + self.largest_radius;
        let living: Vec<usize> = (0..state.bodies.len()).filter(|b| !state.bodies[*b].is_removed()).collect();
        Cells::new(living.iter().map(|b| (*b as u32, state.bodies[*b].center, reach(*b))).collect())
    }

    fn free_cells(&self, state: &Snapshot) -> Cells {
        let free = (0..self.owners.len()).filter(|i| self.owners[*i].is_empty());
        Cells::new(free.map(|i| (i as u32, state.particles[i], 2.0 * self.largest_radius)).collect())
    }

    fn placed(&self, time: f32) -> Vec<Placed<'a>> {
        let place = |c: &'a Collider| Placed {
            collider: c,
            position: c.position + c.velocity * time,
            inverse: (Quat::from_scaled_axis(c.angular_velocity * time) * c.rotation).inverse(),
            reach: c.shape.bounding_radius(),
        };
        let is_met = |id: u32| {
            let Layers { of, meets } = self.scene.layers_of(Thing::Collider(ColliderId(id)));
            of != 0 && meets != 0
        };
        // What passes a one-way collider overlaps with it meanwhile.
        let all = self.scene.colliders.iter().zip(0..).filter(|(c, id)| c.one_way.is_none() && is_met(*id));
        all.map(|(collider, _)| place(collider)).collect()
    }

    fn is_ghost(&self, i: usize) -> bool {
        self.scene.particles[i].phase.contains(Phase::GHOST)
    }

    /// Held by the host: every owner is kinematic, or a free particle without mass. Liquid of an emitter gets its mass in the nozzle.
    fn is_held(&self, i: usize) -> bool {
        let (owners, particle) = (&self.owners[i], &self.scene.particles[i]);
        let kinematic = |b: &u32| self.scene.bodies[*b as usize].kinematic;
        let massless = particle.mass == 0.0 && !particle.phase.contains(Phase::LIQUID);
        if owners.is_empty() { massless } else { owners.iter().all(kinematic) }
    }

    fn is_gone(&self, i: usize, state: &Snapshot) -> bool {
        !self.owners[i].is_empty() && self.owners[i].iter().all(|b| state.bodies[*b as usize].is_removed())
    }

    fn in_body(&self, i: usize, b: usize, state: &Snapshot) -> f32 {
        let (body, pose, particle) = (&self.scene.bodies[b], &state.bodies[b], &self.scene.particles[i]);
        let shape = &self.scene.shapes[body.shape];
        let offset = state.particles[i] - pose.center;
        let far = offset.length_squared() > (shape.bounding_radius() + particle.radius).powi(2);
        let ignored = |o: &u32| *o as usize == b || body.ignores.iter().any(|g| g.0 == *o);
        let group = |phase: Phase| phase.0 >> 8;
        let of_group = group(particle.phase) != 0
            && group(self.scene.particles[body.first_particle as usize].phase) == group(particle.phase);
        if far || of_group || self.is_ghost(i) || self.is_gone(i, state) || self.owners[i].iter().any(ignored) {
            return 0.0;
        }
        if self.is_ghost(body.first_particle as usize) || (body.kinematic && self.is_held(i)) {
            return 0.0;
        }
        1.0 - shape.distance(local(pose, state.particles[i])) / particle.radius
    }

    fn in_collider(&self, i: usize, at: Vec3, placed: &Placed<'_>, state: &Snapshot) -> f32 {
        let (offset, radius) = (at - placed.position, self.scene.particles[i].radius);
        let far = offset.length() > placed.reach + radius;
        if far || self.is_ghost(i) || self.is_held(i) || self.is_gone(i, state) {
            return 0.0;
        }
        1.0 - placed.collider.shape.distance(placed.inverse * offset) / radius
    }

    /// Two free particles; each pair is seen from both sides. Corners of two surfaces may be as near as these.
    fn in_particle(&self, i: usize, j: usize, state: &Snapshot) -> f32 {
        let (a, b) = (&self.scene.particles[i], &self.scene.particles[j]);
        let of_group = a.phase.0 >> 8 != 0 && a.phase.0 >> 8 == b.phase.0 >> 8;
        let of_liquid = a.phase.contains(Phase::LIQUID) && b.phase.contains(Phase::LIQUID);
        if i == j || !self.owners[i].is_empty() || of_group || of_liquid || self.is_ghost(i) || self.is_ghost(j) {
            return 0.0;
        }
        let gap = if self.corners[i] && self.corners[j] { SURFACE_GAP } else { 1.0 };
        (gap * (a.radius + b.radius) - state.particles[i].distance(state.particles[j])) / a.radius
    }

    /// Partners across hinges, whose bodies otherwise ignore each other.
    fn between_limiters(&self, state: &Snapshot) -> f32 {
        let overlap = |[i, j]: [ParticleId; 2]| {
            let (i, j) = (i.0 as usize, j.0 as usize);
            if self.is_gone(i, state) || self.is_gone(j, state) {
                return 0.0;
            }
            let (a, b) = (self.scene.particles[i].radius, self.scene.particles[j].radius);
            (a + b - state.particles[i].distance(state.particles[j])) / a
        };
        self.scene.limiters.iter().map(|l| overlap(l.particles)).fold(0.0, f32::max)
    }
}

fn local(pose: &Pose, point: Vec3) -> Vec3 {
    pose.rotation.inverse() * (point - pose.center)
}

/// Balls by the grid cells that their boxes touch: sorted pairs of cell and index.
struct Cells {
    size: f32,
    entries: Vec<(u64, u32)>,
}

impl Cells {
    fn new(balls: Vec<(u32, Vec3, f32)>) -> Self {
        let mean = balls.iter().map(|b| b.2).sum::<f32>() / balls.len().max(1) as f32;
        let largest = balls.iter().map(|b| b.2).fold(0.0, f32::max);
        // A ball much larger than the rest must not fill a huge number of cells.
        let size = (2.0 * mean).max(0.25 * largest).max(1e-6);
        let mut entries = Vec::with_capacity(8 * balls.len());
        for (index, center, reach) in balls.into_iter().filter(|b| b.1.is_finite()) {
            let (low, high) = (cell(center - reach, size), cell(center + reach, size));
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    entries.extend((low.x..=high.x).map(|x| (key(IVec3::new(x, y, z)), index)));
                }
            }
        }
        entries.sort_unstable();
        Self { size, entries }
    }

    /// Indices of the balls whose boxes touch the cell of `point`.
    fn at(&self, point: Vec3) -> impl Iterator<Item = u32> + '_ {
        let wanted = key(cell(point, self.size));
        let first = self.entries.partition_point(|e| e.0 < wanted);
        self.entries[first..].iter().take_while(move |e| e.0 == wanted).map(|e| e.1)
    }
}

fn cell(point: Vec3, size: f32) -> IVec3 {
    // 21 bits a side; what is further out shares the outermost cells.
    (point / size).floor().clamp(Vec3::splat(-1.0e6), Vec3::splat(1.0e6)).as_ivec3()
}

fn key(cell: IVec3) -> u64 {
    let part = |c: i32| (c + (1 << 20)) as u64;
    part(cell.x) | part(cell.y) << 21 | part(cell.z) << 42
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shader;
    use crate::scene::{BodyDesc, BodyId, Collider, Emitter, JointDesc, JointId, JointKind, Liquid, Particle};

    fn worst(scene: &Scene) -> f32 {
        Overlap::new(scene).worst(&Snapshot::start(scene))
    }

    fn ball_at(x: f32) -> BodyDesc {
        BodyDesc::sphere(0.1, 0.1).at(Vec3::X * x)
    }

    #[test]
    fn the_gap_of_surfaces_equals_its_twin() {
        let text = shader::compose("surfaces/narrow_phase").unwrap().text;
        assert!(text.contains(&format!("const THICKNESS: f32 = {SURFACE_GAP};")));
    }

    #[test]
    fn two_balls_overlap_by_what_is_missing_between_their_centers() {
        let mut scene = Scene::default();
        scene.add_body(ball_at(0.0)).unwrap();
        scene.add_body(ball_at(0.17)).unwrap();
        assert!((worst(&scene) - 0.3).abs() < 1e-5, "{}", worst(&scene));
        scene.ignore(BodyId(0), BodyId(1)).unwrap();
        assert_eq!(worst(&scene), 0.0);
    }

    #[test]
    fn boxes_are_measured_by_distance_not_by_particles() {
        let mut scene = Scene::default();
        let cube = BodyDesc::cuboid(Vec3::splat(0.15), 0.05);
        scene.add_body(cube.clone()).unwrap();
        // Shifted by half a lattice step: no particle faces another.
        scene.add_body(cube.at(Vec3::new(0.05, 0.29, 0.05))).unwrap();
        assert!((worst(&scene) - 0.2).abs() < 1e-4, "{}", worst(&scene));
    }

    #[test]
    fn colliders_move_with_time_and_ghosts_pass() {
        let mut scene = Scene::default();
        scene.add_body(ball_at(0.0)).unwrap();
        scene.add_collider(Collider { velocity: Vec3::Y, ..Collider::ground(-0.2) }).unwrap();
        let mut state = Snapshot::start(&scene);
        assert_eq!(Overlap::new(&scene).worst(&state), 0.0);
        state.time = 0.15;
        assert!((Overlap::new(&scene).worst(&state) - 0.5).abs() < 1e-5);
        scene.particles.iter_mut().for_each(|p| p.phase = Phase::GHOST);
        assert_eq!(Overlap::new(&scene).worst(&state), 0.0);
    }

    #[test]
    fn free_particles_meet_each_other_unless_of_one_group() {
        let mut scene = Scene::default();
        for x in [0.0, 0.15] {
            let position = Vec3::X * x;
            let phase = Phase::default();
            let grain = Particle { position, velocity: Vec3::ZERO, radius: 0.1, mass: 1.0, phase };
            scene.add_particle(grain).unwrap();
        }
        assert!((worst(&scene) - 0.5).abs() < 1e-5);
        scene.particles.iter_mut().for_each(|p| p.phase = Phase::default().with_group(3));
        assert_eq!(worst(&scene), 0.0);
    }

    #[test]
    fn liquid_of_an_emitter_is_measured_once_it_is_in_the_world() {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let water = scene.add_liquid(Liquid::water(0.1)).unwrap();
        scene.add_emitter(Emitter { budget: 2, ..Emitter::new("tap", water) }).unwrap();
        // A ceiling far below where they are kept.
        let down = glam::Quat::from_rotation_x(std::f32::consts::PI);
        scene.add_collider(Collider::ground(9.0).rotated(down)).unwrap();
        let mut state = Snapshot::start(&scene);
        assert_eq!(Overlap::new(&scene).worst(&state), 0.0);
        state.particles[0] = Vec3::Y * 0.05;
        assert!((Overlap::new(&scene).worst(&state) - 0.5).abs() < 1e-5);
    }

    #[test]
    fn only_limiters_meet_across_a_joint() {
        let mut scene = Scene::default();
        let half = Vec3::new(0.1, 0.1, 0.2);
        let a = scene.add_body(BodyDesc::cuboid(half, 0.05).at(Vec3::Z * -0.25)).unwrap();
        let b = scene.add_body(BodyDesc::cuboid(half, 0.05).at(Vec3::Z * 0.25)).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, Vec3::ZERO, Vec3::X, 0.05)).unwrap();
        let [_, q] = scene.add_hinge_limiter(JointId(0), Vec3::Y, 0.0).unwrap();
        assert!(worst(&scene) < 1e-5);
        scene.particles[q.0 as usize].position.z -= 0.02;
        assert!((worst(&scene) - 0.4).abs() < 1e-4, "{}", worst(&scene));
    }
}
