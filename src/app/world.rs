//! A scene that runs: what is simulated, what draws it, and what the player has added to it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Context as _, Result, anyhow, bail};
use glam::{Vec3, Vec4};
use image::RgbaImage;
use serde::{Deserialize, Serialize};

use super::grab::{Ray, pick, pose};
use super::history::{Before, History, Undo};
use super::select::Selected;
use super::select::gizmo::Gizmo;
use super::tools::held::{Held, Pins};
use super::tools::{Tool, put_model};
use crate::animation::{Cast, LimpAt};
use crate::demos::Stage;
use crate::gpu::Context;
use crate::render::{Camera, DrawOptions, Quality, Renderer};
use crate::scene::{BodyDesc, BodyId, Model, Params, Scene, Shape, View, primitive_model};
use crate::scene_file::{is_scene_file, stage_for, to_ron};
use crate::solver::{Drag, Solver, State};

/// Balls kept at once; the oldest goes when another is thrown.
const MOST_BALLS: usize = 48;
/// Frames from one count of crossings to the next: to read the places waits for the GPU.
const CROSSINGS_EVERY: u32 = 60;
/// Ending of the state that is saved beside a scene file.
const STATE: &str = "state";
const BALL_COLOR: Vec4 = Vec4::new(0.86, 0.32, 0.10, 1.0);

/// Balls to throw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Throw {
    /// Speed [m/s].
    pub(crate) speed: f32,
    /// Radius [m].
    pub(crate) radius: f32,
    /// Density [kg/m³].
    pub(crate) density: f32,
}

impl Default for Throw {
    fn default() -> Self {
        Self { speed: 14.0, radius: 0.12, density: 1000.0 }
    }
}

/// A running scene.
pub(crate) struct World {
    /// The demo or file it was built from.
    pub(crate) target: String,
    /// Settings it was built with.
    pub(crate) sets: Vec<(String, String)>,
    /// What is simulated now, with everything thrown in.
    pub(crate) scene: Scene,
    /// The simulation.
    pub(crate) solver: Solver,
    /// Its picture.
    pub(crate) renderer: Renderer,
    /// Its performers.
    pub(crate) cast: Cast,
    /// What was built at first.
    start: Stage,
    format: wgpu::TextureFormat,
    balls: VecDeque<BodyId>,
    ball_model: Option<(f32, Arc<Model>)>,
    crossed: Crossed,
    /// What the pointer holds.
    pub(crate) held: Option<Held>,
    /// What the player looks at closely.
    pub(crate) selected: Option<Selected>,
    pins: Pins,
    pub(super) history: History,
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
        crossed.count(scene.particles.iter().map(|p| p.position).collect());
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
    /// Builds a demo or a model for frames of `format` and a quality; `limp_at` is when its performers go limp.
    ///
    /// # Errors
    /// An unknown target or setting, an unreadable file, nobody who could go limp, or a device that cannot hold it.
    pub(crate) fn open(
        ctx: &Context,
        target: &str,
        sets: Vec<(String, String)>,
        limp_at: &[LimpAt],
        (format, quality): (wgpu::TextureFormat, Quality),
    ) -> Result<Self> {
        let mut start = stage_for(target, &sets)?;
        start.warnings.iter().for_each(|warning| log::warn!("{warning}"));
        limp_at.iter().try_for_each(|when| start.limp_at(when))?;
        let Stage { scene, cast, .. } = start.clone();
        let mut solver = Solver::new(ctx, &scene)?;
        continue_saved(&mut solver, target);
        Ok(Self {
            target: target.to_owned(),
            sets,
            solver,
            renderer: Renderer::with_quality(ctx, &scene, format, quality)?,
            crossed: Crossed::at_start(&scene),
            start,
            scene,
            cast,
            format,
            balls: VecDeque::new(),
            ball_model: None,
            held: None,
            selected: None,
            pins: Pins::default(),
            history: History::default(),
        })
    }

    /// Parameters that the scene began with.
    pub(crate) fn start_params(&self) -> Params {
        self.start.scene.params
    }

