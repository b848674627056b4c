//! A scene that is simulated and played with. Deeds are the only way to change it, and it keeps them, so that a take of them
//! replays it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use glam::{Vec3, Vec4};

use super::blast::explode;
use super::camera_path::CameraPath;
use super::deed::{Deed, Throw};
use super::grab::{Ray, pick, pose};
use super::history::{History, Moment, Undo};
use super::safe::{Beside, Safe};
use super::saved::{packed, unpacked};
use super::select::Edit;
use super::take::{End, Entry, Take};
use super::tools::held::{Held, Pins};
use super::tools::put_model;
use crate::animation::{Cast, LimpAt, Performer};
use crate::constraints::Give;
use crate::demos::Stage;
use crate::files;
use crate::gpu::Context;
use crate::numbers::cubed;
use crate::report::{free_particles, state_hash};
use crate::scene::{Blade, BodyDesc, BodyId, Cut, Model, Scene, Shape, Thing, is_stored, primitive_model};
use crate::scene_file::{Settings, is_scene_file, is_take, stage_for, to_ron};
use crate::solver::{Drag, Solver, State, scene_hash};

/// Balls kept at once; the oldest goes when another is thrown.
const MOST_BALLS: usize = 48;
/// Seconds in which a character goes over to another clip.
const FADE: f32 = 0.25;
/// How far a blade reaches from the eye [m].
const BLADE: f32 = 50.0;
/// Ending of the state that is saved beside a scene file.
pub(crate) const STATE: &str = "state";
const BALL_COLOR: Vec4 = Vec4::new(0.86, 0.32, 0.10, 1.0);

/// How what there is differs from what was drawn last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Changed {
    /// Nothing was added or taken away.
    #[default]
    Nothing,
    /// What there is was changed.
    Numbers,
    /// Something was added.
    More,
    /// It is another scene.
    Other,
}

/// What is still to be done of a take.
#[derive(Debug)]
struct Replay {
    due: VecDeque<Entry>,
    /// Frames of the take.
    frames: u32,
}

/// A scene that is played with.
pub(crate) struct Played {
    /// The demo or file it was built from.
    pub(crate) target: String,
    /// Settings it was built with.
    pub(crate) sets: Vec<(String, String)>,
    /// What is simulated now, with everything thrown in.
    pub(crate) scene: Scene,
    /// The simulation.
    pub(crate) solver: Solver,
    /// Its performers.
    pub(crate) cast: Cast,
    /// What the pointer holds.
    pub(crate) held: Option<Held>,
    /// Frames simulated since the start.
    pub(crate) frame: u32,
    /// How what there is differs from what was drawn last.
    pub(crate) changed: Changed,
    /// How it is to be looked at, if somebody has said so.
    pub(crate) path: CameraPath,
    /// Of a take: its frames, and how it ended.
    pub(crate) recorded: Option<(u32, Option<End>)>,
    /// What was built at first.
    start: Stage,
    limp_at: Vec<LimpAt>,
    /// Parameters with which it began, where they are others than those of `start`.
    params: Settings,
    /// Balls that were thrown, the oldest first, also those that have left again.
    balls: Vec<BodyId>,
    ball_model: Option<(f32, Arc<Model>)>,
    pins: Pins,
    pub(super) history: History,
    deeds: Vec<Entry>,
    replay: Option<Replay>,
    safe: Safe,
}

impl Played {
    /// Builds a demo, a model or a scene file; `limp_at` is when its performers go limp. Of a take it builds what that began with, and
    /// does what was done in it as frames are simulated.
    ///
    /// # Errors
    /// An unknown target or setting, an unreadable file, nobody who could go limp, or a device that cannot hold it.
    pub(crate) fn open(ctx: &Context, target: &str, sets: Vec<(String, String)>, limp_at: &[LimpAt]) -> Result<Self> {
        if !is_take(target) {
            return Self::begin(ctx, target, sets, limp_at, Settings::default());
        }
        if !sets.is_empty() || !limp_at.is_empty() {
            bail!("{target} is a take, which includes its settings: it cannot be combined with --set or --limp-at");
        }
        let Take { target: of, set, limp_at, params, frames, end, path, deeds } = Take::load(Path::new(target))?;
        let played = Self::begin(ctx, &of, set.0, &limp_at, params).with_context(|| target.to_owned())?;
        let replay = Some(Replay { due: deeds.into(), frames });
        Ok(Self { replay, path, recorded: Some((frames, end)), ..played })
    }

    fn begin(
        ctx: &Context,
        target: &str,
        sets: Vec<(String, String)>,
        limp_at: &[LimpAt],
        params: Settings,
    ) -> Result<Self> {
        let mut start = stage_for(target, &sets)?;
        start.warnings.iter().for_each(|warning| log::warn!("{warning}"));
        limp_at.iter().try_for_each(|when| start.limp_at(when))?;
        let (scene, cast) = first(&start, &params)?;
        let mut solver = Solver::new(ctx, &scene)?;
        continue_saved(&mut solver, target, &scene)?;
        let pins = Pins::of(&solver, &cast);
        Ok(Self {
            target: target.to_owned(),
            sets,
            scene,
            solver,
            cast,
            held: None,
            frame: 0,
            changed: Changed::Nothing,
            path: CameraPath::default(),
            recorded: None,
            start,
            limp_at: limp_at.to_vec(),
            params,
            balls: Vec::new(),
            ball_model: None,
            pins,
            history: History::default(),
            deeds: Vec::new(),
            replay: None,
            safe: Safe::default(),
        })
    }

    /// What was built at first.
    pub(crate) fn start(&self) -> &Scene {
        &self.start.scene
    }

    /// When its performers go limp.
    pub(super) fn limp_at(&self) -> &[LimpAt] {
        &self.limp_at
    }

    /// The parameters that are others now than the scene was built with.
    pub(super) fn changed_params(&self) -> Settings {
        Settings(self.solver.params().changes(&self.start.scene.params))
    }

    /// Starts again, keeping the parameters as they are now.
    ///
    /// # Errors
    /// The device cannot hold it any more.
    pub(super) fn reset(&mut self, ctx: &Context) -> Result<()> {
        let params = self.changed_params();
        let (scene, cast) = first(&self.start, &params)?;
        let mut solver = Solver::new(ctx, &scene)?;
        continue_saved(&mut solver, &self.target, &scene)?;
        self.pins = Pins::of(&solver, &cast);
        self.solver = solver;
        (self.scene, self.cast, self.params) = (scene, cast, params);
        self.balls.clear();
        (self.held, self.history) = (None, History::default());
        (self.frame, self.deeds, self.replay) = (0, Vec::new(), None);
        self.safe = Safe::default();
        self.changed = Changed::Other;
        Ok(())
    }

    /// Goes on on another device, after its own was lost: from the last moment that was kept, or from the start. What was done since
    /// was not done.
    ///
    /// # Errors
    /// The device cannot hold it.
    pub(super) fn reopen(&mut self, ctx: &Context) -> Result<()> {
        let Some((solver, beside)) = self.safe.restore(ctx)? else { return self.reset(ctx) };
        let Beside { scene, cast, pins, held, changes, deeds, frame } = beside;
        self.balls.retain(|ball| (ball.0 as usize) < scene.bodies.len());
        (self.solver, self.scene, self.cast, self.pins, self.frame) = (solver, scene, cast, pins, frame);
        (self.held, self.history) = (held, History::of(changes));
        (self.deeds, self.replay) = (deeds, None);
        self.changed = Changed::Other;
        Ok(())
    }

