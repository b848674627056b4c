//! The state of a world at one time, as read back: what every measure is taken from.

use glam::{Quat, Vec3};

use crate::scene::{Scene, is_stored};
use crate::solver::{BodyState, Solver, SolverError};

/// State of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Center of mass [m].
    pub center: Vec3,
    /// Orientation; zero when the body was removed.
    pub rotation: Quat,
    /// Velocity of the center [m/s].
    pub velocity: Vec3,
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3,
}

impl Pose {
    /// A point of the body's frame in the world [m].
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.center + self.rotation * local
    }

    /// Whether the body was taken out of the world.
    pub fn is_removed(&self) -> bool {
        self.rotation == Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)
    }

    fn is_finite(&self) -> bool {
        self.center.is_finite()
            && self.rotation.is_finite()
            && self.velocity.is_finite()
            && self.angular_velocity.is_finite()
    }
}

impl From<&BodyState> for Pose {
    fn from(row: &BodyState) -> Self {
        Self {
            center: row.center.into(),
            rotation: Quat::from_array(row.rotation),
            velocity: row.velocity.into(),
            angular_velocity: row.angular_velocity.into(),
        }
    }
}

fn xyz(row: [f32; 4]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

/// A world at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Time since the start [s].
    pub time: f64,
    /// Bodies, shape [body_count].
    pub bodies: Vec<Pose>,
    /// Particle positions [m], shape [particle_count].
    pub particles: Vec<Vec3>,
    /// Particle velocities over the last frame [m/s], shape [particle_count].
    pub particle_velocities: Vec<Vec3>,
}

impl Snapshot {
    /// The state that `scene` starts in.
    pub fn start(scene: &Scene) -> Self {
        let pose = |b: &crate::scene::Body| Pose {
            center: b.position,
            rotation: if b.removed { Quat::from_xyzw(0.0, 0.0, 0.0, 0.0) } else { b.rotation },
            velocity: b.velocity,
            angular_velocity: b.angular_velocity,
        };
        Self {
            time: 0.0,
            bodies: scene.bodies.iter().map(pose).collect(),
            particles: scene.particles.iter().map(|p| p.position).collect(),
            particle_velocities: scene.particles.iter().map(|p| p.velocity).collect(),
        }
    }

    /// The state of a world now; velocities of particles are those that the solver has.
    ///
    /// # Errors
    /// [`SolverError::Gpu`] when the device is lost.
    pub fn read(solver: &Solver) -> Result<Self, SolverError> {
        Ok(Self {
            time: solver.view().time,
            bodies: solver.read_bodies()?.iter().map(Pose::from).collect(),
            particles: solver.read_positions()?,
            particle_velocities: solver.read_velocities()?,
        })
    }

    /// The state at a time [s] from rows that the solver gave, with nothing known of the frame before.
    pub(super) fn at(time: f64, bodies: &[BodyState], particles: &[[f32; 4]]) -> Self {
        Self {
            time,
            bodies: bodies.iter().map(Pose::from).collect(),
            particles: particles.iter().map(|p| xyz(*p)).collect(),
            particle_velocities: vec![Vec3::ZERO; particles.len()],
        }
    }

    /// The state one frame of `dt` [s] later, from the rows that the solver gave back.
    #[must_use]
    pub fn next(&self, bodies: &[BodyState], particles: &[[f32; 4]], dt: f32) -> Self {
        let now: Vec<Vec3> = particles.iter().map(|p| xyz(*p)).collect();
        Self {
            time: self.time + f64::from(dt),
            bodies: bodies.iter().map(Pose::from).collect(),
            particle_velocities: now.iter().zip(&self.particles).map(|(x, old)| moved(*x, *old) / dt).collect(),
            particles: now,
        }
    }

    /// Bodies and particles with a number that is not finite.
    pub fn non_finite(&self) -> u32 {
        let bodies = self.bodies.iter().filter(|b| !b.is_finite()).count();
        (bodies + self.particles.iter().filter(|p| !p.is_finite()).count()) as u32
    }

