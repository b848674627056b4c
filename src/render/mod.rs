//! Draws straight from the solver's buffers: the vertex shader reads where bodies are, no position travels to the CPU.
//!
//! A frame places the bones of everything drawn, and the points of what follows particles. Then it is five passes: the depth map of the sun, the picture (surfaces
//! or particles, grains, ground, sky, blended surfaces, lines), its ambient occlusion, found and smoothed, and the copy of
//! both to the caller's target. Liquids are shaped before, and laid over the picture in that copy.

mod bones;
mod camera;
mod colliders;
mod drawn;
mod error;
mod frame;
mod geometry;
mod grains;
mod image;
mod joints;
mod layouts;
mod liquid_passes;
#[cfg(test)]
mod liquid_tests;
mod liquids;
mod material;
mod palette;
mod passes;
mod pipelines;
mod recorder;
#[cfg(test)]
mod skin_tests;
mod soft;
#[cfg(test)]
mod soft_tests;
mod targets;
#[cfg(test)]
mod tests;
mod texture;
mod torn;
mod tubes;

pub use camera::Camera;
pub use error::RenderError;
pub use image::image;
pub use joints::DragLine;
pub use palette::palette;

use colliders::Colliders;
use drawn::Drawn;
use frame::{Frame, Frames};
use grains::GrainBalls;
use joints::JointLines;
use layouts::Layouts;
use liquids::Liquids;
use material::Looks;
use pipelines::Pipelines;
use recorder::Recorder;
use soft::Soft;
use targets::{LiquidMap, ShadowMap, Targets};
use tubes::Tubes;

use glam::Quat;

use crate::gpu::{Context, Timer};
use crate::scene::{Collider, Scene};
use crate::solver::SolverView;

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// The models that follow bodies and particles; liquids and grains, unless all particles are shown.
    pub surfaces: bool,
    /// Particles as balls, a colour for each body, free ones blue.
    pub particles: bool,
    /// Joints, over everything: arms, axes, and the gap in red.
    pub joints: bool,
    /// Surfaces that follow particles colored by how far their edges are stretched.
    pub strain: bool,
    /// Constraints between particles as lines, a color for each class of those solved at once, in place of the surfaces that
    /// follow particles.
    pub colors: bool,
    /// Shadows of the sun, and ambient occlusion.
    pub shadows: bool,
    /// Lines on planes each metre, stronger each five.
    pub grid: bool,
    /// The pull of a hand.
    pub drag: Option<DragLine>,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self {
            surfaces: true,
            particles: false,
            joints: false,
            strain: false,
            colors: false,
            shadows: true,
            grid: true,
            drag: None,
        }
    }
}

impl DrawOptions {
    /// Whether liquids and grains are drawn as such.
    fn flowing(&self) -> bool {
        self.surfaces && !self.particles
    }
}

/// Draws one scene.
#[derive(Debug)]
pub struct Renderer {
    context: Context,
    format: wgpu::TextureFormat,
    layouts: Layouts,
    pipelines: Pipelines,
    looks: Looks,
    map: ShadowMap,
    liquid_map: LiquidMap,
    frames: Frames,
    targets: Option<Targets>,
    drawn: Drawn,
    soft: Soft,
    tubes: Tubes,
    liquids: Option<Liquids>,
    grains: Option<GrainBalls>,
    colliders: Colliders,
    joints: JointLines,
    timer: Option<Timer>,
}

