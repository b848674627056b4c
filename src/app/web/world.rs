//! A world that a page steps by itself: what the library does, for a page's own code.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use anyhow::Result;
use glam::Vec3;
use image::ImageFormat;
use js_sys::{Float32Array, Uint8Array};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

use super::refused;
use crate::animation::Cast;
use crate::app::world::tell_of;
use crate::demos::Stage;
use crate::gpu::{Context, Limits};
use crate::render::{Camera, DrawOptions, Quality, Renderer};
use crate::scene::{BodyId, Push, Thing, View};
use crate::scene_file::{SceneFile, stage_for};
use crate::solver::Solver;

/// Format of pictures and canvases.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Bgra8Unorm;

/// A world on the device of the page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct World {
    context: Context,
    held: Rc<RefCell<Held>>,
}

/// What is simulated and drawn.
#[derive(Debug)]
struct Held {
    solver: Solver,
    cast: Cast,
    view: View,
    renderer: Option<Renderer>,
    shown: Option<Shown>,
}

/// A canvas that the world is drawn on.
#[derive(Debug)]
struct Shown {
    canvas: HtmlCanvasElement,
    surface: wgpu::Surface<'static>,
    size: (u32, u32),
}

#[wasm_bindgen]
impl World {
    /// A demo or a file that the page was given, with these settings.
    ///
    /// # Errors
    /// No WebGPU, an unknown target or setting, or a device that cannot hold it.
    pub async fn open(target: String, keys: Vec<String>, values: Vec<String>) -> Result<Self, JsError> {
        let sets: Vec<_> = keys.into_iter().zip(values).collect();
        Self::of(stage_for(&target, &sets)?).await
    }

    /// What the text of a scene file says.
    ///
    /// # Errors
    /// As [`World::open`], with line and column.
    #[wasm_bindgen(js_name = fromScene)]
    pub async fn from_scene(text: String) -> Result<Self, JsError> {
        Self::of(SceneFile::parse(Path::new("scene.ron"), text, Path::new("")).stage()?).await
    }

    async fn of(stage: Stage) -> Result<Self, JsError> {
        let context = Context::for_page(Limits::Adapter).await?;
        let Stage { scene, cast, warnings } = stage;
        warnings.iter().for_each(|warning| log::warn!("{warning}"));
        let (solver, view) = (Solver::new(&context, &scene)?, scene.view);
        let held = Rc::new(RefCell::new(Held { solver, cast, view, renderer: None, shown: None }));
        Ok(Self { context, held })
    }

    /// Simulates one frame, 1/60 s if nothing else was set. False where the GPU is too far behind: then nothing was done, and it is to be
    /// called again later.
    ///
    /// # Errors
    /// A clip with numbers that overflow.
    pub fn step(&self) -> Result<bool, JsError> {
        let Held { solver, cast, .. } = &mut *self.held.borrow_mut();
        if !solver.is_ready() {
            return Ok(false);
        }
        solver.direct(cast)?;
        solver.step();
        Ok(true)
    }

    /// How many bodies there are.
    #[wasm_bindgen(getter, js_name = bodyCount)]
    pub fn body_count(&self) -> u32 {
        self.held.borrow().solver.counts().bodies
    }

    /// How many particles there are.
    #[wasm_bindgen(getter, js_name = particleCount)]
    pub fn particle_count(&self) -> u32 {
        self.held.borrow().solver.counts().particles
    }

