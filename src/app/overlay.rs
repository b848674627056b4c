//! egui on top of a frame: input in, triangles out.

use std::sync::Arc;

use winit::event::{Touch, WindowEvent};
use winit::window::Window;

use super::panel::theme;
use crate::gpu::Context;

/// egui's state for one window.
pub(crate) struct Overlay {
    ctx: egui::Context,
    state: egui_winit::State,
    renderer: egui_wgpu::Renderer,
    /// Pixels per point of the monitor, as the window was told last: on X11 [`Window::scale_factor`] stays as it was when the density of
    /// the monitor changes under a window that does not move.
    scale: f32,
    /// What the panel left free of the last picture [points].
    free: Option<egui::Rect>,
    /// Where the pointer, or a finger, is now [pixels]: egui hears of it with the next picture, and a press may come before that.
    pointer: egui::Pos2,
}

impl Overlay {
    /// An overlay for frames of `format`.
    pub(crate) fn new(gpu: &Context, window: &Arc<Window>, format: wgpu::TextureFormat) -> Self {
        let ctx = egui::Context::default();
        theme::apply(&ctx);
        let most = gpu.device.limits().max_texture_dimension_2d as usize;
        let scale = window.scale_factor() as f32;
        let state = egui_winit::State::new(ctx.clone(), egui::ViewportId::ROOT, window, Some(scale), None, Some(most));
        let renderer = egui_wgpu::Renderer::new(&gpu.device, format, egui_wgpu::RendererOptions::default());
        Self { ctx, state, renderer, scale, free: None, pointer: egui::Pos2::ZERO }
    }

    /// Passes an event on.
    pub(crate) fn event(&mut self, window: &Window, event: &WindowEvent) {
        match event {
            WindowEvent::ScaleFactorChanged { scale_factor, .. } => self.scale = *scale_factor as f32,
            WindowEvent::CursorMoved { position, .. } | WindowEvent::Touch(Touch { location: position, .. }) => {
                self.pointer = egui::pos2(position.x as f32, position.y as f32);
            }
            _ => {}
        }
        // What egui would have consumed is asked for by `wants_keys` and `wants_pointer`.
        let _ = self.state.on_window_event(window, event);
    }

    /// Whether somebody is typing into the panel. A button that was clicked has the focus too, and wants no keys.
    pub(crate) fn wants_keys(&self) -> bool {
        self.ctx.text_edit_focused()
    }

    /// Whether the pointer is on the panel.
    pub(crate) fn wants_pointer(&self) -> bool {
        self.covers(self.pointer.x, self.pointer.y)
    }

    /// Pixels per point.
    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    /// Whether a place of the picture [pixels] is on the panel.
    pub(crate) fn covers(&self, x: f32, y: f32) -> bool {
        covers(&self.ctx, self.free, egui::pos2(x, y) / self.ctx.pixels_per_point())
    }

    /// Runs `ui` and draws what it shows over `view`, a frame of `size` pixels.
    pub(crate) fn draw(
        &mut self,
        gpu: &Context,
        window: &Window,
        encoder: &mut wgpu::CommandEncoder,
        (view, size): (&wgpu::TextureView, (u32, u32)),
        mut ui: impl FnMut(&mut egui::Ui),
    ) {
        self.ctx.set_zoom_factor(self.scale / window.scale_factor() as f32);
        let input = self.state.take_egui_input(window);
        let mut free = None;
        let mut output = self.ctx.run_ui(input, |root| {
            ui(root);
            free = Some(root.available_rect_before_wrap());
        });
        self.free = free;
        self.state.handle_platform_output(window, std::mem::take(&mut output.platform_output));
        let deltas = std::mem::take(&mut output.textures_delta);
        for (id, changes) in deltas.set.iter() {
            for change in changes {
                self.renderer.update_texture(&gpu.device, &gpu.queue, *id, change);
            }
        }
        let screen =
            egui_wgpu::ScreenDescriptor { size_in_pixels: [size.0, size.1], pixels_per_point: output.pixels_per_point };
        let triangles = self.ctx.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
        let extra = self.renderer.update_buffers(&gpu.device, &gpu.queue, encoder, &triangles, &screen);
        gpu.queue.submit(extra);
        self.paint(encoder, view, &triangles, &screen);
        let mut deltas = deltas;
        deltas.free.iter().for_each(|id| self.renderer.free_texture(id));
        deltas.clear();
    }

    fn paint(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        triangles: &[egui::ClippedPrimitive],
        screen: &egui_wgpu::ScreenDescriptor,
    ) {
        let target = wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panel"),
            color_attachments: &[Some(target)],
            ..Default::default()
        });
        self.renderer.render(&mut pass.forget_lifetime(), triangles, screen);
    }
}

/// Whether something of the last picture is at a place [points] of which panels left `free` so much.
fn covers(ctx: &egui::Context, free: Option<egui::Rect>, at: egui::Pos2) -> bool {
    let below = |layer: egui::LayerId| layer.order == egui::Order::Background;
    let free = free.is_some_and(|free| free.contains(at));
    !(free && ctx.layer_id_at(at).is_none_or(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_covers_a_place_does_not_wait_for_the_pointer_to_be_drawn() {
        let (ctx, mut free) = (egui::Context::default(), None);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(800.0, 600.0));
        for pointer in [egui::pos2(100.0, 300.0), egui::pos2(700.0, 100.0)] {
            for events in [vec![egui::Event::PointerMoved(pointer)], Vec::new()] {
                let input = egui::RawInput { screen_rect: Some(screen), events, ..Default::default() };
                let output = ctx.run_ui(input, |ui| {
                    egui::Panel::left("panel").exact_size(272.0).show(ui, |ui| ui.label("panel"));
                    let notice = egui::Area::new(egui::Id::unique("notice")).fixed_pos([600.0, 500.0]);
                    notice.show(ui.ctx(), |ui| ui.button("close"));
                    free = Some(ui.available_rect_before_wrap());
                });
                output.drop_without_applying_deltas();
            }
            let at = [[100.0, 300.0], [700.0, 100.0], [605.0, 505.0]];
            assert_eq!(at.map(|[x, y]| covers(&ctx, free, egui::pos2(x, y))), [true, false, true], "{pointer}");
        }
    }
}