    /// Where the scene wants to be seen from.
    pub(crate) fn start_view(&self) -> View {
        self.start.scene.view
    }

    /// Starts again, keeping the parameters as they are now.
    ///
    /// # Errors
    /// The device cannot hold it any more.
    pub(crate) fn reset(&mut self, ctx: &Context) -> Result<()> {
        let Stage { mut scene, cast, .. } = self.start.clone();
        scene.params = *self.solver.params();
        self.solver = Solver::new(ctx, &scene)?;
        self.renderer = Renderer::with_quality(ctx, &scene, self.format, self.renderer.quality())?;
        self.crossed = Crossed::at_start(&scene);
        self.scene = scene;
        self.cast = cast;
        self.balls.clear();
        (self.held, self.selected) = (None, None);
        (self.pins, self.history) = (Pins::default(), History::default());
        Ok(())
    }

    /// Takes shaders that were edited; their names.
    ///
    /// # Errors
    /// What is wrong in which line; then nothing changes.
    #[cfg(feature = "shader-reload")]
    pub(crate) fn reload_shaders(&mut self) -> Result<Vec<String>> {
        let names = self.solver.reload_shaders()?;
        self.renderer.reload_shaders(&self.scene)?;
        Ok(names)
    }

    /// Draws in another quality from now on.
    ///
    /// # Errors
    /// As for [`Renderer::new`]; then nothing changes.
    pub(crate) fn set_quality(&mut self, ctx: &Context, quality: Quality) -> Result<()> {
        if quality != self.renderer.quality() {
            self.renderer = Renderer::with_quality(ctx, &self.scene, self.format, quality)?;
        }
        Ok(())
    }

