//! The event loop of a window: opens the content and passes events on to it.

use std::time::Duration;

#[cfg(not(target_arch = "wasm32"))]
use anyhow::Context as _;
use anyhow::{Result, anyhow};
use web_time::Instant;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::WindowId;

/// What a window shows.
pub(crate) trait Shown {
    /// Asks for the next frame.
    fn request_redraw(&self);

    /// Handles anything but a redraw.
    fn event(&mut self, event: &WindowEvent);

    /// Simulates what is due and draws. Returns how long to wait before the next frame, or nothing when the window is to close.
    ///
    /// # Errors
    /// What nothing can be shown after.
    fn frame(&mut self) -> Result<Option<Duration>>;

    /// Ends what is under way before the window goes.
    ///
    /// # Errors
    /// What could not be completed.
    fn close(&mut self) -> Result<()>;
}

/// The event loop, or why this machine has no display.
pub(crate) fn event_loop() -> Result<EventLoop<()>> {
    EventLoop::new().map_err(|error| anyhow!("{error}"))
}

/// Shows a window until it is closed.
///
/// # Errors
/// What is to be shown cannot be opened, or fails on the way.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn show<S: Shown>(
    event_loop: EventLoop<()>,
    open: impl FnOnce(&ActiveEventLoop) -> Result<S>,
) -> Result<()> {
    let mut app = App { open: Some(open), shown: None, failure: None, next_frame: Instant::now() };
    event_loop.run_app(&mut app).context("the window's event loop failed")?;
    app.failure.map_or(Ok(()), Err)
}

/// Shows something on a page, beside what else the page does, until it fails: `failed` is told why.
#[cfg(target_arch = "wasm32")]
pub(crate) fn show_on_page<S: Shown + 'static>(
    event_loop: EventLoop<()>,
    open: impl FnOnce(&ActiveEventLoop) -> Result<S> + 'static,
    failed: fn(&anyhow::Error),
) {
    use winit::platform::web::EventLoopExtWebSys;
    event_loop.spawn_app(App { open: Some(open), shown: None, failure: None, next_frame: Instant::now(), failed });
}

/// A program that has or will have a window.
struct App<S, O> {
    open: Option<O>,
    shown: Option<S>,
    failure: Option<anyhow::Error>,
    /// When to draw again.
    next_frame: Instant,
    /// Who is told why it ended; elsewhere that is returned.
    #[cfg(target_arch = "wasm32")]
    failed: fn(&anyhow::Error),
}

impl<S, O> App<S, O> {
    fn fail(&mut self, event_loop: &ActiveEventLoop, error: anyhow::Error) {
        #[cfg(target_arch = "wasm32")]
        (self.failed)(&error);
        self.failure = Some(error);
        event_loop.exit();
    }
}

impl<S: Shown, O: FnOnce(&ActiveEventLoop) -> Result<S>> ApplicationHandler for App<S, O> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = self.open.take() else { return };
        match open(event_loop) {
            Ok(shown) => self.shown = Some(shown),
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. }) {
            event_loop.set_control_flow(ControlFlow::Wait);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            // Of a window that is gone the size cannot even be asked for.
            WindowEvent::RedrawRequested if event_loop.exiting() => {}
            WindowEvent::RedrawRequested => match shown.frame() {
                Ok(Some(wait)) => self.next_frame = Instant::now() + wait,
                Ok(None) => event_loop.exit(),
                Err(error) => self.fail(event_loop, error),
            },
            event => shown.event(&event),
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        #[cfg(not(target_arch = "wasm32"))]
        if super::stop::is_asked() {
            event_loop.exit();
            return;
        }
        let Some(shown) = &self.shown else { return };
        if Instant::now() >= self.next_frame {
            shown.request_redraw();
        } else {
            event_loop.set_control_flow(ControlFlow::WaitUntil(self.next_frame));
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(mut shown) = self.shown.take()
            && let Err(error) = shown.close()
        {
            self.failure.get_or_insert(error);
        }
    }
}