    /// Takes shaders that were edited; their names.
    ///
    /// # Errors
    /// What is wrong in which line; then nothing changes.
    #[cfg(feature = "shader-reload")]
    pub(super) fn reload_shaders(&mut self) -> Result<Vec<String>> {
        Ok(self.solver.reload_shaders()?)
    }

    /// Does what a take has for this moment.
    ///
    /// # Errors
    /// What cannot be done here: then the rest of the take is left out.
    pub(super) fn follow_take(&mut self, ctx: &Context) -> Result<()> {
        while self.is_due() {
            self.follow_deed(ctx).inspect_err(|_| self.leave_take())?;
        }
        self.replay.take_if(|replay| replay.frames <= self.frame);
        Ok(())
    }

    /// Whether a take has something for this moment that was not done yet.
    pub(crate) fn is_due(&self) -> bool {
        let first = self.replay.as_ref().and_then(|replay| replay.due.front());
        first.is_some_and(|(at, _)| *at <= self.frame)
    }

    /// Does the next deed of the take, if that is due.
    ///
    /// # Errors
    /// It cannot be done: it stays the next one, for who attempts it again.
    pub(super) fn follow_deed(&mut self, ctx: &Context) -> Result<()> {
        let frame = self.frame;
        let Some((at, deed)) = self.replay.as_mut().and_then(|replay| replay.due.pop_front_if(|(at, _)| *at <= frame))
        else {
            return Ok(());
        };
        let done = self.carry_out(ctx, &deed).map(drop);
        done.map_err(|error| {
            let error = error.context(format!("frame {frame} of the take, {}", name(&deed)));
            self.replay.iter_mut().for_each(|replay| replay.due.push_front((at, deed.clone())));
            error
        })
    }

    /// Leaves out the rest of a take.
    pub(super) fn leave_take(&mut self) {
        self.replay = None;
    }

    /// Simulates one frame.
    ///
    /// # Errors
    /// A performer whose clip has numbers that overflow.
    pub(super) fn step(&mut self) -> Result<()> {
        self.keep_safe();
        self.solver.direct(&mut self.cast)?;
        self.pins.hold_limbs(&mut self.solver, &self.cast)?;
        self.solver.step();
        self.frame += 1;
        Ok(())
    }

    /// Keeps this moment for when the device is lost, if it is time.
    fn keep_safe(&mut self) {
        let Self { safe, solver, scene, cast, pins, held, history, deeds, frame, .. } = self;
        let beside = || Beside {
            scene: scene.clone(),
            cast: cast.clone(),
            pins: pins.clone(),
            held: *held,
            changes: history.changes(),
            deeds: deeds.clone(),
            frame: *frame,
        };
        if let Err(error) = safe.record(solver, beside) {
            log::warn!("if the graphics device is lost, the scene will restart from the beginning: {error}");
        }
    }

    /// Whether a take is being done again.
    pub(crate) fn is_replayed(&self) -> bool {
        self.replay.is_some()
    }

