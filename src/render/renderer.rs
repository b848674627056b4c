//! A frame in order: what is drawn of a scene, and the passes that draw it.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Quat;

use super::camera::Camera;
use super::classes::ClassLines;
use super::colliders::Colliders;
use super::drawn::{Drawn, SkinPipelines};
use super::error::RenderError;
use super::frame::{Frames, frame_of};
use super::grains::GrainBalls;
use super::joints::JointLines;
use super::liquids::Liquids;
use super::material::Looks;
use super::occlusion::Occlusion;
use super::options::DrawOptions;
use super::particles::ParticleBalls;
use super::present::Present;
use super::quality::Quality;
use super::recorder::{Recorder, depth};
use super::sky::Sky;
use super::soft::{Soft, SoftPipelines};
use super::surfaces::Layer;
use super::targets::{LiquidMap, ShadowMap, Targets};
use super::tubes::Tubes;
use crate::gpu::{Context, GpuError, Timer};
use crate::scene::{Collider, Placement, Scene};
use crate::solver::SolverView;

/// Draws one scene.
#[derive(Debug)]
pub struct Renderer {
    context: Context,
    format: wgpu::TextureFormat,
    quality: Quality,
    skins: Arc<SkinPipelines>,
    softs: Arc<SoftPipelines>,
    looks: Looks,
    map: ShadowMap,
    liquid_map: LiquidMap,
    frames: Frames,
    pub(super) targets: Option<Targets>,
    pub(super) drawn: Drawn,
    pub(super) soft: Soft,
    pub(super) tubes: Tubes,
    pub(super) liquids: Option<Liquids>,
    pub(super) grains: Option<GrainBalls>,
    colliders: Colliders,
    particles: ParticleBalls,
    classes: ClassLines,
    sky: Sky,
    joints: JointLines,
    occlusion: Option<Occlusion>,
    present: Present,
    timer: Option<Timer>,
}

impl Renderer {
    /// Uploads what `scene` draws, for targets of `format`, in high quality.
    ///
    /// # Errors
    /// A shader or texture that the device refuses, or an image whose pixels do not match its size.
    pub fn new(context: &Context, scene: &Scene, format: wgpu::TextureFormat) -> Result<Self, RenderError> {
        Self::with_quality(context, scene, format, Quality::High)
    }

    /// As [`Renderer::new`], in some quality.
    ///
    /// # Errors
    /// As [`Renderer::new`].
    pub fn with_quality(
        context: &Context,
        scene: &Scene,
        format: wgpu::TextureFormat,
        quality: Quality,
    ) -> Result<Self, RenderError> {
        let skins = Arc::new(SkinPipelines::new(context, quality)?);
        let softs = Arc::new(SoftPipelines::new(context, quality)?);
        let looks = Looks::new(context, skins.surfaces.lit());
        let map = ShadowMap::new(context, quality);
        let liquids = Liquids::new(context, quality, scene, format, None)?;
        let liquid_map = LiquidMap::new(context, map.size, liquids.is_some());
        Ok(Self {
            frames: Frames::new(context, skins.surfaces.lit(), &map, &liquid_map)?,
            drawn: Drawn::new(context, &skins, &looks, &scene.instances, None)?,
            soft: Soft::new(context, &softs, &looks, scene, None)?,
            tubes: Tubes::new(context, &softs, &looks, scene, None)?,
            grains: GrainBalls::new(context, quality, scene, None)?,
            colliders: Colliders::new(context, &skins, &looks, &scene.colliders, None)?,
            particles: ParticleBalls::new(context, quality)?,
            classes: ClassLines::new(context, quality)?,
            sky: Sky::new(context, quality)?,
            joints: JointLines::new(context, quality, &scene.joints, None)?,
            occlusion: if quality.occludes() { Some(Occlusion::new(context)?) } else { None },
            present: Present::new(context, quality, format)?,
            context: context.clone(),
            targets: None,
            timer: None,
            format,
            quality,
            skins,
            softs,
            looks,
            map,
            liquid_map,
            liquids,
        })
    }

