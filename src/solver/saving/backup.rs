//! A world in the host's memory, from which it goes on when its device is lost.

use std::sync::Arc;

use super::bytes::adapter;
use crate::gpu::{Context, GpuError, wgpu};
use crate::scene::Scene;
use crate::solver::readback::late::{Late, Source};
use crate::solver::{Solver, SolverError, State};

/// A moment of a world in the host's memory, taken anew every so many frames: what was on a device that is lost cannot be read any more.
///
/// ```no_run
/// # use sinew::{gpu::Context, scene::Scene, solver::{Backup, Solver}};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (mut context, scene) = (Context::headless(None)?, Scene::default());
/// let mut solver = Solver::new(&context, &scene)?;
/// let mut backup = Backup::new(120);
/// loop {
///     solver.step();
///     if context.is_lost() {
///         context = Context::headless(None)?;
///         solver = match backup.restore(&context)? {
///             Some(solver) => solver,
///             None => Solver::new(&context, &scene)?, // nothing was kept yet
///         };
///     }
///     backup.record(&solver)?;
/// }
/// # }
/// ```
#[derive(Debug)]
pub struct Backup {
    every: u64,
    /// Room on the device for a moment, used again.
    state: Option<State>,
    coming: Option<Coming>,
    kept: Option<Kept>,
    /// The frame before which the last moment was taken.
    taken: Option<u64>,
}

/// A moment on its way.
#[derive(Debug)]
struct Coming {
    late: Late,
    state: State,
    scene: Arc<Scene>,
    /// How often the scene had changed by then.
    revision: u64,
}

/// A moment that is here.
#[derive(Debug)]
struct Kept {
    bytes: Vec<u8>,
    scene: Arc<Scene>,
    revision: u64,
    frame: u64,
}

/// Of a texture of four words a texel.
fn bytes_of(texture: &wgpu::Texture) -> u64 {
    16 * u64::from(texture.width()) * u64::from(texture.height())
}

impl Backup {
    /// Takes a moment every so many frames, at least 1. Each copies all that the world has on the device, there and then to the host.
    pub fn new(every: u64) -> Self {
        Self { every: every.max(1), state: None, coming: None, kept: None, taken: None }
    }

    /// Before a frame: takes the moment if it is time, and takes in what has come back of the last one. Never waits. Returns whether it
    /// takes this one: what else belongs to it, such as a [`Cast`](crate::animation::Cast), is to be cloned beside.
    ///
    /// # Errors
    /// The device has no room for it, or is lost; then the last moment is still there.
    pub fn record(&mut self, solver: &Solver) -> Result<bool, SolverError> {
        if solver.context.is_lost() {
            return Err(GpuError::Lost("what it has cannot be kept any more".into()).into());
        }
        if let Some(coming) = self.coming.take_if(|coming| coming.late.is_here()) {
            self.take_in(coming, solver)?;
        }
        let frame = solver.frame;
        // After a restore frames count from before.
        let due = self.taken.is_none_or(|taken| frame >= taken + self.every || frame < taken);
        let takes = due && self.coming.is_none();
        if takes {
            self.coming = Some(self.send(solver)?);
            self.taken = Some(frame);
        }
        Ok(takes)
    }

    /// The frame that the world goes on with after [`Backup::restore`]; none before the first moment has come back.
    pub fn frame(&self) -> Option<u64> {
        self.kept.as_ref().map(|kept| kept.frame)
    }

    /// Bytes of the moment that is kept; 0 without one.
    pub fn bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.bytes.len())
    }

    /// The world on this device as it was at the last moment that has come back, to the bit; none before the first one. The device is of the
    /// same adapter.
    ///
    /// # Errors
    /// As of [`Solver::new`] and [`State::from_bytes`].
    pub fn restore(&mut self, context: &Context) -> Result<Option<Solver>, SolverError> {
        // What is on its way never comes.
        (self.state, self.coming, self.taken) = (None, None, None);
        let Some(kept) = &self.kept else { return Ok(None) };
        let mut solver = Solver::new(context, &kept.scene)?;
        let state = State::from_bytes(&kept.bytes, &solver)?;
        solver.restore(&state)?;
        Ok(Some(solver))
    }

    fn take_in(&mut self, coming: Coming, solver: &Solver) -> Result<(), SolverError> {
        let Coming { late, state, scene, revision } = coming;
        let mut rows = late.receive().ok_or_else(|| GpuError::Lost("before a moment of the world came back".into()))?;
        // A state has its buffers first.
        rows.rotate_left(state.on_device().1.into_iter().map(bytes_of).sum::<u64>() as usize);
        let bytes = state.with_rows(&rows, adapter(&solver.context), &scene)?;
        self.kept = Some(Kept { bytes, scene, revision, frame: state.frame() });
        self.state = Some(state);
        Ok(())
    }

    fn send(&mut self, solver: &Solver) -> Result<Coming, SolverError> {
        let state = match self.state.take() {
            Some(mut state) => {
                solver.save_into(&mut state)?;
                state
            }
            None => solver.save()?,
        };
        let revision = solver.revision();
        let scene = match &self.kept {
            Some(kept) if kept.revision == revision => Arc::clone(&kept.scene),
            _ => Arc::new(solver.scene().clone()),
        };
        let (parts, textures) = state.on_device();
        let size = parts.iter().map(|part: &Source<'_>| part.size).sum::<u64>()
            + textures.iter().copied().map(bytes_of).sum::<u64>();
        let most = solver.context.device.limits().max_buffer_size;
        if size > most {
            let reason = format!("a moment of the world has {size} bytes, the device allows {most}");
            return Err(GpuError::Buffer { name: "backup".into(), reason }.into());
        }
        let late = solver.context.checked("backup", || Late::new(&solver.context, "backup", size))?;
        solver.context.run("backup", |encoder| late.send_all(encoder, &parts, &textures));
        Ok(Coming { late, state, scene, revision })
    }
}
