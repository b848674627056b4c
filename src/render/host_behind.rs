//! What a host has drawn, copied for the screen-space passes that draw liquids over it.

use super::canvas::{Canvas, DEPTH_FORMAT};
use super::frame::Frames;
use super::recorder::{Recorder, depth, onto};
use super::targets::Targets;
use crate::gpu::{Context, GpuError, Pipeline, PipelineDesc};

/// How it is copied.
#[derive(Debug)]
pub(super) struct Behind(Pipeline);

impl Behind {
    /// For a host's canvas.
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        let color = wgpu::ColorTargetState { format: canvas.color, blend: None, write_mask: wgpu::ColorWrites::ALL };
        let depth = wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        };
        let desc = PipelineDesc {
            fragment: true,
            overrides: &[("SAMPLES", f64::from(canvas.samples))],
            vertices: &[],
            cull: None,
            targets: &[Some(color)],
            depth: Some(depth),
            multisample: wgpu::MultisampleState::default(),
            reads_samples: canvas.samples > 1,
        };
        Pipeline::new(context, "render/behind", &desc).map(Self)
    }

    /// From a host's colors and depth to picture and depth of `own`.
    pub(super) fn record(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        [host_color, host_depth]: [&wgpu::TextureView; 2],
        own: &Targets,
    ) -> Result<(), GpuError> {
        let given = [("host_color", host_color.into()), ("host_depth", host_depth.into())];
        let given = self.0.bind(context, &given)?;
        let nearest = depth(&own.depth, 0.0, wgpu::StoreOp::Store);
        let mut pass = recorder.render("render/behind", Some(onto(&own.picture)), Some(nearest));
        self.0.set(&mut pass);
        frames.camera.set(&mut pass);
        given.set(&mut pass);
        pass.draw(0..3, 0..1);
        Ok(())
    }
}
