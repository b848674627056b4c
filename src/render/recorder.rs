//! Begins the passes of a frame, timed if somebody looks.

use crate::gpu::Timer;

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

    /// Ends the frame's times.
    pub(super) fn finish(self) {
        if let Some(timer) = self.timer {
            timer.end_frame(self.encoder);
        }
    }
}
