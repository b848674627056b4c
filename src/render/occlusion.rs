//! Ambient occlusion: how much ambient light reaches visible points.

use super::canvas::Canvas;
use super::frame::Frames;
use super::recipe::{Onto, Recipe};
use super::recorder::Recorder;
use super::targets::{OCCLUSION_FORMAT, Targets};
use crate::gpu::{Context, GpuError, Pipeline};

/// How it is found and smoothed.
#[derive(Debug)]
pub(super) struct Occlusion {
    find: Pipeline,
    smooth: Pipeline,
}

impl Occlusion {
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        let make = |shader| Recipe::plain(shader, Onto::texture(OCCLUSION_FORMAT)).make(context, canvas);
        Ok(Self { find: make("render/occlusion")?, smooth: make("render/smooth")? })
    }

    /// From the depth of the picture to `targets.occlusion`.
    pub(super) fn record(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        targets: &Targets,
    ) -> Result<(), GpuError> {
        let [found, smooth] = &targets.occlusion;
        let depth = self.find.bind(context, &[("depth", (&targets.depth).into())])?;
        recorder.cover("render/occlusion", found, &self.find, &[&frames.camera, &depth]);
        let rough = self.smooth.bind(context, &[("occlusion", found.into())])?;
        recorder.cover("render/smooth", smooth, &self.smooth, &[&frames.camera, &rough]);
        Ok(())
    }
}