    /// Simulated time [s].
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.held.borrow().solver.view().time
    }

    /// Name of a body, as models and scene files have it.
    #[wasm_bindgen(js_name = bodyName)]
    pub fn body_name(&self, body: u32) -> Option<String> {
        Some(self.held.borrow().solver.scene().bodies.get(body as usize)?.name.clone())
    }

    /// Where bodies are: center [m] and rotation as a quaternion, seven numbers each.
    ///
    /// # Errors
    /// A lost device.
    pub async fn poses(&self) -> Result<Float32Array, JsError> {
        let held = Rc::clone(&self.held);
        let bodies = self.context.completed(|| held.borrow().solver.read_bodies()).await?;
        let numbers: Vec<f32> = bodies.iter().flat_map(|b| b.center[..3].iter().chain(&b.rotation)).copied().collect();
        Ok(Float32Array::from(&numbers[..]))
    }

    /// Where particles are [m], three numbers each.
    ///
    /// # Errors
    /// A lost device.
    pub async fn positions(&self) -> Result<Float32Array, JsError> {
        let held = Rc::clone(&self.held);
        let particles = self.context.completed(|| held.borrow().solver.read_particles()).await?;
        let numbers: Vec<f32> = particles.iter().flat_map(|p| &p[..3]).copied().collect();
        Ok(Float32Array::from(&numbers[..]))
    }

    /// Whether the state is sound and no list has overflowed.
    ///
    /// # Errors
    /// A lost device.
    #[wasm_bindgen(js_name = isHealthy)]
    pub async fn is_healthy(&self) -> Result<bool, JsError> {
        let held = Rc::clone(&self.held);
        Ok(self.context.completed(|| held.borrow().solver.read_health()).await?.is_good())
    }

    /// Strikes a body at its center, with an impulse [N s].
    ///
    /// # Errors
    /// A body that is not there, or numbers that are not finite.
    pub fn push(&self, body: u32, x: f32, y: f32, z: f32) -> Result<(), JsError> {
        let push = Push::impulse(Thing::Body(BodyId(body)), Vec3::new(x, y, z));
        Ok(self.held.borrow_mut().solver.push(push)?)
    }

    /// Looks from a point at a point [m].
    #[wasm_bindgen(js_name = lookFrom)]
    pub fn look_from(&self, x: f32, y: f32, z: f32, at_x: f32, at_y: f32, at_z: f32) {
        self.held.borrow_mut().view = View { eye: Vec3::new(x, y, z), target: Vec3::new(at_x, at_y, at_z) };
    }

    /// Draws on this canvas from now on, by [`World::draw`].
    ///
    /// # Errors
    /// The device cannot present there.
    pub fn show(&self, canvas: HtmlCanvasElement) -> Result<(), JsError> {
        let surface = self.context.canvas(canvas.clone())?;
        self.held.borrow_mut().shown = Some(Shown { canvas, surface, size: (0, 0) });
        Ok(())
    }

    /// Draws the present state on its canvas, if it has one.
    ///
    /// # Errors
    /// The device cannot draw it.
    pub fn draw(&self) -> Result<(), JsError> {
        self.held.borrow_mut().draw(&self.context).map_err(refused)
    }

    /// A picture of the present state: the bytes of a PNG of this size [pixels].
    ///
    /// # Errors
    /// A side of 0 or more than the device allows, or a lost device.
    pub async fn picture(&self, width: u32, height: u32) -> Result<Uint8Array, JsError> {
        let held = Rc::clone(&self.held);
        let draw = || held.borrow_mut().picture(&self.context, (width, height));
        let picture = self.context.completed(draw).await.map_err(refused)?;
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png)?;
        Ok(Uint8Array::from(&bytes.into_inner()[..]))
    }

    /// What the browser's validation said since the last call; nothing where all is well.
    #[wasm_bindgen(js_name = takeErrors)]
    pub fn take_errors(&self) -> Vec<String> {
        self.context.take_errors()
    }
}

impl Held {
    fn ready(&mut self, context: &Context) -> Result<&mut Renderer> {
        if self.renderer.is_none() {
            let quality = Quality::of(context);
            self.renderer = Some(Renderer::with_quality(context, self.solver.scene(), FORMAT, quality)?);
        }
        let Some(renderer) = &mut self.renderer else { anyhow::bail!("there is nothing to draw with") };
        renderer.pose_colliders(&self.solver.scene().colliders);
        tell_of(&self.cast, renderer);
        Ok(renderer)
    }

    fn picture(&mut self, context: &Context, size: (u32, u32)) -> Result<image::RgbaImage> {
        self.ready(context)?;
        let (camera, options) = (Camera::from(self.view), DrawOptions::default());
        let Some(renderer) = &mut self.renderer else { anyhow::bail!("there is nothing to draw with") };
        Ok(crate::render::image(context, renderer, size, &camera, &self.solver.view(), &options)?)
    }

    fn draw(&mut self, context: &Context) -> Result<()> {
        self.ready(context)?;
        let Self { solver, view, renderer: Some(renderer), shown: Some(shown), .. } = self else { return Ok(()) };
        let size = (shown.canvas.width().max(1), shown.canvas.height().max(1));
        if size != shown.size {
            let adapter = context.adapter().ok_or_else(|| anyhow::anyhow!("the page's device is in use elsewhere"))?;
            let config = shown.surface.get_default_config(adapter, size.0, size.1);
            let config = config.ok_or_else(|| anyhow::anyhow!("the device cannot draw on this canvas"))?;
            shown.surface.configure(&context.device, &wgpu::SurfaceConfiguration { format: FORMAT, ..config });
            shown.size = size;
        }
        let wgpu::CurrentSurfaceTexture::Success(frame) = shown.surface.get_current_texture() else { return Ok(()) };
        let target = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let camera = Camera::from(*view);
        context.try_run("picture", |encoder| {
            renderer.draw(encoder, &target, size, &camera, &solver.view(), &DrawOptions::default())
        })?;
        context.queue.present(frame);
        Ok(())
    }
}