impl Renderer {
    /// Uploads what `scene` draws, for targets of `format`.
    ///
    /// # Errors
    /// A shader or texture that the device refuses, or an image whose pixels do not match its size.
    pub fn new(context: &Context, scene: &Scene, format: wgpu::TextureFormat) -> Result<Self, RenderError> {
        let layouts = Layouts::new(context);
        let pipelines = Pipelines::new(context, &layouts, format)?;
        let looks = Looks::new(context);
        let map = ShadowMap::new(context);
        let liquids = Liquids::new(context, &layouts, scene, format, None)?;
        let liquid_map = LiquidMap::new(context, map.size, liquids.is_some());
        let frames = Frames::new(context, &layouts, &map, &liquid_map);
        Ok(Self {
            grains: GrainBalls::new(context, &layouts, scene, None)?,
            liquids,
            liquid_map,
            drawn: Drawn::new(context, &layouts, &looks, &scene.instances, None)?,
            soft: Soft::new(context, &layouts, &looks, scene, None)?,
            tubes: Tubes::new(context, &layouts, &looks, scene)?,
            colliders: Colliders::new(context, &layouts, &looks, &scene.colliders, None)?,
            joints: JointLines::new(context, &scene.joints),
            context: context.clone(),
            targets: None,
            timer: None,
            format,
            layouts,
            pipelines,
            looks,
            map,
            frames,
        })
    }

    /// Takes in what was added to the scene; models already there are not uploaded again.
    ///
    /// # Errors
    /// As [`Renderer::new`]; what was drawn before stays.
    pub fn update_scene(&mut self, context: &Context, scene: &Scene) -> Result<(), RenderError> {
        let drawn = Drawn::new(context, &self.layouts, &self.looks, &scene.instances, Some(&self.drawn))?;
        let colliders = Colliders::new(context, &self.layouts, &self.looks, &scene.colliders, Some(&self.colliders))?;
        let soft = Soft::new(context, &self.layouts, &self.looks, scene, Some(&self.soft))?;
        let tubes = Tubes::new(context, &self.layouts, &self.looks, scene)?;
        let liquids = Liquids::new(context, &self.layouts, scene, self.format, self.liquids.as_ref())?;
        self.grains = GrainBalls::new(context, &self.layouts, scene, self.grains.as_ref())?;
        if liquids.is_some() != self.liquids.is_some() {
            self.liquid_map = LiquidMap::new(context, self.map.size, liquids.is_some());
            self.frames = Frames::new(context, &self.layouts, &self.map, &self.liquid_map);
        }
        self.liquids = liquids;
        self.joints = JointLines::new(context, &scene.joints);
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

    /// Takes the poses of moving colliders, in the order of the scene; call before [`Renderer::draw`].
    pub fn pose_colliders(&self, colliders: &[Collider]) {
        self.colliders.pose(&self.context.queue, colliders);
    }

    /// Format of the targets that this renderer draws to.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// Draws a frame to `target` of `size` [pixels] and this renderer's format; nothing if a side is 0 or more than
    /// the device allows. One frame of a renderer per submission: camera and options are uploaded, not recorded.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
        camera: &Camera,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) {
        let most = self.context.device.limits().max_texture_dimension_2d;
        if size.0 == 0 || size.1 == 0 || size.0 > most || size.1 > most {
            return;
        }
        let wet = self.liquids.is_some();
        if self.targets.as_ref().is_none_or(|t| t.size != size || t.liquid.is_some() != wet) {
            self.targets = Some(Targets::new(&self.context, size, wet));
        }
        let Some(targets) = &self.targets else { return };
        self.frames.upload(&self.context.queue, Frame::new(camera, size, options, self.map.size));
        if let Some(drag) = &options.drag {
            self.joints.set_drag(&self.context.queue, drag);
        }
        self.drawn.bones.upload(&self.context.queue);
        if let Some(liquids) = &mut self.liquids {
            liquids.set_time(&self.context.queue, solver.time);
        }
        let rows = self.rows(solver);
        let mut timer = self.timer.take();
        let mut recorder = Recorder::new(encoder, timer.as_mut());
        self.bone_pass(&mut recorder, solver);
        self.point_pass(&mut recorder, solver);
        self.splat_passes(&mut recorder, solver, options);
        if options.shadows {
            self.shadow_pass(&mut recorder, solver, options, &rows);
        }
        self.picture_pass(&mut recorder, targets, solver, options, &rows);
        if options.shadows {
            self.occlusion_pass(&mut recorder, targets);
        }
        if options.flowing() && wet {
            self.liquid_passes(&mut recorder, targets, target);
        } else {
            self.present_pass(&mut recorder, targets, target);
        }
        recorder.finish();
        self.timer = timer;
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
