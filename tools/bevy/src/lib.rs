//! Sinew in a Bevy app: the solver runs on Bevy's device, and its things are drawn into the picture of Bevy's camera, behind and before
//! Bevy's own, in Bevy's light.
//!
//! [`SinewPlugin`] takes a scene; the resource [`Sinew`] is its running world, in the app and in the renderer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bevy::core_pipeline::core_3d::{main_opaque_pass_3d, main_transparent_pass_3d};
use bevy::core_pipeline::{Core3d, Core3dSystems};
use bevy::light::GlobalAmbientLight;
use bevy::pbr::ExtractedDirectionalLight;
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::camera::ExtractedCamera;
use bevy::render::render_resource::{RenderPassDescriptor, StoreOp, TextureFormat};
use bevy::render::renderer::{RenderAdapterInfo, RenderContext, RenderDevice, RenderQueue, ViewQuery};
use bevy::render::view::{ExtractedView, ViewDepthStencilTexture, ViewTarget};
use sinew::gpu::Context;
use sinew::render::{
    DrawOptions, HostColors, HostFormat, HostRenderer, HostTarget, HostView, Light, Quality, RenderError,
};
use sinew::scene::Scene;
use sinew::solver::{Solver, Stepper};

/// The depth of Bevy's three-dimensional cameras.
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Puts a scene on Bevy's device, steps it with Bevy's time, and draws it in the three-dimensional camera, which fills its window: there is
/// one picture of it in what Bevy submits at once. Liquids look at what lies below them: the camera needs `Msaa::Off` and a depth texture
/// with `TEXTURE_BINDING`. Add it after `DefaultPlugins`.
#[derive(Clone, Debug, Default)]
pub struct SinewPlugin {
    /// What there is at the start.
    pub scene: Scene,
}

/// The running world, shared by the app and its renderer.
#[derive(Resource, Clone)]
pub struct Sinew(Arc<Mutex<World>>);

/// A world and what draws it.
pub struct World {
    /// Ask it, push it, change it.
    pub solver: Solver,
    /// Slow motion and pauses.
    pub stepper: Stepper,
    /// What is drawn besides; the light is Bevy's.
    pub options: DrawOptions,
    context: Context,
    scene: Scene,
    /// For pictures of this format.
    renderer: Option<(HostFormat, HostRenderer)>,
}

impl Sinew {
    /// The world, as long as nobody else has it.
    pub fn lock(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World {
    /// Makes what draws pictures of this format, unless it is there.
    fn draw_in(&mut self, format: HostFormat) -> Result<(), RenderError> {
        if self.renderer.as_ref().is_none_or(|(made_for, _)| *made_for != format) {
            let renderer = HostRenderer::new(&self.context, &self.scene, format, Quality::Low)?;
            self.renderer = Some((format, renderer));
        }
        Ok(())
    }
}

impl Plugin for SinewPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, step.run_if(resource_exists::<Sinew>));
    }

    fn finish(&self, app: &mut App) {
        let sinew = match world(app, &self.scene) {
            Ok(sinew) => sinew,
            Err(error) => {
                error!("the scene is left out: {error}");
                return;
            }
        };
        app.insert_resource(sinew.clone());
        let Some(renderer) = app.get_sub_app_mut(RenderApp) else { return };
        renderer.insert_resource(sinew);
        let between = draw.after(main_opaque_pass_3d).before(main_transparent_pass_3d).in_set(Core3dSystems::MainPass);
        renderer.add_systems(Core3d, between);
    }
}

/// The world of a scene on the device of an app.
fn world(app: &App, scene: &Scene) -> std::result::Result<Sinew, Box<dyn std::error::Error>> {
    let missing = "Bevy has no device; add this plugin after DefaultPlugins";
    let device = app.world().get_resource::<RenderDevice>().ok_or(missing)?.wgpu_device().clone();
    let queue = app.world().get_resource::<RenderQueue>().ok_or(missing)?;
    let info = app.world().get_resource::<RenderAdapterInfo>().ok_or(missing)?;
    let context = Context::adopt(device, (**queue).clone(), (**info).clone())?;
    Ok(Sinew(Arc::new(Mutex::new(World {
        solver: Solver::new(&context, scene)?,
        stepper: Stepper::new(),
        // Bevy draws the ground.
        options: DrawOptions { planes: false, ..DrawOptions::default() },
        context,
        scene: scene.clone(),
        renderer: None,
    }))))
}

/// Simulates the frames that the time since the last picture is worth.
fn step(sinew: Res<Sinew>, time: Res<Time>) {
    let mut world = sinew.lock();
    let dt = world.solver.params().dt;
    for _ in 0..world.stepper.advance(time.delta(), dt) {
        world.solver.step();
    }
}

/// Draws the world into the picture of a camera, after what is solid and before what blends.
fn draw(
    view: ViewQuery<(&ExtractedCamera, &ExtractedView, &ViewTarget, &ViewDepthStencilTexture, &Msaa)>,
    (suns, ambient): (Query<&ExtractedDirectionalLight>, Option<Res<GlobalAmbientLight>>),
    sinew: Res<Sinew>,
    mut context: RenderContext,
) {
    let (camera, extracted, target, depth, samples) = view.into_inner();
    let radiance = |color: LinearRgba, strength: f32| camera.exposure * strength * Vec3::from(color.to_vec3());
    let sun = suns.iter().max_by(|a, b| a.illuminance.total_cmp(&b.illuminance));
    let (to_sun, sun) = sun
        .map_or((Vec3::Y, Vec3::ZERO), |sun| (Vec3::from(sun.transform.back()), radiance(sun.color, sun.illuminance)));
    let ambient = ambient.map_or(Vec3::ZERO, |light| radiance(light.color.to_linear(), light.brightness));
    let size = (extracted.viewport.z, extracted.viewport.w);
    let view = HostView {
        view_from_world: extracted.world_from_view.to_matrix().inverse(),
        clip_from_view: extracted.clip_from_view,
        size,
        focus: 5.0,
    };
    let format = HostFormat {
        color: target.main_texture_format(),
        depth: DEPTH,
        samples: samples.samples(),
        reversed_depth: true,
        colors: HostColors::Radiance,
    };
    let world = &mut *sinew.lock();
    world.options.light = Light::sun_and_ambient(to_sun, sun, ambient);
    if let Err(error) = picture(world, format, &view, (target, depth), &mut context) {
        error_once!("the world is not drawn: {error}");
    }
}

fn picture(
    world: &mut World,
    format: HostFormat,
    view: &HostView,
    (target, depth): (&ViewTarget, &ViewDepthStencilTexture),
    context: &mut RenderContext,
) -> std::result::Result<(), RenderError> {
    world.draw_in(format)?;
    let World { solver, options, renderer: Some((_, renderer)), .. } = world else { return Ok(()) };
    renderer.sync(solver)?;
    let encoder = context.command_encoder();
    renderer.prepare(encoder, view, &solver.view(), options)?;
    let mut pass = encoder.begin_render_pass(&RenderPassDescriptor {
        label: Some("sinew"),
        color_attachments: &[Some(target.get_color_attachment())],
        depth_stencil_attachment: Some(depth.get_attachment(StoreOp::Store)),
        ..Default::default()
    });
    renderer.draw(&mut pass, &solver.view(), options)?;
    drop(pass);
    if renderer.has_liquids() {
        let depth = depth.texture().create_view(&Default::default());
        renderer.draw_liquids(encoder, HostTarget { color: target.main_texture_view(), depth: &depth }, options)?;
    }
    Ok(())
}