    /// Does what the player wants; what is left of a take is then left out, but for what it holds. Returns what is to be said. What
    /// cannot be done changes nothing, unless the device fails.
    ///
    /// # Errors
    /// What cannot be done.
    pub(super) fn apply(&mut self, ctx: &Context, deed: &Deed) -> Result<Option<&'static str>> {
        let said = self.carry_out(ctx, deed)?;
        self.replay = None;
        Ok(said)
    }

    fn carry_out(&mut self, ctx: &Context, deed: &Deed) -> Result<Option<&'static str>> {
        let mut said = None;
        if deed.takes_hold() && !matches!(deed, Deed::Pump { .. }) {
            self.take_anew(ctx)?;
        }
        match deed {
            Deed::Throw { ray, ball } => self.throw(*ray, *ball)?,
            Deed::Explode { ray, bang } => explode(&mut self.solver, *ray, *bang)?,
            Deed::Pull { ray, through } => self.pull(*ray, *through)?,
            Deed::Grip(grip) => self.held = Some(Held::handle(&self.solver, *grip)?),
            Deed::Edit(edit) => self.edit(ctx, *edit)?,
            Deed::Cut { ray } => self.held = Some(Held::Blade { from: *ray, to: *ray }),
            Deed::Blow { ray } => self.held = Some(Held::blow(&mut self.solver, *ray)?),
            Deed::Pump { ray, out } => self.pump(ctx, *ray, *out)?,
            Deed::Reach(depth) => {
                self.held.iter_mut().filter_map(Held::depth).for_each(|now| *now = *depth);
            }
            Deed::Hold { ray, seconds } => self.hold(*ray, *seconds)?,
            Deed::LetGo => said = self.let_go(ctx)?,
            Deed::Pin { ray, through } => said = Some(self.pin(*ray, *through)?),
            Deed::Unpin => self.pins.clear(&mut self.solver)?,
            Deed::Put { tool, ray } => self.add(*ray, |scene, at| tool.put(scene, at))?,
            Deed::PutModel { file, ray } => self.add(*ray, |scene, at| put_model(scene, file, at))?,
            Deed::Limp => self.toggle_limp()?,
            Deed::Drive(strength) => self.drive(*strength)?,
            Deed::Loosen(body) => {
                if !self.cast.loosen_body(*body) {
                    bail!("this is not a limb of a character");
                }
            }
            Deed::DriveLimb(body, strength) => self.drive_limb(*body, *strength)?,
            Deed::Clip(clip) => self.set_clip(*clip)?,
            Deed::LimpOf(body) => self.toggle_limp_of(*body)?,
            Deed::ClipOf(body, clip) => self.set_clip_of(*body, *clip)?,
            Deed::Params(settings) => {
                let mut params = *self.solver.params();
                settings.apply(&mut params).map_err(|why| anyhow!(why))?;
                self.solver.set_params(params)?;
            }
            Deed::Undo => self.undo(ctx)?,
        }
        self.deeds.push((self.frame, deed.clone()));
        Ok(said)
    }

    /// Lets go before something else is taken hold of: the pointer went down again before it was seen to go up.
    fn take_anew(&mut self, ctx: &Context) -> Result<()> {
        if self.held.is_some() { self.let_go(ctx).map(drop) } else { Ok(()) }
    }

    /// Takes hold of the air in what the ray meets; undo gives it back what it had.
    fn pump(&mut self, ctx: &Context, ray: Ray, out: bool) -> Result<()> {
        let (before, revision) = (self.moment()?, self.solver.revision());
        let held = Held::pump(&mut self.solver, ray, out)?;
        // There may have been nothing to blow up.
        self.take_anew(ctx)?;
        if self.solver.revision() > revision {
            // It has air from now on.
            self.went_on_as(before);
        } else if let Held::Air { object, .. } = held {
            let had = self.solver.compliance(object, Give::Pressure)?;
            self.history.edited(Edit::Compliance(object, Give::Pressure, had));
        }
        self.held = Some(held);
        Ok(())
    }

    /// Keeps this moment, to step back to.
    ///
    /// # Errors
    /// The device has no room for it.
    pub(super) fn remember(&mut self) -> Result<()> {
        let Self { history, solver, cast, pins, held, frame, .. } = self;
        history.record(solver, |state| Moment {
            state,
            cast: cast.clone(),
            pins: pins.clone(),
            held: *held,
            frame: *frame,
        })
    }

    /// Goes back to the moment before this one. What was done since was not done.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn rewind(&mut self) -> Result<()> {
        let Some(Moment { cast, pins, held, frame, .. }) = self.history.back(&mut self.solver)? else {
            bail!("no earlier state is kept");
        };
        let undone = self.deeds.partition_point(|(at, _)| *at < *frame);
        let undone = self.deeds.split_off(undone);
        if let Some(replay) = &mut self.replay {
            undone.into_iter().rev().for_each(|entry| replay.due.push_front(entry));
        }
        (self.cast, self.pins, self.held, self.frame) = (cast.clone(), pins.clone(), *held, *frame);
        self.keep_edits();
        Ok(())
    }

    /// Takes the last edit back: what was added goes, with all that happened since; what was changed is as it was.
    ///
    /// # Errors
    /// Nothing was edited.
    fn undo(&mut self, ctx: &Context) -> Result<()> {
        match self.history.undo()? {
            Undo::Changed(edit) => self.make(ctx, edit),
            Undo::Added(before) => {
                let (scene, Moment { state, cast, pins, held, .. }) = *before;
                self.balls.retain(|ball| (ball.0 as usize) < scene.bodies.len());
                self.rebuild(ctx, scene, &state)?;
                (self.cast, self.pins, self.held) = (cast, pins, held);
                Ok(())
            }
        }
    }

    /// Makes the solver anew, of a scene at a state of it; parameters stay.
    pub(super) fn rebuild(&mut self, ctx: &Context, scene: Scene, state: &State) -> Result<()> {
        let params = *self.solver.params();
        let mut solver = Solver::new(ctx, &scene)?;
        solver.restore(state)?;
        solver.set_params(params)?;
        (self.solver, self.scene, self.changed) = (solver, scene, Changed::Other);
        Ok(())
    }

    /// Saves the world as it stands: a scene file, and its state beside it, with which it goes on when the file is opened.
    ///
    /// # Errors
    /// A file that cannot be written, or a scene that no file can say.
    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        let scene = Scene { params: *self.solver.params(), ..self.scene.clone() };
        let stage = Stage { scene, cast: self.cast.clone(), ..self.start.clone() };
        let text = to_ron(&stage, &format!("the window, from {}", self.target)).map_err(|why| anyhow!(why))?;
        let state = packed(scene_hash(&stage.scene)?, &self.solver.save()?.to_bytes(&self.solver)?)?;
        files::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        let beside = path.with_extension(STATE);
        files::write(&beside, state).with_context(|| format!("cannot write {}", beside.display()))
    }

    /// What was done so far, and how it ended. Waits for the GPU.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) fn take(&self, ctx: &Context) -> Result<Take> {
        let hash = state_hash(&self.solver.read_bodies()?, &self.solver.read_particles()?);
        Ok(Take {
            target: self.target.clone(),
            set: Settings(self.sets.clone()),
            limp_at: self.limp_at.clone(),
            params: self.params.clone(),
            frames: self.frame,
            end: Some(End { state_hash: format!("{hash:016x}"), adapter: ctx.info().name.clone() }),
            path: self.path.clone(),
            deeds: self.deeds.clone(),
        })
    }

    /// Time since the start of the scene [s].
    pub(crate) fn time(&self) -> f32 {
        self.solver.view().time as f32
    }

    /// Whether something was edited that can be taken back.
    pub(crate) fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Whether what is changed next of what was changed last is part of the same edit, until something is let go of.
    pub(crate) fn is_changing(&self) -> bool {
        self.history.is_changing()
    }

    /// How much is pinned.
    pub(crate) fn pins(&self) -> usize {
        self.pins.count()
    }

    /// How far along the ray of the pointer something is held [m]; none without.
    pub(crate) fn depth(&self) -> Option<f32> {
        self.held.and_then(|mut held| held.depth().copied())
    }

    /// The pull on a body that is held, with the pointer's ray there.
    pub(crate) fn drag(&self, ray: Ray) -> Option<Drag> {
        if let Some(Held::Body(grab)) = self.held { Some(grab.drag(ray)) } else { None }
    }

    fn pull(&mut self, ray: Ray, through: bool) -> Result<()> {
        self.held = Held::pull(&mut self.solver, ray, through)?;
        if let Some(Held::Body(grab)) = self.held {
            self.cast.let_go_of(grab.body);
        }
        Ok(())
    }

    /// Pins what the ray meets, or lets it go. Returns what is to be said.
    fn pin(&mut self, ray: Ray, through: bool) -> Result<&'static str> {
        let Some(hit) = pick(&mut self.solver, ray, through)? else { return Ok("there is nothing here to pin") };
        if let Thing::Body(body) = hit.thing
            && self.cast.plays(body)
        {
            // Its clip would take the limb along.
            self.cast.let_go_of(body);
        }
        self.pins.toggle(&mut self.solver, &hit)
    }

    fn hold(&mut self, ray: Ray, seconds: f32) -> Result<()> {
        let Some(held) = &mut self.held else { return Ok(()) };
        held.follow(&mut self.solver, ray, seconds)?;
        if matches!(held, Held::Handle { .. }) {
            self.changed = self.changed.max(Changed::Numbers);
        }
        let pull = self.drag(ray);
        Ok(self.solver.set_drag(pull)?)
    }

    fn let_go(&mut self, ctx: &Context) -> Result<Option<&'static str>> {
        let mut said = None;
        match self.held.take() {
            None => {}
            Some(Held::Handle { grip, before, put, .. }) => self.put_down(ctx, grip, before, put)?,
            Some(Held::Blade { from, to }) => said = self.cut(from, to)?,
            Some(held) => held.let_go(&mut self.solver, &self.pins)?,
        }
        self.history.end_change();
        Ok(said)
    }

    /// Cuts what is between two rays. Returns why nothing was cut of what is there.
    fn cut(&mut self, from: Ray, to: Ray) -> Result<Option<&'static str>> {
        let before = self.moment()?;
        let blade = Blade::swept([from.origin, from.at(BLADE)], [to.origin, to.at(BLADE)]);
        let Cut { parted, whole } = self.solver.cut(&blade)?;
        if !parted.is_empty() {
            self.went_on_as(before);
        }
        let why = whole.first().map(|(_, why)| *why);
        Ok(why.filter(|_| parted.is_empty()))
    }

    /// This moment.
    fn moment(&self) -> Result<Moment> {
        let (cast, pins) = (self.cast.clone(), self.pins.clone());
        Ok(Moment { state: self.solver.save()?, cast, pins, held: self.held, frame: self.frame })
    }

    /// The solver has made another scene of this one.
    fn went_on_as(&mut self, before: Moment) {
        let before = (std::mem::replace(&mut self.scene, self.solver.scene().clone()), before);
        self.keep_edits();
        self.history.edited(Undo::Added(Box::new(before)));
        self.changed = Changed::Other;
    }

    fn add(&mut self, ray: Ray, put: impl FnOnce(&mut Scene, Vec3) -> Result<()>) -> Result<()> {
        let Some(hit) = pick(&mut self.solver, ray, false)? else { bail!("there is nothing here to put it on") };
        let mut scene = self.scene.clone();
        put(&mut scene, hit.point)?;
        self.grow(scene).context("it could not be added")
    }

    /// Goes on with a scene that has more.
    fn grow(&mut self, scene: Scene) -> Result<()> {
        let before = self.moment()?;
        self.solver.spawn(&scene)?;
        let before = (std::mem::replace(&mut self.scene, scene), before);
        self.history.edited(Undo::Added(Box::new(before)));
        self.changed = self.changed.max(Changed::More);
        Ok(())
    }

    /// Makes sure that somebody is there to play.
    fn check_cast(&self) -> Result<()> {
        if self.cast.is_empty() { bail!("no character here is animated") } else { Ok(()) }
    }

    fn toggle_limp(&mut self) -> Result<()> {
        self.check_cast()?;
        if self.cast.is_limp() {
            self.cast.get_up(&self.solver.read_placements()?, self.solver.scene());
        } else {
            self.cast.go_limp();
        }
        Ok(())
    }

    fn drive(&mut self, strength: Option<f32>) -> Result<()> {
        self.check_cast()?;
        for performer in &mut self.cast.performers {
            match strength {
                Some(strength) => performer.drive(strength)?,
                None => performer.hold(),
            }
        }
        Ok(())
    }

    fn drive_limb(&mut self, body: BodyId, strength: f32) -> Result<()> {
        let performers = &mut self.cast.performers;
        let found = performers.iter_mut().find_map(|performer| {
            let limb = performer.bodies().iter().position(|own| *own == body)?;
            Some((limb, performer))
        });
        let Some((limb, performer)) = found else { bail!("this is not a limb of a character") };
        let name = performer.rig().limb_name(limb).to_owned();
        Ok(performer.drive_limb(&name, strength)?)
    }

    fn set_clip(&mut self, clip: usize) -> Result<()> {
        self.check_cast()?;
        if let Some(count) = self.cast.performers.iter().map(|p| p.clips().count()).find(|count| clip >= *count) {
            bail!("there is no clip {clip}; one character has only {count}, counted from 0");
        }
        self.cast.performers.iter_mut().for_each(|p| p.set_clip(Some(clip), FADE));
        Ok(())
    }

    fn performer(&mut self, body: BodyId) -> Result<&mut Performer> {
        let own = self.cast.performers.iter_mut().find(|performer| performer.bodies().contains(&body));
        own.ok_or_else(|| anyhow!("this is not a limb of a character"))
    }

    fn toggle_limp_of(&mut self, body: BodyId) -> Result<()> {
        let down = self.performer(body)?;
        if !down.is_limp() && !down.has_fallen() {
            self.cast.go_limp_with(body);
            return Ok(());
        }
        let lying = self.solver.read_placements()?;
        let own = self.cast.performers.iter_mut().find(|performer| performer.bodies().contains(&body));
        own.into_iter().for_each(|performer| performer.get_up(&lying, self.solver.scene()));
        Ok(())
    }

    fn set_clip_of(&mut self, body: BodyId, clip: usize) -> Result<()> {
        let performer = self.performer(body)?;
        let count = performer.clips().count();
        if clip >= count {
            bail!("there is no clip {clip}; this character has {count}, counted from 0");
        }
        performer.set_clip(Some(clip), FADE);
        Ok(())
    }

    /// Throws a ball from the eye along its ray; the oldest of too many goes.
    fn throw(&mut self, ray: Ray, throw: Throw) -> Result<()> {
        let volume = 4.0 / 3.0 * std::f32::consts::PI * cubed(throw.radius);
        let mut scene = self.scene.clone();
        let mut desc = BodyDesc::sphere(throw.radius, 0.35 * throw.radius)
            .with_mass(volume * throw.density)
            .at(ray.at(2.0 * throw.radius + 0.2))
            .named(format!("ball {}", scene.bodies.len()));
        desc.velocity = ray.direction * throw.speed;
        desc.surface.restitution = 0.3;
        let model = match &self.ball_model {
            Some((radius, model)) if *radius == throw.radius => Arc::clone(model),
            _ => Arc::new(primitive_model(&Shape::Sphere(throw.radius))),
        };
        self.ball_model = Some((throw.radius, Arc::clone(&model)));
        let ball = scene.add_body(desc)?;
        scene.draw_body(ball, &model, BALL_COLOR)?;
        self.grow(scene).context("the ball could not be added")?;
        self.balls.push(ball);
        // Those that have left stay in the list: undo may bring them back.
        let here = || self.balls.iter().filter(|ball| !self.scene.body(**ball).removed);
        if here().count() > MOST_BALLS
            && let Some(oldest) = here().next().copied()
        {
            self.scene.bodies[oldest.0 as usize].removed = true;
            self.solver.remove_body(oldest)?;
        }
        Ok(())
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
        let ids = || self.cast.performers.iter().flat_map(Performer::bodies);
        let points: Vec<Vec3> = ids()
            .flat_map(|id| self.scene.body(*id).links.iter().map(|link| placed[id.0 as usize].point(link.local)))
            .collect();
        let (low, high) = points.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
        let center = 0.5 * (low + high);
        Ok(Some((center, points.iter().map(|p| p.distance(center)).fold(0.01, f32::max))))
    }

    /// A ball around most of what moves [m]: stray bodies and particles far away do not count.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) fn bounds(&self) -> Result<(Vec3, f32)> {
        let states = self.solver.read_bodies()?;
        let bodies = self.scene.bodies.iter().zip(&states).filter(|(b, _)| !b.removed);
        let centers: Vec<Vec3> = bodies.clone().map(|(_, s)| pose(s).0).collect();
        let largest = bodies.map(|(b, _)| self.scene.shapes[b.shape].bounding_radius()).fold(0.0, f32::max);
        let places = self.solver.read_positions()?;
        let free: Vec<usize> = free_particles(&self.scene).filter(|i| !is_stored(places[*i])).collect();
        let radius = free.iter().map(|i| self.scene.particles[*i].radius).fold(0.0, f32::max);
        let places: Vec<Vec3> = free.into_iter().map(|i| places[i]).collect();
        Ok(around(&[(&centers, largest), (&places, radius)]))
    }
}