    /// Simulates one frame.
    ///
    /// # Errors
    /// A performer whose clip has numbers that overflow.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.solver.direct(&mut self.cast)?;
        self.solver.step();
        self.crossed.hear();
        self.crossed.age += 1;
        let idle = self.crossed.counting.is_none();
        if idle && self.crossed.age >= CROSSINGS_EVERY && !self.scene.triangles.is_empty() {
            self.count_crossings()?;
        }
        Ok(())
    }

    /// Keeps this moment, to step back to.
    ///
    /// # Errors
    /// The device has no room for it.
    pub(crate) fn remember(&mut self) -> Result<()> {
        self.history.record(&self.solver, &self.cast, &self.pins)
    }

    /// Goes back to the moment before this one.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn rewind(&mut self) -> Result<()> {
        if !self.history.back(&mut self.solver, &mut self.cast, &mut self.pins)? {
            bail!("no moment before this one is kept");
        }
        Ok(())
    }

    /// Takes the last edit back: what was added goes, with all that happened since; what was changed is as it was.
    ///
    /// # Errors
    /// Nothing was edited.
    pub(crate) fn undo(&mut self, ctx: &Context) -> Result<()> {
        match self.history.undo() {
            None => bail!("nothing was edited"),
            Some(Undo::Changed(edit)) => self.carry_out(ctx, edit),
            Some(Undo::Added(before)) => {
                let Before { scene, state, cast, pins } = *before;
                self.balls.retain(|ball| (ball.0 as usize) < scene.bodies.len());
                self.rebuild(ctx, scene, &state)?;
                (self.cast, self.pins, self.held, self.selected) = (cast, pins, None, None);
                Ok(())
            }
        }
    }

    /// Makes solver and renderer anew, of a scene at a state of it; parameters stay.
    pub(super) fn rebuild(&mut self, ctx: &Context, scene: Scene, state: &State) -> Result<()> {
        let params = *self.solver.params();
        let mut solver = Solver::new(ctx, &scene)?;
        solver.restore(state)?;
        solver.set_params(params)?;
        self.renderer = Renderer::with_quality(ctx, &scene, self.format, self.renderer.quality())?;
        (self.solver, self.scene) = (solver, scene);
        self.crossed = Crossed::at_start(&self.scene);
        Ok(())
    }

    /// Saves the world as it stands: a scene file, and its state beside it, with which it goes on when the file is opened.
    ///
    /// # Errors
    /// A file that cannot be written, or a scene that no file can say.
    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        let stage = Stage { scene: self.scene.clone(), cast: self.cast.clone(), ..self.start.clone() };
        let text = to_ron(&stage, &format!("the window, from {}", self.target)).map_err(|why| anyhow!(why))?;
        let state = self.solver.save()?.to_bytes(&self.solver)?;
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        let beside = path.with_extension(STATE);
        std::fs::write(&beside, state).with_context(|| format!("cannot write {}", beside.display()))
    }

    /// Whether something was edited that can be taken back.
    pub(crate) fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// How much is pinned.
    pub(crate) fn pins(&self) -> usize {
        self.pins.count()
    }

    /// Takes hold of what the ray meets.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn pull(&mut self, ray: Ray, through: bool) -> Result<()> {
        self.held = Held::pull(&mut self.solver, ray, through)?;
        if let Some(Held::Body(grab)) = self.held {
            self.cast.let_go_of(grab.body);
        }
        Ok(())
    }

    /// Blows along the ray.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn blow(&mut self, ray: Ray) -> Result<()> {
        self.held = Some(Held::blow(&mut self.solver, ray)?);
        Ok(())
    }

    /// Pins what the ray meets, or lets it go. Returns what is to be said.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn pin(&mut self, ray: Ray) -> Result<&'static str> {
        self.pins.toggle(&mut self.solver, ray)
    }

    /// Lets go of all that is pinned.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn unpin(&mut self) -> Result<()> {
        self.pins.clear(&mut self.solver)
    }

    /// Takes the handle of the gizmo that the ray from the eye meets, or selects what it meets.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn take_or_select(&mut self, ray: Ray, through: bool) -> Result<()> {
        if let Some(grip) = Gizmo::of(self, ray.origin).and_then(|gizmo| gizmo.grip(ray)) {
            self.held = Held::handle(&self.solver, grip);
            return Ok(());
        }
        let hit = pick(&mut self.solver, ray, through)?;
        self.select(hit.map(|hit| (hit.thing, hit.point)));
        Ok(())
    }

    /// What is held follows the ray of the pointer for so long [s]; without a ray it is let go of. Returns the pull on a body.
    ///
    /// # Errors
    /// What is held has left the world.
    pub(crate) fn hold(&mut self, ctx: &Context, ray: Option<Ray>, seconds: f32) -> Result<Option<Drag>> {
        let Some(held) = &mut self.held else { return Ok(None) };
        let Some(ray) = ray else {
            let held = *held;
            self.held = None;
            if let Held::Handle { grip, from, put } = held {
                return self.put_down(ctx, grip, from, put).map(|()| None);
            }
            held.let_go(&mut self.solver, &self.pins)?;
            return Ok(None);
        };
        held.follow(&mut self.solver, ray, seconds)?;
        let pull = if let Held::Body(grab) = held { Some(grab.drag(ray)) } else { None };
        self.solver.set_drag(pull)?;
        Ok(pull)
    }

    /// Puts what a tool adds on what the ray meets.
    ///
    /// # Errors
    /// The ray meets nothing, or the scene or the solver cannot take it: then the world is as it was. Or the renderer has no room to draw it.
    pub(crate) fn put(&mut self, ctx: &Context, tool: Tool, ray: Ray) -> Result<()> {
        self.add(ctx, ray, |scene, at| tool.put(scene, at))
    }

    /// Puts the model of a file on what the ray meets.
    ///
    /// # Errors
    /// As of [`World::put`], or a file that is no model.
    pub(crate) fn put_model(&mut self, ctx: &Context, path: &Path, ray: Ray) -> Result<()> {
        self.add(ctx, ray, |scene, at| put_model(scene, path, at))
    }

    fn add(&mut self, ctx: &Context, ray: Ray, put: impl FnOnce(&mut Scene, Vec3) -> Result<()>) -> Result<()> {
        let Some(hit) = pick(&mut self.solver, ray, false)? else { bail!("nothing is there to put it on") };
        let mut scene = self.scene.clone();
        put(&mut scene, hit.point)?;
        let before = self.before()?;
        self.solver.spawn(&scene).context("it could not be added")?;
        self.scene = scene;
        self.history.edited(before);
        Ok(self.renderer.update_scene(ctx, &self.scene)?)
    }

    /// The world as it is, to be undone to.
    fn before(&self) -> Result<Before> {
        let (scene, cast, pins) = (self.scene.clone(), self.cast.clone(), self.pins.clone());
        Ok(Before { scene, state: self.solver.save()?, cast, pins })
    }

    /// Pairs of triangles that pass through one another, beyond those of the start; counted once a second.
    pub(crate) fn crossings(&self) -> u32 {
        self.crossed.at_start.map_or(0, |at_start| self.crossed.now.saturating_sub(at_start))
    }

    fn count_crossings(&mut self) -> Result<()> {
        let (torn, places) = (self.solver.read_torn()?, self.solver.read_positions()?);
        let scene = self.solver.scene();
        if torn.contains(&true) {
            self.crossed.scene = Arc::new(scene.parted(&self.solver.read_triangles()?));
        } else if self.crossed.scene.particles.len() != scene.particles.len() {
            self.crossed.scene = Arc::new(scene.clone());
        }
        self.crossed.count(places);
        Ok(())
    }

    /// Lets the performers go limp, or those who are get up where they lie.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) fn toggle_limp(&mut self) -> Result<()> {
        if self.cast.is_limp() {
            self.cast.get_up(&self.solver.read_placements()?, &self.solver.scene().colliders);
        } else {
            self.cast.go_limp();
        }
        Ok(())
    }

    /// Lets the performers move by their own strength, 0 to 1, or holds them.
    ///
    /// # Errors
    /// Another strength.
    pub(crate) fn drive(&mut self, strength: Option<f32>) -> Result<()> {
        for performer in &mut self.cast.performers {
            match strength {
                Some(strength) => performer.drive(strength)?,
                None => performer.hold(),
            }
        }
        Ok(())
    }

    /// Tells the renderer what does not follow from bodies: colliders, and joints that are part of one.
    fn pose(&mut self) {
        self.renderer.pose_colliders(&self.solver.scene().colliders);
        tell_of(&self.cast, &mut self.renderer);
    }

    /// Throws a ball from the eye along its ray.
    ///
    /// # Errors
    /// The device cannot hold another body.
    pub(crate) fn throw(&mut self, ctx: &Context, ray: Ray, throw: Throw) -> Result<()> {
        let before = self.before()?;
        if self.balls.len() >= MOST_BALLS
            && let Some(oldest) = self.balls.pop_front()
        {
            self.scene.bodies[oldest.0 as usize].removed = true;
            self.solver.remove_body(oldest)?;
        }
        let volume = 4.0 / 3.0 * std::f32::consts::PI * throw.radius.powi(3);
        let mut desc = BodyDesc::sphere(throw.radius, 0.35 * throw.radius)
            .with_mass(volume * throw.density)
            .at(ray.at(2.0 * throw.radius + 0.2))
            .named(format!("ball {}", self.scene.bodies.len()));
        desc.velocity = ray.direction * throw.speed;
        desc.surface.restitution = 0.3;
        let model = match &self.ball_model {
            Some((radius, model)) if *radius == throw.radius => Arc::clone(model),
            _ => Arc::new(primitive_model(&Shape::Sphere(throw.radius))),
        };
        self.ball_model = Some((throw.radius, Arc::clone(&model)));
        let ball = self.scene.add_body(desc)?;
        self.scene.draw_body(ball, &model, BALL_COLOR)?;
        self.solver.spawn(&self.scene).context("the ball could not be added")?;
        self.renderer.update_scene(ctx, &self.scene)?;
        self.balls.push_back(ball);
        self.history.edited(before);
        Ok(())
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
        Ok(self.renderer.draw(encoder, target, size, camera, &self.solver.view(), options)?)
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
        Ok(crate::render::image(ctx, &mut self.renderer, size, camera, &self.solver.view(), options)?)
    }

    /// A ball around the limbs of all performers [m]; none without any.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) fn characters(&self) -> Result<Option<(Vec3, f32)>> {
        if self.cast.is_empty() {
            return Ok(None);
        }
        let placed = self.solver.read_placements()?;
        let ids = || self.cast.performers.iter().flat_map(crate::animation::Performer::bodies);
        let points: Vec<Vec3> = ids()
            .flat_map(|id| self.scene.body(*id).links.iter().map(|link| placed[id.0 as usize].point(link.local)))
            .collect();
        let (low, high) = points.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
        let center = 0.5 * (low + high);
        Ok(Some((center, points.iter().map(|p| p.distance(center)).fold(0.1, f32::max))))
    }

    /// A ball around most of what moves [m]: stray bodies far away do not count.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) fn bounds(&mut self) -> Result<(Vec3, f32)> {
        let states = self.solver.read_bodies()?;
        let bodies = self.scene.bodies.iter().zip(&states).filter(|(b, _)| !b.removed);
        let centers: Vec<Vec3> = bodies.clone().map(|(_, s)| pose(s).0).collect();
        let largest = bodies.map(|(b, _)| self.scene.shapes[b.shape].bounding_radius()).fold(0.0, f32::max);
        Ok(around(&centers, largest))
    }
}