    /// Bodies whose center, and free particles of `scene`, that lie outside the world box of half side `extent` [m].
    pub fn outside(&self, scene: &Scene, extent: f32) -> u32 {
        let out = |p: Vec3| p.abs().max_element() > extent && !is_stored(p);
        let bodies = self.bodies.iter().filter(|b| !b.is_removed() && out(b.center)).count();
        let free = free_particles(scene).filter(|i| out(self.particles[*i])).count();
        (bodies + free) as u32
    }
}

/// Indices of the particles that no body owns.
pub fn free_particles(scene: &Scene) -> impl Iterator<Item = usize> {
    let mut free = vec![true; scene.particles.len()];
    for link in scene.bodies.iter().flat_map(|b| &b.links) {
        free[link.particle.0 as usize] = false;
    }
    free.into_iter().enumerate().filter_map(|(i, free)| free.then_some(i))
}

/// How far a particle moved; what enters or leaves the world does not.
fn moved(now: Vec3, before: Vec3) -> Vec3 {
    if is_stored(now) || is_stored(before) { Vec3::ZERO } else { now - before }
}

/// FNV-1a, 64 bits, of the bit patterns of the rows: equal states, and no others, are meant to give equal hashes.
pub fn state_hash(bodies: &[BodyState], particles: &[[f32; 4]]) -> u64 {
    let bytes = bytemuck::cast_slice::<_, u8>(bodies).iter().chain(bytemuck::cast_slice::<_, u8>(particles));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f32) -> BodyState {
        BodyState { center: [x, 0.0, 0.0], inv_mass: 1.0, rotation: [0.0, 0.0, 0.0, 1.0], ..BodyState::default() }
    }

    #[test]
    fn the_hash_is_fnv_and_sees_every_bit() {
        assert_eq!(state_hash(&[], &[]), 0xcbf2_9ce4_8422_2325);
        // FNV-1a of sixteen zero bytes: the offset basis times the prime, sixteen times.
        let expected = (0..16).fold(0xcbf2_9ce4_8422_2325_u64, |h, _| h.wrapping_mul(0x0000_0100_0000_01b3));
        assert_eq!(state_hash(&[], &[[0.0; 4]]), expected);
        assert_ne!(state_hash(&[row(1.0)], &[]), state_hash(&[row(1.0 + f32::EPSILON)], &[]));
        assert_ne!(state_hash(&[], &[[0.0; 4]]), state_hash(&[], &[[-0.0, 0.0, 0.0, 0.0]]));
    }

    #[test]
    fn time_is_that_of_the_world_after_many_frames() {
        let dt = 1.0 / 60.0_f32;
        let start = Snapshot::start(&Scene::default());
        let end = (0..100_000).fold(start, |state, _| state.next(&[], &[], dt));
        assert!((end.time - 1e5 / 60.0).abs() < 1e-3, "{} s", end.time);
    }

    #[test]
    fn velocities_come_from_two_frames_and_bad_numbers_are_counted() {
        let start = Snapshot {
            time: 0.0,
            bodies: vec![Pose::from(&row(0.0))],
            particles: vec![Vec3::ZERO],
            particle_velocities: vec![Vec3::ZERO],
        };
        let next = start.next(&[row(1.0)], &[[0.5, 0.0, 0.0, 0.1]], 0.25);
        assert_eq!((next.time, next.particle_velocities[0]), (0.25, Vec3::X * 2.0));
        assert_eq!(next.non_finite(), 0);
        assert_eq!(next.next(&[row(f32::NAN)], &[[f32::INFINITY, 0.0, 0.0, 0.1]], 0.25).non_finite(), 2);
        let scene = Scene::default();
        assert_eq!((next.outside(&scene, 2.0), next.outside(&scene, 0.9)), (0, 1));
    }
}
