//! The window's event loop: opens what was asked for, and hands events on to it.

use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::WindowId;

use super::launch::Launch;
use super::live::Live;

/// The event loop, or why this machine has no display.
pub(crate) fn event_loop() -> Result<EventLoop<()>> {
    EventLoop::new().map_err(|error| anyhow!("{error}"))
}

/// Shows a window until it is closed.
///
/// # Errors
/// No adapter, an unknown target, or a device lost on the way.
pub(crate) fn show(event_loop: EventLoop<()>, launch: Launch) -> Result<()> {
    let mut app = App { launch, live: None, failure: None, next_frame: Instant::now() };
    event_loop.run_app(&mut app).context("the window's event loop failed")?;
    app.failure.map_or(Ok(()), Err)
}

/// A program that has or will have a window.
struct App {
    launch: Launch,
    live: Option<Live>,
    failure: Option<anyhow::Error>,
    /// When to draw again.
    next_frame: Instant,
}

impl App {
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: anyhow::Error) {
        self.failure = Some(error);
        event_loop.exit();
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.live.is_some() {
            return;
        }
        match Live::open(event_loop, &self.launch) {
            Ok(live) => self.live = Some(live),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. }) {
            event_loop.set_control_flow(ControlFlow::Wait);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(live) = &mut self.live else { return };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::RedrawRequested => match live.frame() {
                Ok(wait) => self.next_frame = Instant::now() + wait,
                Err(error) => self.fail(event_loop, error),
            },
            event => live.event(&event),
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(live) = &self.live else { return };
        if Instant::now() >= self.next_frame {
            live.request_redraw();
        } else {
            event_loop.set_control_flow(ControlFlow::WaitUntil(self.next_frame));
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(mut live) = self.live.take()
            && let Err(error) = live.close()
        {
            self.failure.get_or_insert(error);
        }
    }
}
