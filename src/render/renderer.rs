//! A frame in order: what is drawn of a scene, and the passes that draw it.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Quat;

use super::camera::Camera;
use super::canvas::Canvas;
use super::classes::ClassLines;
use super::colliders::Colliders;
use super::drawn::{Drawn, SkinPipelines};
use super::error::RenderError;
use super::frame::{Eye, Frames, frame_of, light_group};
use super::grains::GrainBalls;
use super::joints::JointLines;
use super::liquids::Liquids;
use super::material::Looks;
use super::occlusion::Occlusion;
use super::options::DrawOptions;
use super::particles::ParticleBalls;
use super::present::Present;
use super::quality::Quality;
use super::recorder::{Recorder, depth, depth_kept};
use super::sky::Sky;
use super::soft::{Soft, SoftPipelines};
use super::surfaces::Layer;
use super::targets::{LiquidMap, LiquidTargets, ShadowMap, Targets};
use super::tubes::Tubes;
use crate::gpu::{Context, GpuError, Group, Timer};
use crate::scene::{Collider, Placement, Scene};
use crate::solver::{Solver, SolverView};

/// How far shadows are fine from high above, in heights above the ground.
const ABOVE: f32 = 1.2;

/// Draws one scene.
#[derive(Debug)]
pub struct Renderer {
    pub(super) context: Context,
    format: wgpu::TextureFormat,
    pub(super) canvas: Canvas,
    skins: Arc<SkinPipelines>,
    softs: Arc<SoftPipelines>,
    looks: Looks,
    pub(super) map: ShadowMap,
    pub(super) liquid_map: LiquidMap,
    pub(super) frames: Frames,
    pub(super) targets: Option<Targets>,
    pub(super) drawn: Drawn,
    pub(super) soft: Soft,
    pub(super) tubes: Tubes,
    pub(super) liquids: Option<Liquids>,
    pub(super) grains: Option<GrainBalls>,
    pub(super) colliders: Colliders,
    particles: ParticleBalls,
    classes: ClassLines,
    sky: Sky,
    pub(super) joints: JointLines,
    occlusion: Option<Occlusion>,
    /// None on a host's canvas.
    present: Option<Present>,
    /// The revision of the solver whose scene it has.
    seen: Option<u64>,
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
        Self::on_canvas(context, scene, format, Canvas::own(context, quality))
    }

    /// Draws on a canvas; what has no picture of its own shows none in a target.
    pub(super) fn on_canvas(
        context: &Context,
        scene: &Scene,
        format: wgpu::TextureFormat,
        canvas: Canvas,
    ) -> Result<Self, RenderError> {
        let skins = Arc::new(SkinPipelines::new(context, canvas)?);
        let softs = Arc::new(SoftPipelines::new(context, canvas)?);
        let looks = Looks::new(context, skins.surfaces.lit());
        let shown = !canvas.host;
        let map = ShadowMap::new(context, canvas.quality);
        let liquids = Liquids::new(context, canvas, scene, format, None)?;
        let liquid_map = LiquidMap::new(context, map.size, liquids.is_some());
        Ok(Self {
            frames: Frames::new(context, skins.surfaces.lit(), &map, &liquid_map)?,
            drawn: Drawn::new(context, &skins, &looks, &scene.instances, None)?,
            soft: Soft::new(context, &softs, &looks, scene, None)?,
            tubes: Tubes::new(context, &softs, &looks, scene, None)?,
            grains: GrainBalls::new(context, canvas, scene, None)?,
            colliders: Colliders::new(context, &skins, &looks, &scene.colliders, None)?,
            particles: ParticleBalls::new(context, canvas)?,
            classes: ClassLines::new(context, canvas)?,
            sky: Sky::new(context, canvas)?,
            joints: JointLines::new(context, canvas, scene.joints.iter(), None)?,
            occlusion: if shown && canvas.quality.occludes() { Some(Occlusion::new(context, canvas)?) } else { None },
            present: if shown { Some(Present::new(context, canvas, format)?) } else { None },
            context: context.clone(),
            targets: None,
            timer: None,
            format,
            canvas,
            seen: None,
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
        let (skins, softs, looks, canvas) = (&self.skins, &self.softs, &self.looks, self.canvas);
        let drawn = Drawn::new(context, skins, looks, &scene.instances, Some(&self.drawn))?;
        let colliders = Colliders::new(context, skins, looks, &scene.colliders, Some(&self.colliders))?;
        let soft = Soft::new(context, softs, looks, scene, Some(&self.soft))?;
        let tubes = Tubes::new(context, softs, looks, scene, Some(&self.tubes))?;
        let grains = GrainBalls::new(context, canvas, scene, self.grains.as_ref())?;
        let joints = JointLines::new(context, canvas, scene.joints.iter(), Some(&self.joints))?;
        let liquids = Liquids::new(context, canvas, scene, self.format, self.liquids.as_ref())?;
        if liquids.is_some() != self.liquids.is_some() {
            let liquid_map = LiquidMap::new(context, self.map.size, liquids.is_some());
            self.frames = Frames::new(context, skins.surfaces.lit(), &self.map, &liquid_map)?;
            self.liquid_map = liquid_map;
        }
        (self.liquids, self.grains, self.joints) = (liquids, grains, joints);
        (self.drawn, self.soft, self.tubes, self.colliders) = (drawn, soft, tubes, colliders);
        Ok(())
    }

    /// Takes in what changed in the world of a solver since the last call: what was added to its scene, and where its colliders
    /// are. One call before each picture is enough.
    ///
    /// # Errors
    /// As [`Renderer::new`], and [`RenderError::Host`] for a solver on another device; what was drawn before stays.
    pub fn sync(&mut self, solver: &Solver) -> Result<(), RenderError> {
        let context = self.context.clone();
        if solver.context().device != context.device {
            let told = "the solver is on another device than its renderer; make a renderer on the device of the solver";
            return Err(RenderError::Host(told.into()));
        }
        if self.seen != Some(solver.revision()) {
            if let Some(liquids) = self.liquids.as_mut().filter(|_| !self.seen.is_some_and(|seen| solver.had(seen))) {
                liquids.shapes.forget_air();
            }
            self.update_scene(&context, solver.scene())?;
            let added = solver.added_joints().map(|(_, joint)| joint);
            let joints = solver.scene().joints.iter().chain(added);
            self.joints = JointLines::new(&context, self.canvas, joints, Some(&self.joints))?;
            self.seen = Some(solver.revision());
        }
        self.pose_colliders(&solver.scene().colliders);
        Ok(())
    }

    /// Makes everything anew that draws `scene`, from shaders as they are now: after
    /// [`Solver::reload_shaders`](crate::solver::Solver::reload_shaders). Turns and hidden parts are to be set again.
    ///
    /// # Errors
    /// As [`Renderer::new`]; what was drawn before stays.
    #[cfg(feature = "shader-reload")]
    pub fn reload_shaders(&mut self, scene: &Scene) -> Result<(), RenderError> {
        let made = Self::on_canvas(&self.context, scene, self.format, self.canvas)?;
        *self = Self { timer: self.timer.take(), ..made };
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
        self.canvas.quality
    }

    /// Format of the targets that this renderer draws to.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// Draws a frame to `target` of `size` [pixels] and this renderer's format; nothing if a side is 0 or more than
    /// the device allows. One frame of a renderer per submission: camera and options are uploaded, not recorded.
    ///
    /// # Errors
    /// [`RenderError::Gpu`] when the device refuses a pass, or a buffer of `solver` is too small for its kind,
    /// [`RenderError::Light`] for a light that cannot be, [`RenderError::Host`] for one of a host.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
        camera: &Camera,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), RenderError> {
        if self.canvas.host {
            return Err(RenderError::Host("it draws into pictures of a host; use HostRenderer::draw_into".into()));
        }
        let most = self.context.device.limits().max_texture_dimension_2d;
        if size.0 == 0 || size.1 == 0 || size.0 > most || size.1 > most {
            return Ok(());
        }
        let wet = self.liquids.is_some();
        let (target_size, size) = (size, self.canvas.quality.picture_size(size));
        let fits = |t: &Targets| t.size == size && t.liquid.is_some() == wet;
        let targets = match self.targets.take().filter(fits) {
            Some(targets) => targets,
            None => Targets::new(&self.context, self.canvas, size, wet),
        };
        options.light.check()?;
        let mut view = Eye::of(camera, size);
        view.shaded = ABOVE * self.colliders.height_of(view.place);
        self.begin(&view, size, target_size, solver, options);
        let mut timer = self.timer.take();
        let mut recorder = Recorder::new(encoder, timer.as_mut());
        let recorded = self.record(&mut recorder, (&targets, target), solver, options);
        recorder.finish();
        (self.timer, self.targets) = (timer, Some(targets));
        Ok(recorded?)
    }

    /// Tells shaders what they know of a frame.
    pub(super) fn begin(
        &mut self,
        eye: &Eye,
        size: (u32, u32),
        target_size: (u32, u32),
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) {
        let queue = &self.context.queue;
        let frame = frame_of(eye, size, options, (self.map.size, self.liquids.as_ref().map(|l| l.pane)), target_size);
        let [texels, pixels] = self.canvas.quality.coarseness();
        self.drawn.set_finest([texels * frame.sun[3], pixels * eye.pixel_width(size)]);
        self.frames.upload(queue, frame);
        if let Some(drag) = &options.drag {
            self.joints.set_drag(queue, drag);
        }
        self.drawn.bones.upload(queue);
        self.colliders.sort_from(eye.place);
        if let Some(grains) = &mut self.grains {
            grains.fit(&self.context, size);
        }
        if let Some(liquids) = &mut self.liquids {
            liquids.shapes.set_view(queue, solver.time, eye.place);
        }
    }

    fn record(
        &self,
        recorder: &mut Recorder<'_>,
        (targets, target): (&Targets, &wgpu::TextureView),
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let Self { context, frames, .. } = self;
        self.before_picture(recorder, solver, options)?;
        if options.shadows {
            self.shadow_pass(recorder, solver, options)?;
        }
        let wet = self.liquids.as_ref().zip(targets.liquid.as_ref()).filter(|_| options.flowing());
        let mut light = frames.light.clone();
        if let Some((liquids, wet)) = wet {
            liquids.surface_passes(context, recorder, frames, wet)?;
            light = self.light_with(wet)?;
        }
        self.picture_pass(recorder, targets, &light, solver, options)?;
        if let (Some(occlusion), true) = (&self.occlusion, options.shadows) {
            occlusion.record(context, recorder, frames, targets)?;
        }
        let shown = match wet {
            Some((liquids, wet)) => {
                self.veil_pass(
                    recorder,
                    targets.resolved_to(&wet.veil, wgpu::Color::TRANSPARENT),
                    &targets.depth,
                    &light,
                    options,
                );
                let onto = targets.wet_picture.as_ref().unwrap_or(target);
                let black = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
                liquids.record(context, recorder, frames, (targets, wet), (onto, black))?;
                let Some(wet_picture) = &targets.wet_picture else { return Ok(()) };
                wet_picture
            }
            _ => &targets.picture,
        };
        let Some(present) = &self.present else { return Ok(()) };
        present.record(context, recorder, frames, (targets, shown), target)
    }

    /// Where everything is, and the surfaces that are found before a picture.
    pub(super) fn before_picture(
        &self,
        recorder: &mut Recorder<'_>,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let Self { context, frames, .. } = self;
        self.place(recorder, solver)?;
        if let (true, Some(grains)) = (options.flowing(), &self.grains) {
            grains.before_picture(context, recorder, frames, solver.particles)?;
        }
        if let Some(liquids) = &self.liquids {
            liquids.before_picture(context, recorder, (frames, &self.liquid_map), solver, options)?;
        }
        Ok(())
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
    pub(super) fn shadow_pass(
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
        light: &Group,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let color = targets.resolved_to(&targets.picture, wgpu::Color::BLACK);
        let depth = depth(&targets.depth, 0.0, wgpu::StoreOp::Store);
        let mut pass = recorder.render("render/picture", Some(color), Some(depth));
        self.draw_things(&mut pass, light, solver, options)
    }

    /// The light of a picture on whose screen there are liquids.
    pub(super) fn light_with(&self, wet: &LiquidTargets) -> Result<Group, GpuError> {
        let maps = (&self.map, &self.liquid_map);
        light_group(&self.context, self.skins.surfaces.lit(), maps, &wet.surface.depth)
    }

    /// What is blended before liquids.
    pub(super) fn veil_pass(
        &self,
        recorder: &mut Recorder<'_>,
        color: wgpu::RenderPassColorAttachment<'_>,
        depth: &wgpu::TextureView,
        light: &Group,
        options: &DrawOptions,
    ) {
        let mut pass = recorder.render("render/veil", Some(color), Some(depth_kept(depth)));
        self.frames.camera.set(&mut pass);
        light.set(&mut pass);
        self.draw_surfaces(&mut pass, options, Layer::Veil);
    }

    /// Draws everything that is seen but liquids, with the sky behind it on a canvas of its own.
    pub(super) fn draw_things(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        light: &Group,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        self.frames.camera.set(pass);
        light.set(pass);
        self.draw_surfaces(pass, options, Layer::Solid);
        self.draw_balls(pass, solver, options, Layer::Solid)?;
        if options.colors {
            self.classes.draw(&self.context, pass, solver)?;
        }
        if options.planes {
            self.colliders.draw_planes(pass);
        }
        if !self.canvas.host {
            self.sky.draw(pass);
        }
        self.draw_surfaces(pass, options, Layer::Blended);
        if options.contacts {
            self.particles.draw_contacts(&self.context, pass, solver)?;
        }
        self.joints.draw(&self.context, pass, solver.bodies, options)
    }

    /// Whether anything that is drawn is blended with what is behind it.
    pub(super) fn blends(&self, options: &DrawOptions) -> bool {
        let follows = options.surfaces && !options.colors && (self.soft.blends() || self.tubes.blends());
        follows || (options.surfaces && self.drawn.blends()) || self.colliders.blends()
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
            self.particles.draw(&self.context, pass, solver, (options, layer))?;
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