/// The scene and cast of a stage, with these parameters.
fn first(stage: &Stage, params: &Settings) -> Result<(Scene, Cast)> {
    let Stage { mut scene, cast, .. } = stage.clone();
    params.apply(&mut scene.params).map_err(|why| anyhow!(why))?;
    Ok((scene, cast))
}

/// What a deed is called in a take.
fn name(deed: &Deed) -> String {
    let text = format!("{deed:?}");
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}

/// Whether a target is a scene file with a state beside it, from which it goes on.
pub(crate) fn is_continued(target: &str) -> bool {
    is_scene_file(target) && files::is_there(&Path::new(target).with_extension(STATE))
}

/// Goes on from the state that was saved beside a scene file, with the parameters of `scene`; from its start, with a warning, where that
/// does not fit any more.
///
/// # Errors
/// The device cannot hold it.
fn continue_saved(solver: &mut Solver, target: &str, scene: &Scene) -> Result<()> {
    if !is_continued(target) {
        return Ok(());
    }
    let beside = Path::new(target).with_extension(STATE);
    match restore_saved(solver, &beside, scene) {
        Ok(()) => Ok(solver.set_params(scene.params)?),
        Err(why) => {
            log::warn!("{} does not fit, so the scene starts from the beginning: {why:#}", beside.display());
            Ok(())
        }
    }
}

fn restore_saved(solver: &mut Solver, beside: &Path, scene: &Scene) -> Result<()> {
    let (of, state) = unpacked(&files::read(beside)?, solver.save()?.bytes())?;
    // A state knows what a world is made of, not what its file says of masses or of where colliders are.
    if of != scene_hash(scene)? {
        bail!("its scene has changed since, or another version of this program made it");
    }
    Ok(solver.restore(&State::from_bytes(&state, solver)?)?)
}