    /// Takes in what was added to the scene; models already there are not uploaded again.
    ///
    /// # Errors
    /// As [`Renderer::new`]; what was drawn before stays.
    pub fn update_scene(&mut self, context: &Context, scene: &Scene) -> Result<(), RenderError> {
        let (skins, softs, looks, quality) = (&self.skins, &self.softs, &self.looks, self.quality);
        let drawn = Drawn::new(context, skins, looks, &scene.instances, Some(&self.drawn))?;
        let colliders = Colliders::new(context, skins, looks, &scene.colliders, Some(&self.colliders))?;
        let soft = Soft::new(context, softs, looks, scene, Some(&self.soft))?;
        let tubes = Tubes::new(context, softs, looks, scene, Some(&self.tubes))?;
        let grains = GrainBalls::new(context, quality, scene, self.grains.as_ref())?;
        let joints = JointLines::new(context, quality, &scene.joints, Some(&self.joints))?;
        let liquids = Liquids::new(context, quality, scene, self.format, self.liquids.as_ref())?;
        if liquids.is_some() != self.liquids.is_some() {
            let liquid_map = LiquidMap::new(context, self.map.size, liquids.is_some());
            self.frames = Frames::new(context, skins.surfaces.lit(), &self.map, &liquid_map)?;
            self.liquid_map = liquid_map;
        }
        (self.liquids, self.grains, self.joints) = (liquids, grains, joints);
        (self.drawn, self.soft, self.tubes, self.colliders) = (drawn, soft, tubes, colliders);
        Ok(())
    }

    /// Takes rotations for the bones of an instance (index into the scene's), against their parents from the rest pose:
    /// what [`Bone::turn`](crate::scene::Bone::turn) was when the instance was added. They hold until set again.
    ///
    /// # Errors
    /// [`RenderError`] for an instance that is not there, a wrong number of turns, or one that is no unit quaternion.
    pub fn set_turns(&mut self, instance: usize, turns: &[Quat]) -> Result<(), RenderError> {
        self.drawn.bones.set_turns(instance, turns)
    }

    /// Takes which parts of an instance are not drawn: primitives of its model, by index. It holds until set again.
    ///
    /// # Errors
    /// [`RenderError`] for an instance or a part that is not there.
    pub fn set_hidden(&mut self, instance: usize, parts: &BTreeSet<usize>) -> Result<(), RenderError> {
        self.drawn.set_hidden(instance, parts)
    }

    /// Takes the poses of moving colliders, in the order of the scene; call before [`Renderer::draw`].
    pub fn pose_colliders(&self, colliders: &[Collider]) {
        self.colliders.pose(&self.context.queue, colliders);
    }

    /// As [`Renderer::pose_colliders`], from where they are alone.
    pub fn place_colliders(&self, placements: &[Placement]) {
        self.colliders.place_at(&self.context.queue, placements);
    }

    /// How much work its pictures are.
    pub fn quality(&self) -> Quality {
        self.quality
    }

