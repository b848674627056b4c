//! A running scene: its simulation, its renderer, and what the player has added.

use std::ops::Deref;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::Result;
use glam::Vec3;
use image::RgbaImage;

use super::camera_path::CameraPath;
use super::deed::Deed;
use super::follow::whole;
use super::grab::{Ray, pick};
use super::played::{Changed, Played};
use super::select::Selected;
use super::select::gizmo::{Gizmo, Grip};
use crate::animation::{Cast, LimpAt};
use crate::gpu::Context;
use crate::render::{Camera, DrawOptions, Quality, Renderer};
use crate::scene::{Collider, JointId, Params, Scene, Thing, View, is_stored};
use crate::solver::{JointLoad, JointRef};

/// Frames from one count of crossings to the next: to read the places waits for the GPU.
const CROSSINGS_EVERY: u32 = 60;
/// A page has no second thread to count in.
const COUNTS_CROSSINGS: bool = cfg!(not(target_arch = "wasm32"));

/// A running scene. What is simulated can be looked at as that of [`Played`]; it is changed by [`World::apply`] alone.
pub(crate) struct World {
    played: Played,
    /// Its picture.
    pub(crate) renderer: Renderer,
    format: wgpu::TextureFormat,
    crossed: Crossed,
    /// What the player looks at closely.
    pub(crate) selected: Option<Selected>,
    /// What the joint that is looked at carried some frames ago.
    carried: Option<(JointRef, JointLoad)>,
}

impl Deref for World {
    type Target = Played;

    fn deref(&self) -> &Played {
        &self.played
    }
}

/// Pairs of triangles that pass through one another, counted beside the frames: in a large scene that takes longer than a picture.
#[derive(Debug)]
struct Crossed {
    /// What is counted in.
    scene: Arc<Scene>,
    at_start: Option<u32>,
    now: u32,
    /// Frames since a count began.
    age: u32,
    counting: Option<JoinHandle<u32>>,
}

impl Crossed {
    fn at_start(scene: &Scene) -> Self {
        let mut crossed = Self { scene: Arc::new(scene.clone()), at_start: None, now: 0, age: 0, counting: None };
        if COUNTS_CROSSINGS {
            crossed.count(scene.particles.iter().map(|p| p.position).collect());
        }
        crossed
    }

    fn count(&mut self, places: Vec<Vec3>) {
        let scene = Arc::clone(&self.scene);
        self.counting = Some(thread::spawn(move || scene.crossings(&places)));
        self.age = 0;
    }

    /// Takes in a count that is ready; the first is that of the start.
    fn hear(&mut self) {
        if let Some(counted) =
            self.counting.take_if(|counting| counting.is_finished()).and_then(|done| done.join().ok())
        {
            self.now = counted;
            self.at_start.get_or_insert(counted);
        }
    }
}

impl World {
    /// Builds a demo, a model, a scene file or what a take began with, for frames of `format` and a quality; `limp_at` is when its
    /// performers go limp.
    ///
    /// # Errors
    /// As of [`Played::open`].
    pub(crate) fn open(
        ctx: &Context,
        target: &str,
        sets: Vec<(String, String)>,
        limp_at: &[LimpAt],
        (format, quality): (wgpu::TextureFormat, Quality),
    ) -> Result<Self> {
        let played = Played::open(ctx, target, sets, limp_at)?;
        let renderer = Renderer::with_quality(ctx, &played.scene, format, quality)?;
        let crossed = Crossed::at_start(&played.scene);
        Ok(Self { played, renderer, format, crossed, selected: None, carried: None })
    }

    /// Parameters that the scene began with.
    pub(crate) fn start_params(&self) -> Params {
        self.start().params
    }

    /// Where the scene wants to be seen from in a picture `aspect` times as wide as high.
    pub(crate) fn whole_view(&self, aspect: f32) -> View {
        let scene = self.start();
        let particles = scene.particles.iter().map(|particle| particle.position).filter(|place| !is_stored(*place));
        let seen = |collider: &&Collider| collider.color.w > 0.0 && collider.shape.bounding_radius().is_finite();
        let corners = scene.colliders.iter().filter(seen).flat_map(|c| c.shape.corners(c.position, c.rotation));
        whole(scene.view, aspect, particles.chain(corners))
    }

