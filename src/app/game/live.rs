//! A game in its window: events in, frames out.

use std::time::Duration;

use anyhow::{Error, Result, bail};
use glam::Vec2;
use web_time::Instant;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::PhysicalKey;

use super::callbacks::{Game, GameError};
use super::input::Input;
use crate::app::caption;
use crate::app::clock::Clock;
use crate::app::event_loop::Shown;
use crate::app::keys;
use crate::app::overlay::Overlay;
use crate::app::pointer::notches;
use crate::app::window::{Display, RETRY};
use crate::app::world::tell_of;
use crate::gpu::{Choice, Context};
use crate::render::{Quality, Renderer};

/// Everything behind the window of a game.
pub(super) struct LiveGame<G> {
    display: Display,
    ctx: Context,
    game: G,
    renderer: Renderer,
    overlay: Overlay,
    /// For steps, and for pictures.
    inputs: [Input; 2],
    clock: Clock,
    last: Instant,
}

impl<G: Game> LiveGame<G> {
    /// Opens the window and builds the game on its device.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        title: &str,
        adapter: &Choice,
        make: impl FnOnce(&Context) -> Result<G, GameError>,
    ) -> Result<Self> {
        let (display, ctx) = Display::open(event_loop, adapter, None)?;
        display.window.set_title(title);
        let mut game = make(&ctx).map_err(Error::from_boxed)?;
        let scene = game.solver().scene();
        let renderer = Renderer::with_quality(&ctx, scene, display.format(), Quality::of(&ctx))?;
        let overlay = Overlay::new(&ctx, &display.window, display.format());
        let (inputs, clock, last) = (Default::default(), Clock::default(), Instant::now());
        Ok(Self { display, ctx, game, renderer, overlay, inputs, clock, last })
    }

    /// Calls the game as often as is due.
    fn simulate(&mut self, elapsed: Duration) -> Result<u32> {
        self.clock.speed = self.game.time_scale();
        let dt = self.game.solver().params().dt;
        let steps = self.clock.steps(elapsed, dt);
        for _ in 0..steps {
            self.game.step(&self.inputs[0]).map_err(Error::from_boxed)?;
            self.inputs[0].seen();
        }
        if self.clock.speed == 0.0 {
            // Nobody means what was done while time stood still for when it goes on.
            self.inputs[0].seen();
        }
        Ok(steps)
    }

    /// Draws; where it is measured, waits for the picture.
    fn draw(&mut self, frame: wgpu::SurfaceTexture, measured: bool) -> Result<()> {
        let begun = Instant::now();
        let size = self.display.size();
        let target = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.ctx.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let Self { display, ctx, game, renderer, overlay, clock, .. } = self;
        let (camera, options, alpha) = (game.camera(), game.options(), clock.stepper.alpha());
        renderer.sync(game.solver())?;
        if let Some(cast) = game.cast() {
            tell_of(cast, renderer);
        }
        let solver = game.solver();
        renderer.place_colliders(&solver.interpolate_colliders(alpha)?);
        renderer.draw(&mut encoder, &target, size, &camera, &solver.interpolate(alpha)?, &options)?;
        let words = game.caption();
        overlay.draw(ctx, &display.window, &mut encoder, (&target, size), |ui| {
            game.panels(ui);
            if !words.is_empty() {
                caption::show(ui, &words, 0.0);
            }
        });
        self.ctx.submit(encoder);
        if measured {
            self.ctx.wait()?;
            self.clock.meter.drew(begun.elapsed());
        }
        self.display.window.pre_present_notify();
        self.ctx.queue.present(frame);
        Ok(())
    }

    /// Draws with less work where drawing is slow.
    fn lower_quality(&mut self) -> Result<()> {
        if self.renderer.quality() == Quality::High && self.clock.meter.draws_slowly() {
            self.clock.meter.forget();
            let scene = self.game.solver().scene();
            self.renderer = Renderer::with_quality(&self.ctx, scene, self.display.format(), Quality::Low)?;
        }
        Ok(())
    }
}

