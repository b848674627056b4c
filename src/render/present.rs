//! The finished picture in the caller's format.

use super::canvas::Canvas;
use super::frame::Frames;
use super::quality::Quality;
use super::recipe::{Onto, Recipe};
use super::recorder::Recorder;
use super::targets::{Targets, smooth_sampler};
use crate::gpu::{Context, GpuError, Group, Pipeline};

/// How it gets there.
#[derive(Debug)]
pub(super) enum Present {
    /// Pixel by pixel, shaded by ambient occlusion, with smooth edges.
    Copy(Pipeline, wgpu::Sampler),
    /// From fewer pixels.
    Stretch(Pipeline, wgpu::Sampler),
}

impl Present {
    /// For pictures on a canvas and targets of `format`.
    pub(super) fn new(context: &Context, canvas: Canvas, format: wgpu::TextureFormat) -> Result<Self, GpuError> {
        let make = |shader| Recipe::plain(shader, Onto::Target(format)).make(context, canvas);
        let sampler = smooth_sampler(context);
        Ok(match canvas.quality {
            Quality::Low => Self::Stretch(make("render/stretch")?, sampler),
            Quality::High => Self::Copy(make("render/present")?, sampler),
        })
    }

    /// Shows `shown`, which is one of `targets`, in `target`.
    pub(super) fn record(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        (targets, shown): (&Targets, &wgpu::TextureView),
        target: &wgpu::TextureView,
    ) -> Result<(), GpuError> {
        let (name, pipeline, given) = match self {
            Self::Copy(pipeline, sampler) => {
                ("render/present", pipeline, picture(context, pipeline, (targets, sampler))?)
            }
            Self::Stretch(pipeline, sampler) => {
                let given = [("small_picture", shown.into()), ("screen_sampler", sampler.into())];
                ("render/stretch", pipeline, pipeline.bind(context, &given)?)
            }
        };
        recorder.cover(name, target, pipeline, &[&frames.camera, &given]);
        Ok(())
    }
}

/// The variables of `shaders/render/finish.wgsl`, for a pipeline whose shader imports it.
pub(super) fn picture(
    context: &Context,
    pipeline: &Pipeline,
    (targets, sampler): (&Targets, &wgpu::Sampler),
) -> Result<Group, GpuError> {
    let given = [
        ("picture", (&targets.picture).into()),
        ("depth", (&targets.depth).into()),
        ("occlusion", (&targets.occlusion[1]).into()),
        ("screen_sampler", sampler.into()),
    ];
    pipeline.bind(context, &given)
}
