//! The window and the surface it shows: survives resizing, minimizing, 1×1 pixels and a lost surface.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use web_time::Instant;
#[cfg(not(target_arch = "wasm32"))]
use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

#[cfg(not(target_arch = "wasm32"))]
use crate::gpu::Choice;
use crate::gpu::Context;

/// How long to wait before asking again for a frame that was not given.
pub(crate) const RETRY: Duration = Duration::from_millis(30);
/// A surface is rebuilt at most this often; a driver that loses it every time must not keep us busy.
const REBUILD: Duration = Duration::from_millis(500);
/// A device that was lost sooner than that is not replaced.
const LEAST_LIFE: Duration = Duration::from_secs(5);

/// First size of the window [points].
#[cfg(not(target_arch = "wasm32"))]
const SIZE: LogicalSize<u32> = LogicalSize::new(1280, 800);
/// The same when the adapter is software.
#[cfg(not(target_arch = "wasm32"))]
const SOFTWARE_SIZE: LogicalSize<u32> = LogicalSize::new(960, 640);

/// A window with its surface.
pub(crate) struct Display {
    pub(crate) window: Arc<Window>,
    /// None while its device is lost.
    surface: Option<wgpu::Surface<'static>>,
    config: wgpu::SurfaceConfiguration,
    /// Whether `config` has reached the surface.
    configured: bool,
    rebuilt: Instant,
    /// The adapter that was asked for.
    #[cfg(not(target_arch = "wasm32"))]
    choice: Choice,
    /// When the device was opened.
    opened: Instant,
    /// Another device, once the page has it.
    #[cfg(target_arch = "wasm32")]
    coming: Option<Coming>,
}

/// Where a page finds the device that it asked for.
#[cfg(target_arch = "wasm32")]
type Coming = std::rc::Rc<std::cell::RefCell<Option<Result<Context, crate::gpu::GpuError>>>>;

