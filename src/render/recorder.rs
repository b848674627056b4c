//! Begins the passes of a frame, with timestamps if requested.

use crate::gpu::{Group, Pipeline, Timer};

/// The encoder of a frame and the timer of its passes.
pub(super) struct Recorder<'e> {
    encoder: &'e mut wgpu::CommandEncoder,
    timer: Option<&'e mut Timer>,
}

impl<'e> Recorder<'e> {
    pub(super) fn new(encoder: &'e mut wgpu::CommandEncoder, mut timer: Option<&'e mut Timer>) -> Self {
        timer.iter_mut().for_each(|timer| timer.begin_frame());
        Self { encoder, timer }
    }

    pub(super) fn compute(&mut self, label: &'static str) -> wgpu::ComputePass<'_> {
        match &mut self.timer {
            Some(timer) => timer.compute_pass(self.encoder, label),
            None => {
                let descriptor = wgpu::ComputePassDescriptor { label: Some(label), timestamp_writes: None };
                self.encoder.begin_compute_pass(&descriptor)
            }
        }
    }

    pub(super) fn render(
        &mut self,
        label: &'static str,
        color: Option<wgpu::RenderPassColorAttachment<'_>>,
        depth: Option<wgpu::RenderPassDepthStencilAttachment<'_>>,
    ) -> wgpu::RenderPass<'_> {
        let colors = [color];
        self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: if colors[0].is_some() { &colors } else { &[] },
            depth_stencil_attachment: depth,
            timestamp_writes: self.timer.as_mut().and_then(|timer| timer.render_writes(label)),
            ..Default::default()
        })
    }

    /// A pass of one triangle over every pixel of `target`.
    pub(super) fn cover(
        &mut self,
        label: &'static str,
        target: &wgpu::TextureView,
        pipeline: &Pipeline,
        groups: &[&Group],
    ) {
        let mut pass = self.render(label, Some(onto(target)), None);
        pipeline.set(&mut pass);
        groups.iter().for_each(|group| group.set(&mut pass));
        pass.draw(0..3, 0..1);
    }

    /// Ends the frame's times.
    pub(super) fn finish(self) {
        if let Some(timer) = self.timer {
            timer.end_frame(self.encoder);
        }
    }
}

/// A target that starts black.
pub(super) fn onto(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops: wgpu::Operations::default() }
}

/// A target that keeps what it holds.
pub(super) fn onto_kept(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    let ops = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
    wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops }
}

/// Depth that keeps what it holds.
pub(super) fn depth_kept(view: &wgpu::TextureView) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    let ops = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
    wgpu::RenderPassDepthStencilAttachment { view, depth_ops: Some(ops), stencil_ops: None }
}

/// Depth that starts at `clear`.
pub(super) fn depth(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store };
    wgpu::RenderPassDepthStencilAttachment { view, depth_ops: Some(ops), stencil_ops: None }
}