/// Goes on from the state that was saved beside a scene file; from its start, with a warning, where that does not fit any more.
fn continue_saved(solver: &mut Solver, target: &str) {
    let beside = Path::new(target).with_extension(STATE);
    if !is_scene_file(target) || !beside.exists() {
        return;
    }
    let bytes = std::fs::read(&beside).map_err(|error| error.to_string());
    let restored = bytes.and_then(|bytes| {
        let state = State::from_bytes(&bytes, solver).map_err(|error| error.to_string())?;
        solver.restore(&state).map_err(|error| error.to_string())
    });
    if let Err(why) = restored {
        log::warn!("{} does not fit, so the scene begins anew: {why}", beside.display());
    }
}

/// Tells the renderer which parts of performers are turned by joints within a body, and which are hidden.
pub(crate) fn tell_of(cast: &Cast, renderer: &mut Renderer) {
    for performer in &cast.performers {
        let ((instance, turns), (_, hidden)) = (performer.turns(), performer.hidden());
        let told = renderer.set_turns(instance, turns).and(renderer.set_hidden(instance, hidden));
        if let Err(error) = told {
            log::error!("{error}");
        }
    }
}

/// The ball around the box that holds all but a twentieth of the points at each end of each axis.
fn around(points: &[Vec3], margin: f32) -> (Vec3, f32) {
    if points.is_empty() {
        return (Vec3::ZERO, 1.0);
    }
    let ends = |axis: usize| {
        let mut values: Vec<f32> = points.iter().map(|p| p[axis]).collect();
        values.sort_by(f32::total_cmp);
        let stray = values.len() / 20;
        (values[stray], values[values.len() - 1 - stray])
    };
    let [x, y, z] = [ends(0), ends(1), ends(2)];
    let (low, high) = (Vec3::new(x.0, y.0, z.0), Vec3::new(x.1, y.1, z.1));
    (0.5 * (low + high), 0.5 * low.distance(high) + margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strays_do_not_widen_the_view() {
        let mut points: Vec<Vec3> = (0..40).map(|i| Vec3::new(i as f32 * 0.1, 1.0, 0.0)).collect();
        points.push(Vec3::splat(1.0e6));
        let (center, radius) = around(&points, 0.5);
        assert!((center.y - 1.0).abs() < 1e-5 && center.x < 4.0);
        assert!(radius < 3.0, "{radius}");
        assert_eq!(around(&[], 0.5), (Vec3::ZERO, 1.0));
    }
}