impl<G: Game> Shown for LiveGame<G> {
    fn request_redraw(&self) {
        self.display.window.request_redraw();
    }

    fn event(&mut self, event: &WindowEvent) {
        if keys::was_down_before(event) {
            return;
        }
        self.overlay.event(&self.display.window, event);
        if matches!(event, WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. }) {
            self.display.resized();
        }
        let on_panels = (self.overlay.wants_keys(), self.overlay.wants_pointer());
        self.inputs.iter_mut().for_each(|input| hear(input, event, on_panels));
    }

    fn frame(&mut self) -> Result<Option<Duration>> {
        match self.next_frame() {
            Err(error) if self.ctx.is_lost() => self.reopen(&error).map(Some),
            went => went,
        }
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<G: Game> LiveGame<G> {
    /// Goes on on another device, after that of the window was lost. Returns how long to wait before the next frame.
    fn reopen(&mut self, error: &Error) -> Result<Duration> {
        let Some(ctx) = self.display.reopen()? else { return Ok(RETRY) };
        self.ctx = ctx;
        log::warn!("{error:#}");
        self.overlay = Overlay::new(&self.ctx, &self.display.window, self.display.format());
        self.game.device_lost(&self.ctx).map_err(Error::from_boxed)?;
        let (scene, quality) = (self.game.solver().scene(), self.renderer.quality());
        self.renderer = Renderer::with_quality(&self.ctx, scene, self.display.format(), quality)?;
        self.clock.meter.forget();
        Ok(Duration::ZERO)
    }

    fn next_frame(&mut self) -> Result<Option<Duration>> {
        if self.ctx.is_lost() {
            bail!("the graphics device was lost");
        }
        let elapsed = self.last.elapsed();
        self.last = Instant::now();
        let (camera, size) = (self.game.camera(), self.display.size());
        self.inputs.iter_mut().for_each(|input| input.look_from(&camera, size));
        self.game.frame(&self.inputs[1]).map_err(Error::from_boxed)?;
        self.inputs[1].seen();
        let measured = self.clock.meter.is_due(self.last);
        if measured {
            // What is left of earlier frames.
            self.ctx.wait()?;
        }
        let begun = Instant::now();
        let steps = self.simulate(elapsed)?;
        if measured {
            self.ctx.wait()?;
            self.clock.meter.stepped(begun.elapsed(), steps);
        }
        if self.ctx.is_lost() {
            bail!("the graphics device was lost");
        }
        for error in self.ctx.take_errors() {
            log::error!("{error}");
        }
        if self.game.is_over() {
            return Ok(None);
        }
        let Some(frame) = self.display.acquire(&self.ctx) else { return Ok(Some(RETRY)) };
        self.draw(frame, measured)?;
        self.lower_quality()?;
        Ok(Some(Duration::ZERO))
    }
}

/// Takes what the player did; keys and clicks not while panels want them, but what is let go is let go.
fn hear(input: &mut Input, event: &WindowEvent, (typing, on_panel): (bool, bool)) {
    match event {
        WindowEvent::Focused(false) => input.let_go(),
        WindowEvent::KeyboardInput { event, .. } => {
            let PhysicalKey::Code(key) = event.physical_key else { return };
            if !event.state.is_pressed() {
                input.release(key);
            } else if !typing {
                input.press(key);
            }
        }
        WindowEvent::CursorMoved { position, .. } => input.point(Vec2::new(position.x as f32, position.y as f32)),
        WindowEvent::MouseInput { state: ElementState::Released, button, .. } => input.release_button(*button),
        WindowEvent::MouseInput { button, .. } if !on_panel => input.press_button(*button),
        WindowEvent::MouseWheel { delta, .. } if !on_panel => input.turn_wheel(notches(*delta)),
        _ => {}
    }
}