    /// Does what the player wants. Returns what is to be said.
    ///
    /// # Errors
    /// What cannot be done; then nothing changes. Or the renderer has no room to draw it.
    pub(crate) fn apply(&mut self, ctx: &Context, deed: &Deed) -> Result<Option<&'static str>> {
        let said = self.played.apply(ctx, deed)?;
        if *deed == Deed::Undo {
            // What was added has gone, and of the rest everything is what it was.
            let scene = self.played.solver.scene();
            self.selected = self.selected.filter(|selected| is_there(scene, selected));
        }
        self.renew(ctx)?;
        Ok(said)
    }

    /// The handle of the gizmo that the ray from the eye meets.
    pub(crate) fn handle(&self, ray: Ray) -> Option<Grip> {
        Gizmo::of(self.selected?, &self.solver, ray.origin)?.grip(ray)
    }

    /// Selects a thing that was clicked at a place [m], or nothing.
    pub(crate) fn select(&mut self, hit: Option<(Thing, Vec3)>) {
        let joint = |thing: Thing| {
            let Thing::Body(body) = thing else { return None };
            let joints = &self.solver.scene().joints;
            let to_parent = joints.iter().position(|joint| joint.desc.b == body);
            let own = to_parent.or_else(|| joints.iter().position(|joint| joint.desc.a == body));
            own.map(|joint| JointId(joint as u32))
        };
        self.selected = hit.map(|(thing, point)| Selected { thing, point, joint: joint(thing) });
    }

    /// Looks at another joint of the body that is selected.
    pub(crate) fn look_at_joint(&mut self, joint: JointId) {
        if let Some(selected) = &mut self.selected {
            selected.joint = Some(joint);
        }
    }

    /// Selects what the ray meets; nothing where it meets nothing.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn select_on(&mut self, ray: Ray, through: bool) -> Result<()> {
        let hit = pick(&mut self.played.solver, ray, through)?;
        self.select(hit.map(|hit| (hit.thing, hit.point)));
        Ok(())
    }

    /// Draws from now on what there is now.
    fn renew(&mut self, ctx: &Context) -> Result<()> {
        match self.played.changed {
            Changed::Nothing | Changed::Numbers => {}
            Changed::More => self.renderer.update_scene(ctx, &self.played.scene)?,
            Changed::Other => {
                self.renderer = Renderer::with_quality(ctx, &self.played.scene, self.format, self.renderer.quality())?;
                self.crossed = Crossed::at_start(&self.played.scene);
            }
        }
        // Not before it is drawn: what has failed is tried again.
        self.played.changed = Changed::Nothing;
        Ok(())
    }

    /// Goes on on another device, after its own was lost.
    ///
    /// # Errors
    /// The device cannot hold it.
    pub(crate) fn reopen(&mut self, ctx: &Context) -> Result<()> {
        self.played.reopen(ctx)?;
        self.selected = None;
        self.renew(ctx)
    }

    /// Starts again, keeping the parameters as they are now.
    ///
    /// # Errors
    /// The device cannot hold it any more.
    pub(crate) fn reset(&mut self, ctx: &Context) -> Result<()> {
        self.played.reset(ctx)?;
        self.selected = None;
        self.renew(ctx)
    }

    /// Takes shaders that were edited; their names.
    ///
    /// # Errors
    /// What is wrong in which line; then nothing changes.
    #[cfg(feature = "shader-reload")]
    pub(crate) fn reload_shaders(&mut self) -> Result<Vec<String>> {
        let names = self.played.reload_shaders()?;
        self.renderer.reload_shaders(&self.played.scene)?;
        Ok(names)
    }

    /// How it is to be looked at, to be changed.
    pub(crate) fn path_mut(&mut self) -> &mut CameraPath {
        &mut self.played.path
    }

    /// Measures the time of each pass of physics, and of drawing, or not, which costs a little.
    pub(crate) fn set_timing(&mut self, physics: bool, drawing: bool) {
        self.played.solver.set_timing(physics);
        self.renderer.set_timing(drawing);
    }

    /// Draws in another quality from now on.
    ///
    /// # Errors
    /// As for [`Renderer::new`]; then nothing changes.
    pub(crate) fn set_quality(&mut self, ctx: &Context, quality: Quality) -> Result<()> {
        if quality != self.renderer.quality() {
            self.renderer = Renderer::with_quality(ctx, &self.played.scene, self.format, quality)?;
        }
        Ok(())
    }

    /// Does what a take has for this moment.
    ///
    /// # Errors
    /// A deed that cannot be done.
    pub(crate) fn follow(&mut self, ctx: &Context) -> Result<()> {
        let followed = self.played.follow_take(ctx);
        self.renew(ctx)?;
        followed
    }

    /// Does the next deed of a take, if that is due.
    ///
    /// # Errors
    /// It cannot be done: it stays the next one.
    pub(crate) fn follow_deed(&mut self, ctx: &Context) -> Result<()> {
        self.played.follow_deed(ctx)?;
        self.renew(ctx)
    }

    /// Leaves out the rest of a take.
    pub(crate) fn leave_take(&mut self) {
        self.played.leave_take();
    }

    /// Simulates one frame, with what a take has for it.
    ///
    /// # Errors
    /// A deed of a take that cannot be done, or a performer whose clip has numbers that overflow.
    pub(crate) fn step(&mut self, ctx: &Context) -> Result<()> {
        self.follow(ctx)?;
        self.played.step()?;
        self.weigh();
        self.crossed.hear();
        self.crossed.age += 1;
        let idle = COUNTS_CROSSINGS && self.crossed.counting.is_none();
        if idle && self.crossed.age >= CROSSINGS_EVERY && !self.scene.triangles.is_empty() {
            self.count_crossings()?;
        }
        Ok(())
    }

    /// Hears what the joint that is looked at carried, and asks anew.
    fn weigh(&mut self) {
        let solver = &mut self.played.solver;
        while let Some(heard) = solver.take_joint_loads() {
            self.carried = heard.joints.into_iter().zip(heard.loads).next();
        }
        if let Some(joint) = self.selected.and_then(|selected| selected.joint) {
            let asked = solver.request_joint_loads(&[joint.into()]);
            // One that has left the world carries nothing.
            self.carried.take_if(|_| asked.is_err());
        }
    }

    /// What a joint that is looked at carried some frames ago, once that is known.
    pub(crate) fn carried(&self, joint: JointId) -> Option<JointLoad> {
        self.carried.filter(|(of, _)| *of == joint.into()).map(|(_, load)| load)
    }

    /// Keeps this moment, to step back to.
    ///
    /// # Errors
    /// The device has no room for it.
    pub(crate) fn remember(&mut self) -> Result<()> {
        self.played.remember()
    }

    /// Goes back to the moment before this one.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn rewind(&mut self) -> Result<()> {
        self.played.rewind()
    }

    /// Pairs of triangles that pass through one another, beyond those of the start; counted once a second.
    pub(crate) fn crossings(&self) -> u32 {
        self.crossed.at_start.map_or(0, |at_start| self.crossed.now.saturating_sub(at_start))
    }

    fn count_crossings(&mut self) -> Result<()> {
        let solver = &self.played.solver;
        let (torn, places) = (solver.read_torn()?, solver.read_positions()?);
        let scene = solver.scene();
        if torn.contains(&true) {
            self.crossed.scene = Arc::new(scene.parted(&solver.read_triangles()?));
        } else if self.crossed.scene.particles.len() != scene.particles.len() {
            self.crossed.scene = Arc::new(scene.clone());
        }
        self.crossed.count(places);
        Ok(())
    }

    /// Tells the renderer what does not follow from bodies: colliders, and joints that are part of one.
    fn pose(&mut self) {
        self.renderer.pose_colliders(&self.played.solver.scene().colliders);
        tell_of(&self.played.cast, &mut self.renderer);
    }

    /// Format of the frames it draws.
    pub(crate) fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// Draws the present state to a target of `size` pixels.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub(crate) fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
        camera: &Camera,
        options: &DrawOptions,
    ) -> Result<()> {
        self.pose();
        Ok(self.renderer.draw(encoder, target, size, camera, &self.played.solver.view(), options)?)
    }

    /// A picture of the present state, `size` pixels.
    ///
    /// # Errors
    /// The device cannot draw it.
    pub(crate) fn picture(
        &mut self,
        ctx: &Context,
        size: (u32, u32),
        camera: &Camera,
        options: &DrawOptions,
    ) -> Result<RgbaImage> {
        self.pose();
        Ok(crate::render::image(ctx, &mut self.renderer, size, camera, &self.played.solver.view(), options)?)
    }
}

/// Whether a scene has what is selected.
fn is_there(scene: &Scene, selected: &Selected) -> bool {
    let thing = match selected.thing {
        Thing::Body(id) => (id.0 as usize) < scene.bodies.len(),
        Thing::Collider(id) => (id.0 as usize) < scene.colliders.len(),
        Thing::Deformable(id) => (id.0 as usize) < scene.deformables.len(),
        Thing::Liquid(id) => (id.0 as usize) < scene.liquids.len(),
        Thing::Grains(id) => (id.0 as usize) < scene.grains.len(),
    };
    thing && selected.joint.is_none_or(|joint| (joint.0 as usize) < scene.joints.len())
}

/// Tells the renderer which parts of performers are turned by joints within a body, and which are hidden.
pub(crate) fn tell_of(cast: &Cast, renderer: &mut Renderer) {
    for performer in cast.performers.iter().filter(|performer| performer.is_present()) {
        let ((instance, turns), (_, hidden)) = (performer.turns(), performer.hidden());
        let told = renderer.set_turns(instance, turns).and(renderer.set_hidden(instance, hidden));
        if let Err(error) = told {
            log::error!("{error}");
        }
    }
}