/// The ball around boxes of points, each with a margin.
fn around(groups: &[(&[Vec3], f32)]) -> (Vec3, f32) {
    let groups = groups.iter().filter(|(points, _)| !points.is_empty());
    let boxes: Vec<([Vec3; 2], f32)> = groups.map(|(points, margin)| (most(points), *margin)).collect();
    if boxes.is_empty() {
        return (Vec3::ZERO, 1.0);
    }
    let low = boxes.iter().map(|([low, _], _)| *low).fold(Vec3::MAX, Vec3::min);
    let high = boxes.iter().map(|([_, high], _)| *high).fold(Vec3::MIN, Vec3::max);
    let margin = boxes.iter().map(|(_, margin)| *margin).fold(0.0, f32::max);
    (0.5 * (low + high), 0.5 * low.distance(high) + margin)
}

/// Low and high corner of the box that holds all but a twentieth of the points at each end of each axis.
fn most(points: &[Vec3]) -> [Vec3; 2] {
    let ends = |axis: usize| {
        let mut values: Vec<f32> = points.iter().map(|p| p[axis]).collect();
        values.sort_by(f32::total_cmp);
        let stray = values.len() / 20;
        (values[stray], values[values.len() - 1 - stray])
    };
    let [x, y, z] = [ends(0), ends(1), ends(2)];
    [Vec3::new(x.0, y.0, z.0), Vec3::new(x.1, y.1, z.1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::blast::Bang;
    use crate::app::tools::Tool;
    use crate::scene::{ColliderId, DeformableId, Dynamics, JointId, Surface};

    #[test]
    fn strays_do_not_widen_the_view() {
        let mut points: Vec<Vec3> = (0..40).map(|i| Vec3::new(i as f32 * 0.1, 1.0, 0.0)).collect();
        points.push(Vec3::splat(1.0e6));
        let (center, radius) = around(&[(&points, 0.5), (&[], 9.0)]);
        assert!((center.y - 1.0).abs() < 1e-5 && center.x < 4.0);
        assert!(radius < 3.0, "{radius}");
        let (center, radius) = around(&[(&points, 0.5), (&[Vec3::Y * 9.0], 0.1)]);
        assert!((center.y - 5.0).abs() < 1e-5 && radius > 4.5, "one of another kind counts: {radius}");
        assert_eq!(around(&[(&[], 0.5)]), (Vec3::ZERO, 1.0));
    }

    /// What somebody does who plays with everything: a deed for each number, along a ray from above.
    fn deed(number: u32, random: &mut crate::spawn::Random) -> Deed {
        let origin = Vec3::new(random.between(-0.5, 0.5), 3.0, random.between(-0.5, 0.5));
        let direction = Vec3::new(random.between(-0.1, 0.1), -1.0, random.between(-0.1, 0.1)).normalize();
        let ray = Ray { origin, direction };
        match number % 13 {
            0 => Deed::Throw { ray, ball: Throw::default() },
            1 => Deed::Explode { ray, bang: Bang { speed: 3.0, radius: 1.0 } },
            2 => Deed::Pull { ray, through: true },
            3 => Deed::Reach(2.5),
            4 => Deed::LetGo,
            5 => Deed::Pin { ray, through: false },
            6 => Deed::Put { tool: Tool::Crate, ray },
            7 => Deed::Undo,
            8 if random.between(0.0, 1.0) < 0.5 => Deed::Blow { ray },
            8 => Deed::Pump { ray, out: false },
            9 => Deed::Limp,
            12 => Deed::Cut { ray },
            10 => Deed::Params(Settings(vec![("gravity_x".into(), random.between(-1.0, 1.0).to_string())])),
            _ => Deed::Unpin,
        }
    }

    /// What `steps` frames of a player do; the pointer follows what it holds.
    fn play(played: &mut Played, ctx: &Context, steps: u32) {
        let mut random = crate::spawn::Random::new(7);
        for (i, tool) in [Tool::Jelly, Tool::Water, Tool::Dancer].into_iter().enumerate() {
            let ray = Ray { origin: Vec3::new(1.2 * i as f32 - 1.2, 3.0, 0.0), direction: Vec3::NEG_Y };
            played.apply(ctx, &Deed::Put { tool, ray }).unwrap();
        }
        for step in 0..steps {
            let wanted = deed(random.between(0.0, 13.0) as u32, &mut random);
            // Nothing may be there to put something on or to take away.
            let _ = played.apply(ctx, &wanted);
            if played.held.is_some() {
                let ray = Ray { origin: Vec3::new(0.1, 3.0, 0.01 * step as f32), direction: Vec3::NEG_Y };
                played.apply(ctx, &Deed::Hold { ray, seconds: 1.0 / 60.0 }).unwrap();
            }
            played.step().unwrap();
            played.remember().unwrap();
            if step % 17 == 16 {
                let _ = played.rewind();
            }
        }
    }

    #[test]
    fn a_take_does_the_same_again() {
        let ctx = Context::shared().expect("adapter");
        let sets = vec![("height".to_owned(), "2".to_owned())];
        let mut played = Played::open(&ctx, "tower", sets, &[]).unwrap();
        played.apply(&ctx, &Deed::Params(Settings(vec![("wind_x".into(), "0.3".into())]))).unwrap();
        played.step().unwrap();
        played.reset(&ctx).unwrap();
        play(&mut played, &ctx, 30);
        let take = played.take(&ctx).unwrap();
        assert_eq!(take.params.0, [("wind_x".to_owned(), "0.3".to_owned())]);
        let kinds: std::collections::BTreeSet<String> = take.deeds.iter().map(|(_, deed)| name(deed)).collect();
        println!("{} frames, {} deeds: {kinds:?}", take.frames, take.deeds.len());
        assert!(kinds.len() > 9, "{kinds:?}");

        let folder = std::env::temp_dir().join(format!("sinew-take-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("x.take.ron");
        take.write(&path).unwrap();
        assert_eq!(Take::load(&path).unwrap(), take);
        let mut again = Played::open(&ctx, path.to_str().unwrap(), Vec::new(), &[]).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        for _ in 0..take.frames {
            again.follow_take(&ctx).unwrap();
            again.step().unwrap();
        }
        again.follow_take(&ctx).unwrap();
        assert!(!again.is_replayed());
        assert_eq!(again.take(&ctx).unwrap(), take, "another end");
    }

    #[test]
    fn a_world_goes_on_when_its_device_is_lost() {
        let ctx = Context::headless(None).expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "2".to_owned())], &[]).unwrap();
        let wind = Deed::Blow { ray: Ray { origin: Vec3::new(3.0, 1.0, 0.0), direction: Vec3::X } };
        let heavy = Deed::Edit(Edit::Mass(BodyId(0), 3.0));
        for frame in 0..130 {
            match frame {
                119 => _ = played.apply(&ctx, &heavy).unwrap(),
                120 => _ = played.apply(&ctx, &wind).unwrap(),
                125 => _ = played.apply(&ctx, &Deed::LetGo).unwrap(),
                _ => {}
            }
            played.step().unwrap();
            ctx.wait().unwrap();
        }
        ctx.device.destroy();
        let _ = ctx.device.poll(wgpu::PollType::wait_indefinitely());
        assert!(ctx.is_lost());
        let fresh = Context::headless(None).expect("adapter");
        played.reopen(&fresh).unwrap();
        assert_eq!(played.frame, 120);
        assert_eq!(played.deeds, [(119, heavy), (120, wind)]);
        assert!(matches!(played.held, Some(Held::Wind { .. })), "{:?}", played.held);
        played.apply(&fresh, &Deed::LetGo).unwrap();
        assert!(played.solver.scene().fields.iter().all(Option::is_none), "a wind is left");
        played.apply(&fresh, &Deed::Undo).unwrap();
        assert_ne!(played.scene.bodies[0].mass, 3.0);
        assert!(!played.can_undo());
        // Something can be put there, taken away, and lost again before a moment is kept.
        let ray = Ray { origin: Vec3::new(0.5, 3.0, 0.0), direction: Vec3::NEG_Y };
        played.apply(&fresh, &Deed::Put { tool: Tool::Crate, ray }).unwrap();
        played.step().unwrap();
        played.apply(&fresh, &Deed::Undo).unwrap();
        played.step().unwrap();
        assert!(played.solver.read_health().unwrap().is_good());
    }

    #[test]
    fn what_was_changed_after_a_moment_is_not_taken_back_in_it() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let go_on = |played: &mut Played, frames: u32| {
            for _ in 0..frames {
                played.step().unwrap();
                played.remember().unwrap();
            }
        };
        let light = played.scene.bodies[0].mass;
        let heavy = Deed::Edit(Edit::Mass(BodyId(0), 3.0 * light));
        let floats = Deed::Edit(Edit::Dynamics(BodyId(0), Dynamics { gravity_scale: 0.5, ..Dynamics::default() }));
        go_on(&mut played, 1);
        played.apply(&ctx, &heavy).unwrap();
        go_on(&mut played, 7);
        played.apply(&ctx, &floats).unwrap();
        go_on(&mut played, 2);
        played.rewind().unwrap();
        assert_eq!((played.frame, &played.deeds[..]), (7, &[(1, heavy)][..]));
        let undo = |played: &mut Played| {
            played.apply(&ctx, &Deed::Undo).unwrap();
            assert_eq!((played.scene.bodies[0].mass, played.can_undo()), (light, false));
        };
        undo(&mut played);
        // Nor is what was taken back after it.
        go_on(&mut played, 2);
        played.rewind().unwrap();
        assert_eq!((played.frame, played.scene.bodies[0].mass), (7, 3.0 * light));
        undo(&mut played);
        played.rewind().unwrap();
        assert!(played.frame == 1 && played.deeds.is_empty() && !played.can_undo());
    }

    #[test]
    fn a_saved_scene_goes_on_from_where_it_stood() {
        let ctx = Context::shared().expect("adapter");
        let hash = |played: &Played| {
            state_hash(&played.solver.read_bodies().unwrap(), &played.solver.read_particles().unwrap())
        };
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "3".to_owned())], &[]).unwrap();
        let ray = Ray { origin: Vec3::new(1.0, 3.0, 0.0), direction: Vec3::NEG_Y };
        for tool in [Tool::Cloth, Tool::Crate] {
            played.apply(&ctx, &Deed::Put { tool, ray }).unwrap();
        }
        let start = hash(&played);
        (0..15).for_each(|_| played.step().unwrap());
        let folder = std::env::temp_dir().join(format!("sinew-saved-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("stands.ron");
        played.save(&path).unwrap();
        let (on_disk, in_memory) =
            (path.with_extension(STATE).metadata().unwrap().len(), played.solver.save().unwrap().bytes());
        assert!(on_disk < in_memory / 3, "{on_disk} bytes of {in_memory}");
        let open = || Played::open(&ctx, path.to_str().unwrap(), Vec::new(), &[]).unwrap();
        let mut again = open();
        assert_eq!((hash(&again), again.solver.view().time), (hash(&played), played.solver.view().time));
        for _ in 0..10 {
            again.step().unwrap();
            played.step().unwrap();
        }
        assert_eq!(hash(&again), hash(&played), "it goes on otherwise");
        std::fs::remove_file(path.with_extension(STATE)).unwrap();
        assert_eq!(hash(&open()), start, "without its state it begins at its start");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_blade_parts_what_it_is_drawn_over_and_undo_mends_it() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let ray = |x: f32, z: f32| {
            let (origin, at) = (Vec3::new(3.0, 4.0, 0.0), Vec3::new(x, 0.2, z));
            Ray { origin, direction: (at - origin).normalize() }
        };
        let put = Ray { origin: Vec3::new(3.0, 4.0, 0.0), direction: Vec3::NEG_Y };
        for tool in [Tool::Cloth, Tool::Jelly] {
            played.apply(&ctx, &Deed::Put { tool, ray: put }).unwrap();
            let whole = played.scene.particles.len();
            let cut = |played: &mut Played, to: Ray| {
                played.apply(&ctx, &Deed::Cut { ray: ray(3.02, -2.0) }).unwrap();
                played.apply(&ctx, &Deed::Hold { ray: to, seconds: 0.0 }).unwrap();
                played.apply(&ctx, &Deed::LetGo).unwrap()
            };
            assert_eq!(cut(&mut played, ray(9.0, -2.0)), None, "nothing is there");
            assert_eq!(played.scene.particles.len(), whole);
            assert_eq!(cut(&mut played, ray(3.03, 2.0)), None);
            assert!(played.scene.particles.len() > whole + 5, "{tool:?} is whole");
            assert_eq!((played.held.is_none(), played.changed), (true, Changed::Other));
            (0..5).for_each(|_| played.step().unwrap());
            played.apply(&ctx, &Deed::Undo).unwrap();
            assert_eq!(played.scene.particles.len(), whole);
            played.step().unwrap();
            cut(&mut played, ray(3.03, 2.0));
            assert!(played.solver.read_health().unwrap().is_good());
            played.apply(&ctx, &Deed::Undo).unwrap();
            played.apply(&ctx, &Deed::Undo).unwrap();
        }
    }

    #[test]
    fn deeds_that_find_nobody_and_nothing_are_refused_and_not_kept() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let gizmo =
            "Grip(gizmo: (collider: 99, at: (0, 1, 0), rotation: (0, 0, 0, 1), size: 0.3), handle: Scale, start: 0)";
        let text = format!("(format: 1, target: \"tower\", frames: 1, deeds: [(0, {gizmo})])");
        let gone = Take::parse(Path::new("x.take.ron"), &text).unwrap().deeds.remove(0).1;
        for (deed, words) in [
            (Deed::Limp, "no character here is animated"),
            (Deed::Clip(0), "no character here is animated"),
            (Deed::Drive(None), "no character here is animated"),
            (gone, "collider 99"),
        ] {
            let told = played.apply(&ctx, &deed).unwrap_err().to_string();
            assert!(told.contains(words), "{deed:?}: {told}");
        }
        assert!(played.deeds.is_empty() && played.held.is_none());
    }

    /// The dancer without crates and without clothes.
    fn alone() -> Vec<(String, String)> {
        [("count", "0"), ("clothes", "off")].map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec()
    }

    #[test]
    fn what_is_pinned_of_who_plays_stays_there() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "dancer", alone(), &[]).unwrap();
        (0..5).for_each(|_| played.step().unwrap());
        let place = |played: &Played, body: BodyId| played.solver.read_placements().unwrap()[body.0 as usize].position;
        let bodies = played.cast.performers[0].bodies().to_vec();
        let highest = |a: &&BodyId, b: &&BodyId| place(&played, **a).y.total_cmp(&place(&played, **b).y);
        let top = *bodies.iter().max_by(highest).unwrap();
        let ray = Ray { origin: place(&played, top) + 2.0 * Vec3::Y, direction: Vec3::NEG_Y };
        let Thing::Body(body) = pick(&mut played.solver, ray, false).unwrap().unwrap().thing else { panic!("no body") };
        assert!(played.cast.plays(body));
        assert_eq!(played.apply(&ctx, &Deed::Pin { ray, through: false }).unwrap(), Some("pinned"));
        let (before, hips) = (place(&played, body), place(&played, bodies[0]));
        let stays = |played: &mut Played| {
            (0..15).for_each(|_| played.step().unwrap());
            place(played, body).distance(before)
        };
        assert!(stays(&mut played) < 1e-3 && played.pins() == 1);
        assert!(place(&played, bodies[0]).distance(hips) > 0.02, "the rest hangs on it");
        // Who is limp already lets go of nothing.
        played.apply(&ctx, &Deed::LimpOf(body)).unwrap();
        played.step().unwrap();
        assert_eq!(played.pins(), 0, "who gets up plays with all limbs");
        let ray = Ray { origin: place(&played, body) + Vec3::Y, ..ray };
        played.apply(&ctx, &Deed::Pin { ray, through: false }).unwrap();
        played.apply(&ctx, &Deed::Unpin).unwrap();
        assert!(stays(&mut played) > 0.02 && played.pins() == 0, "it is let go of");
    }

    #[test]
    fn a_hidden_collider_is_moved_where_it_will_be_shown() {
        let ctx = Context::shared().expect("adapter");
        let folder = std::env::temp_dir().join(format!("sinew-hidden-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("hidden.ron");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let (ground, low) = (ColliderId(0), Vec3::new(0.0, -1.0, 0.0));
        let start = played.scene.colliders[0].position;
        let turn = played.scene.colliders[0].rotation;
        let place = |played: &Played| played.solver.collider_place(ground).unwrap().0;
        let mut edit = |edit: Edit| {
            played.apply(&ctx, &Deed::Edit(edit)).unwrap();
            (place(&played), played.scene.colliders[0].position)
        };
        assert_eq!(edit(Edit::Present(ground, false)), (start, start));
        assert_eq!(edit(Edit::put(ground, low, turn)), (low, low));
        played.apply(&ctx, &Deed::Undo).unwrap();
        assert_eq!((place(&played), played.scene.colliders[0].position), (start, start));
        played.apply(&ctx, &Deed::Edit(Edit::put(ground, low, turn))).unwrap();
        played.save(&path).unwrap();
        let mut again = Played::open(&ctx, path.to_str().unwrap(), Vec::new(), &[]).unwrap();
        assert_eq!((again.start().colliders[0].position, place(&again)), (low, low));
        assert!(!again.solver.is_collider_present(ground).unwrap());
        again.apply(&ctx, &Deed::Edit(Edit::Present(ground, true))).unwrap();
        assert_eq!(again.solver.scene().colliders[0].position, low);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn who_takes_hold_anew_lets_go_first() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let ray = Ray { origin: Vec3::new(1.5, 3.0, 0.0), direction: Vec3::NEG_Y };
        played.apply(&ctx, &Deed::Put { tool: Tool::Cloth, ray }).unwrap();
        let pull = Deed::Pull { ray, through: false };
        for deed in [Deed::Blow { ray }, Deed::Blow { ray }, pull.clone(), pull, Deed::LetGo] {
            played.apply(&ctx, &deed).unwrap();
            assert_eq!(played.held.is_some(), deed.takes_hold(), "{deed:?}");
        }
        assert!(played.solver.scene().fields.iter().all(Option::is_none), "a wind is left");
        assert_eq!(played.solver.pinned().count(), 0, "a pin is left");
    }

    #[test]
    fn all_that_moves_is_in_view() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let near = played.bounds().unwrap().1;
        let ray = Ray { origin: Vec3::new(6.0, 3.0, 0.0), direction: Vec3::NEG_Y };
        played.apply(&ctx, &Deed::Put { tool: Tool::Water, ray }).unwrap();
        let (center, radius) = played.bounds().unwrap();
        assert!(radius > near + 2.0 && center.x > 2.0, "{center} {radius}");
    }

    #[test]
    fn parameters_that_nobody_changed_are_those_of_the_new_build() {
        let ctx = Context::shared().expect("adapter");
        let sets = [("count", "0"), ("substeps", "5")].map(|(key, value)| (key.to_owned(), value.to_owned()));
        let limp_at: LimpAt = "9".parse().unwrap();
        let mut played = Played::open(&ctx, "dancer", sets.to_vec(), std::slice::from_ref(&limp_at)).unwrap();
        assert_eq!((played.changed_params().0, played.limp_at()), (Vec::new(), &[limp_at][..]));
        played.apply(&ctx, &Deed::Params(Settings(vec![("wind_x".into(), "0.5".into())]))).unwrap();
        assert_eq!(played.changed_params().0, [("wind_x".to_owned(), "0.5".to_owned())]);
    }

    #[test]
    fn a_saved_scene_begins_again_where_it_was_saved() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "2".to_owned())], &[]).unwrap();
        let ray = |x: f32| Ray { origin: Vec3::new(x, 3.0, 0.0), direction: Vec3::NEG_Y };
        played.apply(&ctx, &Deed::Put { tool: Tool::Cloth, ray: ray(1.5) }).unwrap();
        played.apply(&ctx, &Deed::Params(Settings(vec![("wind_x".into(), "0.5".into())]))).unwrap();
        (0..3).for_each(|_| played.step().unwrap());
        for x in [0.0, 1.5] {
            let pin = Deed::Pin { ray: ray(x), through: false };
            assert_eq!(played.apply(&ctx, &pin).unwrap(), Some("pinned"));
        }
        let folder = std::env::temp_dir().join(format!("sinew-again-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("again.ron");
        played.save(&path).unwrap();
        let sets = vec![("gravity_x".to_owned(), "0.25".to_owned())];
        let mut again = Played::open(&ctx, path.to_str().unwrap(), sets, &[]).unwrap();
        let now = |played: &Played| (played.solver.view().time, played.pins(), played.solver.params().wind.x);
        assert_eq!(now(&again), now(&played));
        assert_eq!((again.pins(), again.solver.params().gravity.x), (2, 0.25));
        again.step().unwrap();
        again.apply(&ctx, &Deed::Params(Settings(vec![("wind_x".into(), "0.75".into())]))).unwrap();
        again.reset(&ctx).unwrap();
        assert_eq!(now(&again), (played.solver.view().time, 2, 0.75));
        let take = again.take(&ctx).unwrap();
        assert_eq!(take.params.0, [("wind_x".to_owned(), "0.75".to_owned())]);
        again.apply(&ctx, &Deed::Unpin).unwrap();
        assert_eq!((again.solver.pinned().count(), again.solver.held_bodies().count()), (0, 0));
        let takes = folder.join("x.take.ron");
        take.write(&takes).unwrap();
        let taken = Played::open(&ctx, takes.to_str().unwrap(), Vec::new(), &[]).unwrap();
        assert_eq!(now(&taken), (played.solver.view().time, 2, 0.75));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_changed_in_a_saved_file_holds() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        played.apply(&ctx, &Deed::Params(Settings(vec![("wind_x".into(), "0.5".into())]))).unwrap();
        (0..3).for_each(|_| played.step().unwrap());
        let folder = std::env::temp_dir().join(format!("sinew-changed-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("changed.ron");
        played.save(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let opened = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
            let again = Played::open(&ctx, path.to_str().unwrap(), Vec::new(), &[]).unwrap();
            let (scene, params) = (again.solver.scene(), *again.solver.params());
            ((again.solver.view().time * 60.0).round() as u32, scene.bodies[0].mass, params.gravity.y, params.wind.x)
        };
        let mass = played.scene.bodies[0].mass;
        assert_eq!(opened("eye: (", "eye: (1"), (3, mass, -9.81, 0.5), "it goes on");
        assert_eq!(opened("gravity: (0.0, -9.81,", "gravity: (0.0, -3.0,"), (3, mass, -3.0, 0.5), "with less weight");
        assert_eq!(opened(&format!("mass: {mass:?}"), "mass: 54.0"), (0, 54.0, -9.81, 0.5), "it begins anew");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_held_for_characters_is_no_pin_of_a_saved_scene() {
        let ctx = Context::shared().expect("adapter");
        let folder = std::env::temp_dir().join(format!("sinew-held-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("held.ron");
        let saved = |played: &Played| {
            played.save(&path).unwrap();
            Played::open(&ctx, path.to_str().unwrap(), Vec::new(), &[]).unwrap().pins()
        };
        let mut played = Played::open(&ctx, "dancer", alone(), &[]).unwrap();
        (0..3).for_each(|_| played.step().unwrap());
        assert!(played.solver.held_bodies().count() > 9);
        assert_eq!(saved(&played), 0, "who plays");
        played.apply(&ctx, &Deed::Limp).unwrap();
        assert!(played.solver.held_bodies().count() > 9, "until the next frame");
        assert_eq!(saved(&played), 0, "who goes limp");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn who_takes_over_lets_go_of_what_the_take_holds() {
        let ctx = Context::shared().expect("adapter");
        let ray = Ray { origin: Vec3::new(0.0, 3.0, 0.0), direction: Vec3::NEG_Y };
        let due = [(0, Deed::Blow { ray }), (3, Deed::Limp)].into();
        let mut played = Played::open(&ctx, "tower", Vec::new(), &[]).unwrap();
        played.replay = Some(Replay { due, frames: 9 });
        played.follow_take(&ctx).unwrap();
        played.step().unwrap();
        assert!(played.is_replayed() && played.held.is_some());
        for deed in [Deed::Undo, Deed::Pump { ray, out: false }] {
            assert!(played.apply(&ctx, &deed).is_err());
            assert!(played.is_replayed() && played.held.is_some(), "{deed:?} cannot be done");
        }
        for deed in [Deed::Unpin, Deed::LetGo] {
            played.apply(&ctx, &deed).unwrap();
        }
        assert!(!played.is_replayed() && played.held.is_none());
        assert_eq!(played.deeds, [(0, Deed::Blow { ray }), (1, Deed::Unpin), (1, Deed::LetGo)]);
    }

    #[test]
    fn a_deed_of_a_take_stays_the_next_until_it_is_done() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let due = [(0, Deed::Unpin), (0, Deed::Undo), (0, Deed::Limp)].into();
        played.replay = Some(Replay { due, frames: 9 });
        played.follow_deed(&ctx).unwrap();
        for _ in 0..2 {
            let told = format!("{:#}", played.follow_deed(&ctx).unwrap_err());
            assert!(told.contains("frame 0 of the take, Undo") && played.is_due(), "{told}");
        }
        assert!(played.follow_take(&ctx).is_err());
        assert!(!played.is_due() && !played.is_replayed());
        assert_eq!(played.deeds, [(0, Deed::Unpin)]);
    }

    #[test]
    fn what_is_changed_until_it_is_let_go_of_is_one_edit() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let turn = played.scene.colliders[0].rotation;
        let place = |played: &Played| played.solver.collider_place(ColliderId(0)).unwrap().0.y;
        let start = place(&played);
        let drag = |played: &mut Played, to: [f32; 2]| {
            for y in to {
                let edit = Edit::put(ColliderId(0), Vec3::new(0.0, y, 0.0), turn);
                played.apply(&ctx, &Deed::Edit(edit)).unwrap();
                assert!(played.is_changing());
                played.step().unwrap();
                played.remember().unwrap();
            }
        };
        drag(&mut played, [-0.1, -0.2]);
        played.apply(&ctx, &Deed::LetGo).unwrap();
        assert!(!played.is_changing());
        drag(&mut played, [-0.3, -0.4]);
        played.apply(&ctx, &Deed::LetGo).unwrap();
        for y in [-0.2, start] {
            played.apply(&ctx, &Deed::Undo).unwrap();
            assert_eq!(place(&played), y);
        }
        assert!(!played.can_undo());
    }

    #[test]
    fn too_many_balls_are_never_there_and_what_cannot_be_taken_back_is_told() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let ray = Ray { origin: Vec3::new(0.0, 30.0, 0.0), direction: Vec3::Y };
        let throw = |played: &mut Played, count: usize| {
            for _ in 0..count {
                let ray = Ray { origin: ray.origin + Vec3::X * played.scene.bodies.len() as f32, ..ray };
                played.apply(&ctx, &Deed::Throw { ray, ball: Throw::default() }).unwrap();
            }
        };
        let here = |played: &Played| played.solver.scene().bodies[1..].iter().filter(|body| !body.removed).count();
        let undo = |played: &mut Played| played.apply(&ctx, &Deed::Undo).map_err(|why| format!("{why:#}"));
        assert_eq!(undo(&mut played), Err("nothing to undo".into()));
        throw(&mut played, MOST_BALLS + 3);
        assert_eq!(here(&played), MOST_BALLS);
        for _ in 0..2 {
            undo(&mut played).unwrap();
        }
        assert_eq!(here(&played), MOST_BALLS);
        throw(&mut played, 4);
        assert_eq!(here(&played), MOST_BALLS);
        while undo(&mut played).is_ok() {}
        let why = undo(&mut played).unwrap_err();
        assert!(why.starts_with("nothing more can be undone"), "{why}");
        played.step().unwrap();
        assert!(played.solver.read_health().unwrap().is_good());
    }

    #[test]
    fn what_is_not_there_is_told_and_changes_nothing() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", Vec::new(), &[]).unwrap();
        let (body, collider, object) = (BodyId(99), ColliderId(99), DeformableId(99));
        let (surface, far) = (Surface::default(), Ray { origin: Vec3::splat(90.0), direction: Vec3::Y });
        let edits = [
            Edit::Mass(body, 1.0),
            Edit::Mass(BodyId(0), f32::NAN),
            Edit::Dynamics(body, Dynamics::default()),
            Edit::Surface(Thing::Body(body), surface),
            Edit::Surface(Thing::Collider(collider), surface),
            Edit::Surface(Thing::Deformable(object), surface),
            Edit::JointFriction(JointId(99), 0.0),
            Edit::JointDamping(JointId(99), 0.0),
            Edit::put(collider, Vec3::ZERO, glam::Quat::IDENTITY),
            Edit::put(ColliderId(0), Vec3::splat(f32::NAN), glam::Quat::IDENTITY),
            Edit::Scale(collider, 1.0),
            Edit::Present(collider, false),
        ];
        let put = [Deed::Put { tool: Tool::Pull, ray: far }, Deed::Put { tool: Tool::Crate, ray: far }, Deed::Undo];
        let file = Deed::PutModel { file: "nowhere.glb".into(), ray: Ray { direction: Vec3::NEG_Y, ..far } };
        for deed in edits.map(Deed::Edit).into_iter().chain(put).chain([file]) {
            let error = played.apply(&ctx, &deed).expect_err("a fault");
            assert!(!format!("{error:#}").is_empty(), "{deed:?}");
        }
        assert!(played.deeds.is_empty() && !played.can_undo());
        played.step().unwrap();
        assert!(played.solver.read_health().unwrap().is_good());
    }
}
