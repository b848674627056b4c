//! The finished picture in the caller's format.

use super::frame::Frames;
use super::recipe::{Onto, Recipe};
use super::recorder::Recorder;
use super::targets::Targets;
use crate::gpu::{Context, GpuError, Group, Pipeline};

/// How it is copied there.
#[derive(Debug)]
pub(super) struct Present(Pipeline);

impl Present {
    /// For targets of `format`.
    pub(super) fn new(context: &Context, format: wgpu::TextureFormat) -> Result<Self, GpuError> {
        Recipe::plain("render/present", Onto::Target(format)).make(context).map(Self)
    }

    /// Copies the picture to `target`.
    pub(super) fn record(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        targets: &Targets,
        target: &wgpu::TextureView,
    ) -> Result<(), GpuError> {
        let picture = picture(context, &self.0, targets)?;
        recorder.cover("render/present", target, &self.0, &[&frames.camera, &picture]);
        Ok(())
    }
}

/// The variables of `shaders/render/finish.wgsl`, for a pipeline whose shader imports it.
pub(super) fn picture(context: &Context, pipeline: &Pipeline, targets: &Targets) -> Result<Group, GpuError> {
    let given = [
        ("picture", (&targets.picture).into()),
        ("depth", (&targets.depth).into()),
        ("occlusion", (&targets.occlusion[1]).into()),
    ];
    pipeline.bind(context, &given)
}