    /// Format of the targets that this renderer draws to.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// Draws a frame to `target` of `size` [pixels] and this renderer's format; nothing if a side is 0 or more than
    /// the device allows. One frame of a renderer per submission: camera and options are uploaded, not recorded.
    ///
    /// # Errors
    /// [`RenderError::Gpu`] when the device refuses a pass, or a buffer of `solver` is too small for its kind.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
        camera: &Camera,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), RenderError> {
        let most = self.context.device.limits().max_texture_dimension_2d;
        if size.0 == 0 || size.1 == 0 || size.0 > most || size.1 > most {
            return Ok(());
        }
        let wet = self.liquids.is_some();
        let (target_size, size) = (size, self.quality.picture_size(size));
        let fits = |t: &Targets| t.size == size && t.liquid.is_some() == wet;
        let targets = match self.targets.take().filter(fits) {
            Some(targets) => targets,
            None => Targets::new(&self.context, self.quality, size, wet),
        };
        let queue = &self.context.queue;
        let frame = frame_of(camera, size, options, (self.map.size, wet), target_size);
        let [texels, pixels] = self.quality.coarseness();
        self.drawn.set_finest([texels * frame.sun[3], pixels * pixel_width(camera, size)]);
        self.frames.upload(queue, frame);
        if let Some(drag) = &options.drag {
            self.joints.set_drag(queue, drag);
        }
        self.drawn.bones.upload(queue);
        if let Some(liquids) = &mut self.liquids {
            liquids.shapes.set_time(queue, solver.time);
        }
        let mut timer = self.timer.take();
        let mut recorder = Recorder::new(encoder, timer.as_mut());
        let recorded = self.record(&mut recorder, (&targets, target), solver, options);
        recorder.finish();
        (self.timer, self.targets) = (timer, Some(targets));
        Ok(recorded?)
    }

    fn record(
        &self,
        recorder: &mut Recorder<'_>,
        (targets, target): (&Targets, &wgpu::TextureView),
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let Self { context, frames, .. } = self;
        self.place(recorder, solver)?;
        if let Some(liquids) = &self.liquids {
            liquids.before_picture(context, recorder, (frames, &self.liquid_map), solver, options)?;
        }
        if options.shadows {
            self.shadow_pass(recorder, solver, options)?;
        }
        self.picture_pass(recorder, targets, solver, options)?;
        if let (Some(occlusion), true) = (&self.occlusion, options.shadows) {
            occlusion.record(context, recorder, frames, targets)?;
        }
        let shown = match (&self.liquids, &targets.liquid) {
            (Some(liquids), Some(wet)) if options.flowing() => {
                let onto = targets.wet_picture.as_ref().unwrap_or(target);
                liquids.record(context, recorder, frames, (targets, wet), onto)?;
                let Some(wet_picture) = &targets.wet_picture else { return Ok(()) };
                wet_picture
            }
            _ => &targets.picture,
        };
        self.present.record(context, recorder, frames, (targets, shown), target)
    }

    /// Where the bones of everything drawn are, and the points of everything that follows particles.
    fn place(&self, recorder: &mut Recorder<'_>, solver: &SolverView<'_>) -> Result<(), GpuError> {
        {
            let mut pass = recorder.compute("render/bones");
            self.drawn.place(&self.context, &mut pass, solver.bodies)?;
            self.colliders.place(&self.context, &mut pass)?;
        }
        let mut pass = recorder.compute("render/points");
        self.soft.place(&self.context, &mut pass, solver)?;
        self.tubes.place(&self.context, &mut pass, solver.particles)
    }

    /// Depth seen from the sun.
    fn shadow_pass(
        &self,
        recorder: &mut Recorder<'_>,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let map = depth(&self.map.view, 1.0, wgpu::StoreOp::Store);
        let mut pass = recorder.render("render/shadow", None, Some(map));
        self.frames.camera.set(&mut pass);
        if options.surfaces {
            self.drawn.draw(&mut pass, Layer::Shadow, |_| true);
            self.soft.draw(&mut pass, Layer::Shadow);
            self.tubes.draw(&mut pass, Layer::Shadow);
        }
        self.colliders.draw(&mut pass, Layer::Shadow);
        self.draw_balls(&mut pass, solver, options, Layer::Shadow)
    }

    /// Everything that is seen.
    fn picture_pass(
        &self,
        recorder: &mut Recorder<'_>,
        targets: &Targets,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let store = if targets.samples.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        let color = wgpu::RenderPassColorAttachment {
            view: targets.samples.as_ref().unwrap_or(&targets.picture),
            depth_slice: None,
            resolve_target: targets.samples.as_ref().map(|_| &targets.picture),
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
        };
        let depth = depth(&targets.depth, 0.0, wgpu::StoreOp::Store);
        let mut pass = recorder.render("render/picture", Some(color), Some(depth));
        self.frames.camera.set(&mut pass);
        self.frames.light.set(&mut pass);
        self.draw_surfaces(&mut pass, options, Layer::Solid);
        self.draw_balls(&mut pass, solver, options, Layer::Solid)?;
        if options.colors {
            self.classes.draw(&self.context, &mut pass, solver)?;
        }
        self.colliders.draw_planes(&mut pass);
        self.sky.draw(&mut pass);
        self.draw_surfaces(&mut pass, options, Layer::Blended);
        self.joints.draw(&self.context, &mut pass, solver.bodies, options)
    }

    fn draw_surfaces(&self, pass: &mut wgpu::RenderPass<'_>, options: &DrawOptions, layer: Layer) {
        if options.surfaces {
            self.drawn.draw(pass, layer, |_| true);
        }
        // What follows particles, unless their constraints are shown in its place.
        if options.surfaces && !options.colors {
            self.soft.draw(pass, layer);
            self.tubes.draw(pass, layer);
        }
        self.colliders.draw(pass, layer);
    }

    /// Grains, and particles where those are shown.
    fn draw_balls(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        solver: &SolverView<'_>,
        options: &DrawOptions,
        layer: Layer,
    ) -> Result<(), GpuError> {
        if let (true, Some(grains)) = (options.flowing(), &self.grains) {
            grains.draw(&self.context, pass, solver.particles, layer)?;
        }
        if options.particles {
            self.particles.draw(&self.context, pass, solver, layer)?;
        }
        Ok(())
    }

    /// Starts or ends timing of the passes; on an adapter without timestamps nothing is kept.
    pub fn set_timing(&mut self, on: bool) {
        if on != self.timer.is_some() {
            self.timer = on.then(|| Timer::new(&self.context));
        }
    }

    /// Median time of each pass over the last frames [ms], in the order of the frame; empty unless timing is on.
    pub fn pass_times(&self) -> Vec<(String, f64)> {
        self.timer.as_ref().map(Timer::medians).unwrap_or_default()
    }
}

/// Width of a pixel of a picture of `size` [pixels] where the camera looks at [m].
fn pixel_width(camera: &Camera, size: (u32, u32)) -> f32 {
    let (_, slope) = camera.slopes(1.0);
    2.0 * slope * camera.eye.distance(camera.target) / size.1 as f32
}
