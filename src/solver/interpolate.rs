//! Pictures between two frames: the frame before the last one is kept, and what is drawn is blended from both. Nothing of it runs, and
//! nothing is kept, before it is asked for.

use glam::Quat;

use super::stages::between::{self, BODIES, BUFFERS, KEPT, PARTICLES, PLACE};
use super::{BodyState, Solver, SolverError, SolverView};
use crate::gpu::wgsl::between::between::LEAST_JUMP;
use crate::gpu::{GpuError, wgpu};
use crate::scene::{Collider, Placement, SceneError};

/// What is known of the frame before the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Between {
    /// Whether frames are kept, whether there are buffers for them, and whether these have the frame before the last one.
    on: bool,
    made: bool,
    kept: bool,
    /// Duration of the last frame [s].
    dt: f32,
    /// Where colliders were.
    colliders: Vec<Placement>,
}

impl Between {
    /// The buffers were made anew.
    pub(super) fn unmake(&mut self) {
        (self.made, self.kept) = (false, false);
    }

    /// The last frame does not follow from the one before it.
    pub(super) fn forget(&mut self) {
        self.kept = false;
    }
}

impl Solver {
    /// What a renderer reads to draw the world between two frames: `alpha` is 0 for the frame before the last one, 1 for the last one;
    /// [`Stepper::alpha`](super::Stepper::alpha) tells it. Bodies, particles and the time are blended; what jumps is where it ends up,
    /// and torn edges and velocities are those of the last frame. Does not wait. From the first call on every frame is kept until
    /// the next one, which takes a copy on the GPU; after it, and after something was added for good, the last frame stands for both.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for an `alpha` that is not from 0 to 1, [`SolverError::Gpu`] when the device has no room for the copies.
    pub fn interpolate(&mut self, alpha: f32) -> Result<SolverView<'_>, SolverError> {
        check(alpha)?;
        let mut encoder = self.context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.blend(&mut encoder, alpha)?;
        self.context.submit(encoder);
        self.view_between(alpha)
    }

    /// As [`Solver::interpolate`], into the encoder of a host program: after the frame that [`Solver::record`] put there, and once a
    /// submission, because `alpha` is uploaded, not recorded.
    ///
    /// # Errors
    /// As there.
    pub fn record_interpolated(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        alpha: f32,
    ) -> Result<SolverView<'_>, SolverError> {
        check(alpha)?;
        self.blend(encoder, alpha)?;
        self.view_between(alpha)
    }

    fn blend(&mut self, encoder: &mut wgpu::CommandEncoder, alpha: f32) -> Result<(), SolverError> {
        self.between.on = true;
        self.make_between()?;
        if !self.between.kept {
            self.copy_before(encoder, 0.0)?;
        }
        between::write(&self.buffers, alpha)?;
        let world = self.stages.particles.world;
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        let threads = [(&BODIES, world.bodies), (&PARTICLES, world.particles), (&PLACE, world.on_bodies())];
        for (of, threads) in threads {
            self.bound[of.name].kernel.dispatch(&mut pass, threads, 0);
        }
        Ok(())
    }

    fn view_between(&self, alpha: f32) -> Result<SolverView<'_>, SolverError> {
        let passed = f64::from((1.0 - alpha) * self.between.dt);
        Ok(SolverView {
            bodies: self.buffers.get("bodies_between")?,
            particles: self.buffers.get("particles_between")?,
            time: self.time - passed,
            ..self.view()
        })
    }

    /// Where colliders are between two frames, in the order of the scene: what a renderer's `place_colliders` takes beside the view of
    /// [`Solver::interpolate`].
    ///
    /// # Errors
    /// [`SolverError::Scene`] for an `alpha` that is not from 0 to 1.
    pub fn interpolate_colliders(&self, alpha: f32) -> Result<Vec<Placement>, SolverError> {
        check(alpha)?;
        let now = self.scene.colliders.iter().map(placement);
        let before = if self.between.kept { self.between.colliders.as_slice() } else { &[] };
        let farthest = self.scene.params.max_speed * self.between.dt + LEAST_JUMP;
        let on_its_way = |(i, now): (usize, Placement)| {
            let before = before.get(i).filter(|before| before.position.distance(now.position) <= farthest);
            before.map_or(now, |before| mix(before, &now, alpha))
        };
        Ok(now.enumerate().map(on_its_way).collect())
    }

    /// Bodies from `first` on were put elsewhere: they are not shown on their way.
    pub(super) fn jump_bodies(&self, first: usize, states: &[BodyState]) -> Result<(), GpuError> {
        if self.between.kept { self.buffers.upload("bodies_before", first, states) } else { Ok(()) }
    }

    /// The same of particles.
    pub(super) fn jump_particles(&self, first: usize, places: &[[f32; 4]]) -> Result<(), GpuError> {
        if self.between.kept { self.buffers.upload("particles_before", first, places) } else { Ok(()) }
    }

    /// A collider was put elsewhere, and so was what is drawn of it.
    pub(super) fn jump_collider(&mut self, index: usize) {
        if let Some(before) = self.between.colliders.get_mut(index) {
            *before = placement(&self.scene.colliders[index]);
        }
    }

    /// Keeps frames no more, until something is to be drawn between two again.
    pub fn stop_interpolating(&mut self) {
        self.between = Default::default();
        for name in BUFFERS {
            self.buffers.remove(name);
        }
        for pass in [&BODIES, &PARTICLES, &PLACE] {
            self.bound.remove(pass.name);
        }
    }

    /// Keeps the last frame, before the next one is encoded.
    pub(super) fn keep_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if !self.between.on {
            return;
        }
        let dt = self.scene.params.dt;
        if let Err(error) = self.make_between().and_then(|()| self.copy_before(encoder, dt)) {
            log::error!("the last frame is not kept, so nothing is blended: {error}");
            self.between = Default::default();
        }
    }

    fn make_between(&mut self) -> Result<(), SolverError> {
        if self.between.made {
            return Ok(());
        }
        between::create(&mut self.buffers)?;
        self.bind_passes(&[&BODIES, &PARTICLES, &PLACE], Vec::new())?;
        self.between.made = true;
        Ok(())
    }

    /// Copies what is there now; the frame that follows is so long [s].
    fn copy_before(&mut self, encoder: &mut wgpu::CommandEncoder, dt: f32) -> Result<(), SolverError> {
        for (from, to) in KEPT {
            let (from, to) = (self.buffers.get(from)?, self.buffers.get(to)?);
            encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        }
        self.between.colliders = self.scene.colliders.iter().map(placement).collect();
        (self.between.dt, self.between.kept) = (dt, true);
        Ok(())
    }
}

fn check(alpha: f32) -> Result<(), SolverError> {
    if (0.0..=1.0).contains(&alpha) {
        return Ok(());
    }
    let (item, field, allowed) = ("interpolation".into(), "alpha", "from 0 to 1");
    Err(SceneError::Number { item, field, value: alpha, allowed }.into())
}

fn placement(collider: &Collider) -> Placement {
    Placement { position: collider.position, rotation: collider.rotation }
}

fn mix(before: &Placement, now: &Placement, alpha: f32) -> Placement {
    let rotation: Quat = before.rotation.lerp(now.rotation, alpha);
    Placement { position: before.position.lerp(now.position, alpha), rotation }
}