impl Display {
    /// Opens a window and a device that can present to it; `size` [points] is that of the inside, or the usual one.
    ///
    /// # Errors
    /// No window, no adapter, or the adapter cannot present here.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn open(
        event_loop: &ActiveEventLoop,
        choice: &Choice,
        size: Option<(u32, u32)>,
    ) -> Result<(Self, Context)> {
        let wanted = size.map_or(SIZE, LogicalSize::from);
        let attributes = Window::default_attributes().with_title("Sinew").with_inner_size(wanted);
        let window = Arc::new(event_loop.create_window(attributes).context("the window could not be opened")?);
        let (ctx, surface) = Context::for_window(Arc::clone(&window), choice)?;
        if size.is_none() && ctx.info().kind == "software" {
            // Every pixel is the processor's work. A window manager may refuse, which does no harm.
            let _ = window.request_inner_size(SOFTWARE_SIZE);
        }
        let display = Self { choice: choice.clone(), ..Self::of(window, surface, &ctx)? };
        Ok((display, ctx))
    }

    /// Takes a canvas of the page, whose size is the page's matter.
    ///
    /// # Errors
    /// The device cannot present there.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn on_canvas(
        event_loop: &ActiveEventLoop,
        ctx: &Context,
        canvas: web_sys::HtmlCanvasElement,
    ) -> Result<Self> {
        use winit::platform::web::WindowAttributesExtWebSys;
        let attributes = Window::default_attributes().with_canvas(Some(canvas)).with_prevent_default(true);
        let window = Arc::new(event_loop.create_window(attributes).context("the canvas is not available")?);
        let surface = ctx.surface(Arc::clone(&window))?;
        Self::of(window, surface, ctx)
    }

    /// A window with its surface, to which the device can present.
    fn of(window: Arc<Window>, surface: wgpu::Surface<'static>, ctx: &Context) -> Result<Self> {
        let adapter = ctx.adapter().context("the device was not opened for a window")?;
        let capabilities = surface.get_capabilities(adapter);
        let mut config = surface
            .get_default_config(adapter, 1, 1)
            .with_context(|| format!("`{}` cannot draw into this window", ctx.info().name))?;
        // The panel blends in sRGB space, which wants a plain format; the renderer encodes for it.
        if let Some(plain) = capabilities.formats.iter().find(|f| is_plain(**f)) {
            config.format = *plain;
        }
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let now = Instant::now();
        Ok(Self {
            window,
            surface: Some(surface),
            config,
            configured: false,
            rebuilt: now,
            #[cfg(not(target_arch = "wasm32"))]
            choice: Choice::default(),
            opened: now,
            #[cfg(target_arch = "wasm32")]
            coming: None,
        })
    }

    /// Another device for the window, after its own was lost; none while a page still waits for it.
    ///
    /// # Errors
    /// The device was not there for long: whatever takes it away will do so again. Or there is no adapter any more.
    pub(crate) fn reopen(&mut self) -> Result<Option<Context>> {
        // What was acquired of it is with the device for good, and it cannot be dropped before that: wgpu panics.
        std::mem::forget(self.surface.take());
        if self.opened.elapsed() < LEAST_LIFE {
            bail!("the graphics device was lost; restart, and check the driver if this happens often");
        }
        let Some((ctx, surface)) = self.another()? else { return Ok(None) };
        (self.surface, self.configured, self.opened) = (Some(surface), false, Instant::now());
        Ok(Some(ctx))
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn another(&self) -> Result<Option<(Context, wgpu::Surface<'static>)>> {
        Ok(Some(Context::for_window(Arc::clone(&self.window), &self.choice)?))
    }

    #[cfg(target_arch = "wasm32")]
    fn another(&mut self) -> Result<Option<(Context, wgpu::Surface<'static>)>> {
        let Some(coming) = &self.coming else {
            let coming = Coming::default();
            self.coming = Some(Coming::clone(&coming));
            wasm_bindgen_futures::spawn_local(async move {
                let found = Context::for_page(crate::gpu::Limits::Adapter).await;
                coming.replace(Some(found));
            });
            return Ok(None);
        };
        let Some(found) = coming.take() else { return Ok(None) };
        self.coming = None;
        let ctx = found?;
        let surface = ctx.surface(Arc::clone(&self.window))?;
        Ok(Some((ctx, surface)))
    }

    /// Format of the frames.
    pub(crate) fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Size of the frames [pixels].
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.config.width, self.config.height)
    }

    /// The window has another size or the surface must be configured anew.
    pub(crate) fn resized(&mut self) {
        self.configured = false;
    }

    /// The next frame to draw into; none while there is nothing to show it on.
    pub(crate) fn acquire(&mut self, ctx: &Context) -> Option<wgpu::SurfaceTexture> {
        use wgpu::CurrentSurfaceTexture as Acquired;
        match self.configure(ctx)?.get_current_texture() {
            Acquired::Success(frame) => Some(frame),
            Acquired::Suboptimal(frame) => {
                self.configured = false;
                Some(frame)
            }
            Acquired::Timeout | Acquired::Occluded => None,
            Acquired::Outdated | Acquired::Validation => {
                self.configured = false;
                None
            }
            Acquired::Lost => {
                self.rebuild(ctx);
                None
            }
        }
    }

    /// The surface, with the window's present size; none while the window has no area.
    fn configure(&mut self, ctx: &Context) -> Option<&wgpu::Surface<'static>> {
        let surface = self.surface.as_ref()?;
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return None;
        }
        let most = ctx.device.limits().max_texture_dimension_2d;
        let (width, height) = (size.width.min(most), size.height.min(most));
        if !self.configured || (width, height) != (self.config.width, self.config.height) {
            (self.config.width, self.config.height) = (width, height);
            surface.configure(&ctx.device, &self.config);
            self.configured = true;
        }
        Some(surface)
    }

    fn rebuild(&mut self, ctx: &Context) {
        self.configured = false;
        if self.rebuilt.elapsed() < REBUILD {
            return;
        }
        self.rebuilt = Instant::now();
        match ctx.surface(Arc::clone(&self.window)) {
            Ok(surface) => self.surface = Some(surface),
            Err(error) => log::warn!("the window's surface could not be recreated: {error}"),
        }
    }
}

/// Eight bits a channel, no sRGB conversion on write.
fn is_plain(format: wgpu::TextureFormat) -> bool {
    matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm)
}
