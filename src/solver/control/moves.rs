//! Bodies that the host puts elsewhere together with what they wear.

use std::ops::Range;

use glam::Vec3;

use crate::scene::{BodyId, BodyMove, Placement, Scene, Worn, is_stored};
use crate::solver::edits::pools::wide;
use crate::solver::stages::rows::{BodyState, vec4};
use crate::solver::{Solver, SolverError};

/// What is moved by one motion.
struct Move {
    by: Placement,
    /// Bodies that nothing holds.
    bodies: Vec<BodyId>,
    /// Particles of garments.
    clothes: Vec<Range<usize>>,
}

/// Where everything is.
#[derive(Default)]
struct Now {
    bodies: Vec<BodyState>,
    particles: Vec<[f32; 4]>,
    velocities: Vec<[f32; 4]>,
}

impl Solver {
    /// Puts bodies elsewhere, with the clothes that they wear. Bodies that are held or out of the world are left out, but for what they
    /// wear. What was tied to them and what was near them wakes. Waits for the GPU once, if there is something to move.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene, [`SolverError::Scene`] for a motion that is not finite,
    /// [`SolverError::Gpu`] for a lost device, and in a browser outside of a [`gpu::Attempt`](crate::gpu::Attempt). Then nothing moves.
    pub fn move_bodies(&mut self, moves: &[BodyMove]) -> Result<(), SolverError> {
        for BodyMove { bodies, by } in moves {
            for id in bodies {
                let name = &self.scene.bodies[self.body_index(*id)?].name;
                Scene::check_pose(name, by.position, by.rotation, Vec3::ZERO, Vec3::ZERO)?;
            }
        }
        // In most frames there is nothing to wait for.
        if moves.iter().all(|all| all.bodies.is_empty()) {
            return Ok(());
        }
        // What has left its hold already is held no more, whoever has heard of it.
        self.find_struck()?;
        let moves: Vec<Move> = moves.iter().map(|all| self.moved(all)).collect();
        let mut now = self.read_moved(&moves)?;
        for Move { by, bodies, clothes } in moves {
            for id in bodies {
                let state = &mut now.bodies[id.0 as usize];
                let at = by.then(&state.placement());
                let [velocity, spin] = [state.velocity, state.angular_velocity].map(|v| by.rotation * Vec3::from(v));
                (state.center, state.rotation) = (at.position.to_array(), at.rotation.to_array());
                (state.velocity, state.angular_velocity) = (velocity.to_array(), spin.to_array());
                self.set_body_pose(id, at.position, at.rotation, velocity, spin)?;
            }
            for cloth in clothes {
                let (places, velocities) = (&mut now.particles[cloth.clone()], &mut now.velocities[cloth.clone()]);
                places.iter_mut().zip(velocities.iter_mut()).for_each(|(place, velocity)| carry(&by, place, velocity));
                self.put_particles(cloth.start, places, velocities)?;
                self.hurry();
                self.search_again()?;
            }
        }
        Ok(())
    }

    /// Reads what these motions need, and nothing else.
    fn read_moved(&self, moves: &[Move]) -> Result<Now, SolverError> {
        let bodies = moves.iter().any(|one| !one.bodies.is_empty());
        let clothes = moves.iter().any(|one| !one.clothes.is_empty());
        let names = [("bodies", bodies), ("particles", clothes), ("particle_velocities", clothes)];
        self.buffers.foresee(&names.into_iter().filter_map(|(name, read)| read.then_some(name)).collect::<Vec<_>>());
        let mut now = Now::default();
        if bodies {
            now.bodies = self.read_bodies()?;
        }
        if clothes {
            (now.particles, now.velocities) = (self.read_particles()?, self.read_particle_velocities()?);
        }
        Ok(now)
    }

    fn moved(&self, all: &BodyMove) -> Move {
        let present = |id: &BodyId| !self.scene.body(*id).removed;
        let wearers: Vec<BodyId> = all.bodies.iter().copied().filter(present).collect();
        let worn = |worn: &&Worn| worn.follows.iter().flat_map(|f| &f.of).any(|(body, ..)| wearers.contains(body));
        let particles = |worn: &Worn| self.scene.deformables[worn.cloth.0 as usize].ranges();
        Move {
            by: Placement { rotation: all.by.rotation.normalize(), ..all.by },
            clothes: self.scene.worn.iter().filter(worn).flat_map(particles).map(|range| wide(&range)).collect(),
            bodies: wearers.iter().copied().filter(|id| !self.targets.contains(id.0 as usize)).collect(),
        }
    }
}

/// Moves a particle, if it is in the world, and turns its velocity.
fn carry(by: &Placement, place: &mut [f32; 4], velocity: &mut [f32; 4]) {
    let [at, moving] = [&*place, &*velocity].map(|row| Vec3::from_slice(&row[..3]));
    if !is_stored(at) {
        (*place, *velocity) = (vec4(by.point(at), place[3]), vec4(by.rotation * moving, velocity[3]));
    }
}
