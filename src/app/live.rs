//! An open window with a running scene: events in, frames out.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use glam::Vec2;
use web_time::Instant;
use winit::event::{KeyEvent, Touch, TouchPhase, WindowEvent};
#[cfg(not(target_arch = "wasm32"))]
use winit::event_loop::ActiveEventLoop;

use super::camera::Viewer;
use super::clock::Clock;
use super::deed::Deed;
use super::event_loop::Shown;
use super::film::Film;
use super::grab::Ray;
use super::history::NothingToUndo;
use super::keys::{self, Action, Flight};
use super::launch::{Launch, Level, stem};
use super::overlay::Overlay;
use super::panel::{Facts, Notice, Pace, Panel};
use super::pointer::{Hold, Pointer, Press};
use super::select::gizmo;
use super::settings::Settings;
use super::tidy::tidy;
#[cfg(target_arch = "wasm32")]
use super::timed::Timed;
use super::tools::Tool;
use super::tools::held::Held;
use super::touch::{Fingers, Touched};
use super::watch::Watch;
#[cfg(target_arch = "wasm32")]
use super::web::asked::{self, Asked};
use super::window::{Display, RETRY};
use super::world::World;
use crate::gpu::{Attempt, Context};
use crate::import::is_model_file;
use crate::render::{Camera, DragLine, Quality};
use crate::scene::View;
use crate::scene_file::{is_camera_path, is_scene_file, is_take};

/// Frames in which it is said that something is built before it is: the first measures how large the words are.
const ANNOUNCED: u32 = 3;
/// Time after which a world that was left is wholly gone, on the GPU too.
const TIDIES: Duration = Duration::from_secs(1);

/// What a player asked for, to be done in order: what reads back may have to be attempted again.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    Action(Action),
    Deed(Deed),
    /// Selects what the ray meets; where it is true, through colliders.
    Select(Ray, bool),
    /// The next deed of the take.
    Follow,
}

impl Wish {
    /// Whether somebody has chosen it just now: what is held goes on by itself, and a take too.
    fn is_chosen(&self) -> bool {
        !matches!(self, Self::Follow | Self::Deed(Deed::Hold { .. } | Deed::LetGo | Deed::Reach(_)))
    }

    /// The file or demo that it builds, which takes so long that it is announced.
    fn builds(&self) -> Option<String> {
        match self {
            Self::Action(Action::Open(target)) => Some(target.clone()),
            Self::Deed(Deed::PutModel { file, .. }) => Some(file.display().to_string()),
            _ => None,
        }
    }
}

/// Everything behind one window.
pub(crate) struct Live {
    display: Display,
    pub(super) ctx: Context,
    pub(super) world: World,
    overlay: Overlay,
    pub(super) panel: Panel,
    pub(super) viewer: Viewer,
    /// The viewer that the scene asks for, in what the panel leaves free, and how many times as wide as high that is.
    pub(super) home: Viewer,
    home_aspect: f32,
    flight: Flight,
    pointer: Pointer,
    fingers: Fingers,
    pub(super) clock: Clock,
    pub(super) film: Option<Film>,
    /// Size of the film's frames [pixels]: the window may change, a film cannot.
    pub(super) film_size: (u32, u32),
    /// Frames simulated since the film began.
    pub(super) filmed: u32,
    /// Whether it looks along the camera path of the world.
    pub(super) rides: bool,
    /// Where the path had it last, while it rides.
    pub(super) ridden: Option<Viewer>,
    /// What was said to be built, and in how many frames.
    announced: Option<(String, u32)>,
    /// The scene file, if the world is of one.
    pub(super) watch: Watch,
    #[cfg(feature = "shader-reload")]
    shader_watch: Watch,
    pace: Pace,
    wishes: VecDeque<Wish>,
    /// At the first of them.
    attempt: Attempt,
    /// Whether a wish is being done.
    granting: bool,
    #[cfg(target_arch = "wasm32")]
    timed: Timed,
    /// Where it is remembered how the window was left; not where something is that could not be read.
    settings: Option<PathBuf>,
    /// When memory of the world before is given back, if that is to come.
    tidies: Option<Instant>,
    last: Instant,
}

impl Live {
    /// Opens the window and the scene.
    ///
    /// # Errors
    /// No window, no adapter, or an unknown target.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn open(event_loop: &ActiveEventLoop, launch: &Launch) -> Result<Self> {
        let (mut left, problem) = match Settings::path().map(|path| Settings::load(&path)) {
            None => (Settings::default(), None),
            Some(Ok(left)) => (left, None),
            Some(Err(error)) => (Settings::default(), Some(format!("{error:#}"))),
        };
        left.level = launch.level.unwrap_or(left.level);
        let (display, ctx) = Display::open(event_loop, &launch.adapter, left.size)?;
        let mut live = Self::new(display, ctx, launch, &left)?;
        match problem {
            Some(problem) => live.say(problem, true),
            None => live.settings = Settings::path(),
        }
        Ok(live)
    }

    /// Opens the scene on a window that is there.
    ///
    /// # Errors
    /// An unknown target, or the device cannot hold it.
    pub(crate) fn new(display: Display, ctx: Context, launch: &Launch, left: &Settings) -> Result<Self> {
        let watch = Watch::new(&launch.target);
        let world = {
            let drawn = (display.format(), left.level.quality(&ctx));
            World::open(&ctx, &launch.target, launch.sets.clone(), &launch.limp_at, drawn)?
        };
        let overlay = Overlay::new(&ctx, &display.window, display.format());
        let mut live = Self {
            viewer: Viewer::new(View::default()),
            home: Viewer::new(View::default()),
            home_aspect: 0.0,
            watch: if world.target == launch.target { watch } else { Watch::new(&world.target) },
            rides: !world.path.is_empty(),
            ridden: None,
            announced: None,
            display,
            ctx,
            world,
            overlay,
            panel: Panel::new(left),
            flight: Flight::default(),
            pointer: Pointer::default(),
            fingers: Fingers::default(),
            clock: Clock::default(),
            film: None,
            film_size: (0, 0),
            filmed: 0,
            #[cfg(feature = "shader-reload")]
            shader_watch: Watch::shaders(),
            pace: Pace::default(),
            wishes: VecDeque::new(),
            attempt: Attempt::default(),
            granting: false,
            #[cfg(target_arch = "wasm32")]
            timed: Timed::default(),
            settings: None,
            tidies: None,
            last: Instant::now(),
        };
        live.go_home();
        live.retitle();
        Ok(live)
    }

    /// Size of the picture [pixels].
    pub(super) fn size(&self) -> (u32, u32) {
        self.display.size()
    }

    /// Lets go of what the mouse holds: it is about to vanish.
    pub(super) fn let_go(&mut self) {
        self.pointer.release();
    }

    pub(super) fn retitle(&mut self) {
        self.display.window.set_title(&format!("{} - Sinew", self.world.target));
        self.clock.forget();
        self.clock.meter.forget();
        self.tidies = Some(Instant::now() + TIDIES);
    }

    fn key(&mut self, event: &KeyEvent, typing: bool) {
        let pressed = event.state.is_pressed();
        if typing && pressed {
            return;
        }
        let chord = self.pointer.modifiers.control_key() || self.pointer.modifiers.super_key();
        self.flight.key(event.physical_key, pressed && !chord);
        if pressed && let Some(action) = keys::asked(event.physical_key, &event.logical_key, chord, event.repeat) {
            self.perform(action);
        }
    }

    /// Uses the tool on what is under the pointer.
    fn take(&mut self) {
        let (ray, through) = (self.ray(self.pointer.at), self.pointer.modifiers.shift_key());
        let deed = match self.panel.tool {
            Tool::Pull => Deed::Pull { ray, through },
            Tool::Select => match self.world.handle(ray) {
                Some(grip) => Deed::Grip(grip),
                None => return self.wish(Wish::Select(ray, through)),
            },
            Tool::Wind => Deed::Blow { ray },
            Tool::Cut => Deed::Cut { ray },
            Tool::Inflate => Deed::Pump { ray, out: through },
            Tool::Pin => Deed::Pin { ray, through },
            tool => Deed::Put { tool, ray },
        };
        self.apply(&deed);
    }

    /// A finger: it holds what the tool takes hold of, or turns the view; other tools are used by a tap.
    fn touch(&mut self, touch: &Touch) {
        let at = Vec2::new(touch.location.x as f32, touch.location.y as f32);
        if touch.phase == TouchPhase::Started && self.overlay.covers(at.x, at.y) {
            return;
        }
        let holds = self.world.held.is_some() || self.is_waiting();
        match self.fingers.touched(touch, holds, &mut self.viewer) {
            Touched::Nothing => {}
            Touched::Down => {
                self.pointer.at = at;
                if self.is_held_by_touch(at) {
                    self.pointer.hold = Hold::Tool;
                    self.take();
                }
            }
            Touched::Moved => self.pointer.at = at,
            Touched::Tapped if self.pointer.hold != Hold::Tool => {
                self.pointer.at = at;
                self.take();
            }
            Touched::Tapped | Touched::Up => self.pointer.release(),
        }
    }

    /// Whether a finger that comes down here takes hold of something.
    fn is_held_by_touch(&self, at: Vec2) -> bool {
        match self.panel.tool {
            Tool::Pull | Tool::Wind | Tool::Inflate | Tool::Cut => true,
            Tool::Select => self.world.handle(self.ray(at)).is_some(),
            _ => false,
        }
    }

    /// Does it; what fails is shown to the player and changes nothing.
    pub(super) fn apply(&mut self, deed: &Deed) {
        self.wish(Wish::Deed(deed.clone()));
    }

    /// Opens another scene with the next frame.
    pub(super) fn open_soon(&mut self, target: String) {
        // On a page the first may be under way.
        open_last(&mut self.wishes, usize::from(!Context::CAN_WAIT), target);
    }

    /// Opens a file that was dropped with the next frame. Of several at once, one is opened.
    fn open_dropped(&mut self, target: String) {
        if is_camera_path(&target) {
            // After the scene that is dropped with it.
            self.wishes.push_back(Wish::Action(Action::LoadPath(target)));
            return;
        }
        let waiting = self.wishes.back();
        let is_better =
            |wish: &Wish| matches!(wish, Wish::Action(Action::Open(other)) if is_opened_before(other, &target));
        if !waiting.is_some_and(is_better) {
            self.open_soon(target);
        }
    }

    /// What is shown, or will be with the next frame.
    pub(super) fn heading(&self) -> &str {
        match self.wishes.back() {
            Some(Wish::Action(Action::Open(target))) => target,
            _ => &self.world.target,
        }
    }

    /// Does what the player asks for after what was asked for before; what fails is shown.
    pub(super) fn wish(&mut self, wish: Wish) {
        self.wishes.push_back(wish);
        if !self.granting {
            self.granting = true;
            self.grant_wishes();
            self.granting = false;
        }
    }

    /// Whether something that was asked for is not done yet.
    pub(super) fn is_waiting(&self) -> bool {
        !self.wishes.is_empty()
    }

    /// Does what was asked for, up to what the GPU has to answer first.
    fn grant_wishes(&mut self) {
        while let Some(wish) = self.wishes.pop_front() {
            let (ctx, later) = (self.ctx.clone(), self.wishes.len());
            let mut attempt = std::mem::take(&mut self.attempt);
            let Some(done) = attempt.of(&ctx, || self.grant(wish.clone())) else {
                self.wishes.truncate(later);
                self.wishes.push_front(wish);
                self.attempt = attempt;
                return;
            };
            match done {
                Ok(said) => {
                    if wish.is_chosen() {
                        self.panel.notice.iter_mut().for_each(Notice::outdate);
                    }
                    said.into_iter().for_each(|said| self.say(said.to_owned(), false));
                }
                Err(error) => self.say_undone(&wish, &error),
            }
        }
    }

    /// Says why a wish was not granted.
    fn say_undone(&mut self, wish: &Wish, error: &anyhow::Error) {
        if matches!(wish, Wish::Follow) {
            let replayed = self.world.is_replayed();
            self.world.leave_take();
            self.leave_path(replayed);
        }
        // Who undoes all that there is has done nothing wrong.
        self.say(format!("{error:#}"), !error.is::<NothingToUndo>());
    }

    /// Says what is built next. True while that is not seen yet.
    fn announces(&mut self) -> bool {
        let Some(target) = self.wishes.front().and_then(Wish::builds) else {
            self.announced = None;
            return false;
        };
        if let Some((_, frames)) = self.announced.as_mut().filter(|(announced, _)| *announced == target) {
            *frames += 1;
            return *frames < ANNOUNCED;
        }
        let name = Path::new(&target).file_name().map_or(target.as_str().into(), |name| name.to_string_lossy());
        self.say(format!("building {name} …"), false);
        self.announced = Some((target, 0));
        true
    }

    /// Who moves while it rides the camera path goes on from there by itself.
    fn ride(&mut self) {
        if self.ridden.is_some_and(|ridden| ridden != self.viewer) {
            (self.rides, self.ridden) = (false, None);
            self.say("off the camera path; `ride` resumes it".into(), false);
        } else if self.rides {
            let Camera { eye, target, .. } = self.camera();
            self.viewer = Viewer::new(View { eye, target });
            self.ridden = Some(self.viewer);
        } else {
            self.ridden = None;
        }
    }

    fn grant(&mut self, wish: Wish) -> Result<Option<&'static str>> {
        match wish {
            Wish::Action(action) => self.try_action(action).map(|()| None),
            Wish::Deed(deed) => {
                let replayed = self.world.is_replayed();
                let said = self.world.apply(&self.ctx, &deed)?;
                if replayed && self.world.held.is_some() && !deed.takes_hold() {
                    // The take, which is left, has held it.
                    self.apply(&Deed::LetGo);
                }
                self.leave_path(replayed);
                Ok(said)
            }
            Wish::Follow => self.world.follow_deed(&self.ctx).map(|()| None),
            Wish::Select(ray, through) => self.world.select_on(ray, through).map(|()| None),
        }
    }

    /// Stays where a camera path has brought it, where a take was `replayed` that is not any more.
    pub(super) fn leave_path(&mut self, replayed: bool) {
        if replayed && !self.world.is_replayed() {
            let Camera { eye, target, .. } = self.camera();
            (self.viewer, self.rides, self.ridden) = (Viewer::new(View { eye, target }), false, None);
        }
    }

    /// Does what the page around the canvas asks for.
    #[cfg(target_arch = "wasm32")]
    fn hear_page(&mut self) {
        for asked in asked::take() {
            match asked {
                Asked::Open(target) => self.perform(Action::Open(target)),
                Asked::Put(file) => {
                    let ray = self.aimed_ray();
                    self.apply(&Deed::PutModel { file: file.into(), ray });
                }
                Asked::Picture => self.perform(Action::Picture),
            }
        }
    }

    /// The camera of pictures and films, which have no panel.
    pub(super) fn camera(&self) -> Camera {
        let ridden = self.rides.then(|| self.world.path.at(self.world.time()));
        ridden.flatten().unwrap_or_else(|| self.viewer.view().into())
    }

    /// The camera of the window: moved aside so that the focus is in the middle of what the panel leaves free.
    fn shown_camera(&self) -> Camera {
        let camera = self.camera();
        let (width, height) = self.size();
        let share = (self.covered() / width.max(1) as f32).min(0.5);
        let half_width = (0.5 * camera.fov_y).tan() * width as f32 / height.max(1) as f32;
        let aside = camera.axes()[0] * (share * half_width * camera.eye.distance(camera.target));
        Camera { eye: camera.eye - aside, target: camera.target - aside, ..camera }
    }

    /// Sees the scene as it asks for.
    pub(super) fn go_home(&mut self) {
        self.home_aspect = self.free_aspect();
        self.home = Viewer::new(self.world.whole_view(self.home_aspect));
        self.viewer = self.home;
    }

    /// Sees it so in what is free now, if the player has not looked elsewhere.
    fn stay_home(&mut self) {
        if self.viewer == self.home && self.free_aspect() != self.home_aspect {
            self.go_home();
        }
    }

    /// How many times as wide as high what the panel leaves free is; as if it covered no more than half.
    fn free_aspect(&self) -> f32 {
        let (width, height) = self.size();
        (width as f32 - self.covered()).max(0.5 * width as f32) / height.max(1) as f32
    }

    /// Width of the picture that the panel covers [pixels].
    fn covered(&self) -> f32 {
        self.panel.width() * self.overlay.scale()
    }

    fn ray(&self, pixel: Vec2) -> Ray {
        let (origin, direction) = self.shown_camera().ray(pixel, self.size());
        Ray { origin, direction }
    }

    /// The ray from the eye through the middle of what the panel leaves free.
    pub(super) fn middle_ray(&self) -> Ray {
        let (width, height) = self.size();
        self.ray(0.5 * Vec2::new(width as f32 + self.covered().min(width as f32), height as f32))
    }

    /// The ray under the pointer, or through the middle while that is on the panel.
    pub(super) fn aimed_ray(&self) -> Ray {
        if self.overlay.wants_pointer() { self.middle_ray() } else { self.ray(self.pointer.at) }
    }

    pub(super) fn say(&mut self, text: String, failed: bool) {
        if failed {
            log::warn!("{text}");
        }
        self.panel.notice = Some(Notice::new(text, failed));
    }

    fn due(&mut self, elapsed: Duration) -> u32 {
        if self.film.is_some() && !self.clock.stepper.is_paused() {
            // A film shows every frame, however long it takes.
            return 1;
        }
        self.clock.steps(elapsed, self.world.solver.params().dt)
    }

    fn simulate(&mut self, steps: u32) {
        if self.is_waiting() {
            // The world stands until they are granted.
            return;
        }
        let seconds = steps as f32 * self.world.solver.params().dt;
        // What a take holds is its own.
        let own = !self.world.is_replayed();
        let ray = (own && self.pointer.hold == Hold::Tool).then(|| self.ray(self.pointer.at));
        // A handle moves its collider while the world stands, too, and a blade is drawn.
        let stands = self.world.held.is_some_and(|held| held.is_drawn());
        let follows = self.world.held.is_some_and(|_| steps > 0 || stands);
        match ray {
            Some(ray) if follows => self.apply(&Deed::Hold { ray, seconds }),
            None if own && self.world.held.is_some() => {
                if stands {
                    // It went on since the last frame.
                    self.apply(&Deed::Hold { ray: self.ray(self.pointer.at), seconds });
                }
                self.apply(&Deed::LetGo);
            }
            _ => {}
        }
        let pull = ray.and_then(|ray| self.world.drag(ray));
        self.panel.draw.drag = pull.map(|p| DragLine { body: p.body, local: p.local, target: p.goal });
        for _ in 0..steps {
            if !self.world.solver.is_ready() || !self.follow_take() {
                break;
            }
            let replayed = self.world.is_replayed();
            if let Err(error) = self.world.step(&self.ctx).and_then(|()| self.world.remember()) {
                self.say(format!("{error:#}"), true);
            } else if replayed && !self.world.is_replayed() {
                self.say("the take has ended; continue from here".into(), false);
            }
            self.leave_path(replayed);
            self.film_frame();
        }
    }

    /// Does what a take has for this moment. False where the GPU has to answer first: then the world stands.
    fn follow_take(&mut self) -> bool {
        while !self.is_waiting() && self.world.is_due() {
            self.wish(Wish::Follow);
        }
        !self.is_waiting()
    }

    fn measure(&mut self, elapsed: Duration, steps: u32) {
        let seconds = elapsed.as_secs_f64().max(1e-6);
        let simulated = f64::from(steps) * f64::from(self.world.solver.params().dt);
        // The mean of about the last half second, whatever the frame rate.
        let share = (seconds / 0.5).min(1.0);
        self.pace.frame_ms += (1000.0 * seconds - self.pace.frame_ms) * share;
        self.pace.speed += (simulated / seconds - self.pace.speed) * share;
    }

    /// Draws with less work where that is left to us and drawing is slow.
    fn lower_quality(&mut self) {
        let wanted = self.panel.level == Level::Auto && self.world.renderer.quality() == Quality::High;
        if !wanted || !self.clock.meter.draws_slowly() {
            return;
        }
        self.clock.meter.forget();
        match self.world.set_quality(&self.ctx, Quality::Low) {
            Ok(()) => self.say("drawing is slow: switched to low quality".into(), false),
            Err(error) => self.say(format!("{error:#}"), true),
        }
    }

    /// Draws; where it is measured, waits for the picture.
    fn draw(&mut self, frame: wgpu::SurfaceTexture, measured: bool) -> Result<()> {
        let begun = Instant::now();
        let size = self.display.size();
        let view = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self.ctx.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.stay_home();
        let camera = self.shown_camera();
        let Self { world, panel, overlay, clock, ctx, display, .. } = self;
        let drawn = world.draw(&mut encoder, &view, size, &camera, &panel.draw);
        let late = if clock.stepper.is_paused() { None } else { clock.late(world.solver.params().dt) };
        let pace = Pace { step_ms: 1e3 * clock.meter.step, draw_ms: 1e3 * clock.meter.draw, late, ..self.pace };
        let facts = Facts {
            pace,
            paused: clock.stepper.is_paused(),
            filming: self.film.is_some(),
            rides: self.rides,
            adapter: &ctx.info().name,
        };
        let mut actions = Vec::new();
        overlay.draw(ctx, &display.window, &mut encoder, (&view, size), |ui| {
            if let Some(selected) = world.selected {
                gizmo::paint(ui, selected, &world.solver, &camera, size);
            }
            match world.held {
                Some(Held::Blade { from, to }) => gizmo::paint_blade(ui, [from, to], &camera, size),
                Some(Held::Handle { grip, put, .. }) if grip.scales() => gizmo::paint_scale(ui, put, &camera, size),
                _ => {}
            }
            actions.extend(panel.show(ui, world, &mut clock.speed, &facts));
        });
        self.ctx.submit(encoder);
        if measured {
            self.ctx.wait()?;
            self.clock.meter.drew(begun.elapsed());
        }
        self.display.window.pre_present_notify();
        self.ctx.queue.present(frame);
        if let Err(error) = drawn {
            self.say(format!("{error:#}"), true);
        }
        actions.into_iter().for_each(|action| self.perform(action));
        Ok(())
    }
}

impl Shown for Live {
    fn request_redraw(&self) {
        self.display.window.request_redraw();
    }

    fn event(&mut self, event: &WindowEvent) {
        if keys::was_down_before(event) {
            return;
        }
        let typing = self.overlay.wants_keys();
        // Keys go to egui only for typing: Space would press the button clicked last, and Tab walk on from it.
        if typing || !matches!(event, WindowEvent::KeyboardInput { event, .. } if event.state.is_pressed()) {
            self.overlay.event(&self.display.window, event);
        }
        match event {
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => self.display.resized(),
            WindowEvent::KeyboardInput { event, .. } => self.key(event, typing),
            WindowEvent::ModifiersChanged(modifiers) => self.pointer.modifiers = modifiers.state(),
            WindowEvent::Focused(false) => {
                self.flight.release();
                self.pointer.release();
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer.moved(Vec2::new(position.x as f32, position.y as f32), &mut self.viewer);
            }
            WindowEvent::MouseInput { state, button, .. } => {
                let on_panel = state.is_pressed() && self.overlay.wants_pointer();
                if !on_panel && self.pointer.button(*button, *state) == Press::Take {
                    self.take();
                }
            }
            WindowEvent::Touch(touch) => self.touch(touch),
            WindowEvent::MouseWheel { delta, .. } if !self.overlay.wants_pointer() => {
                let mut depth = self.world.depth().filter(|_| !self.world.is_replayed());
                Pointer::wheel(*delta, depth.as_mut(), &mut self.viewer);
                depth.into_iter().for_each(|depth| self.apply(&Deed::Reach(depth)));
            }
            WindowEvent::DroppedFile(path) if self.pointer.modifiers.shift_key() => {
                let ray = self.aimed_ray();
                self.wishes.push_back(Wish::Deed(Deed::PutModel { file: path.clone(), ray }));
            }
            WindowEvent::DroppedFile(path) => self.open_dropped(path.to_string_lossy().into_owned()),
            _ => {}
        }
    }

    fn frame(&mut self) -> Result<Option<Duration>> {
        match self.next_frame() {
            Err(error) if self.ctx.is_lost() => self.reopen(&error).map(Some),
            went => went,
        }
    }

    fn close(&mut self) -> Result<()> {
        if let Some(path) = &self.settings {
            let (width, height) = self.size();
            let points = |pixels: u32| (pixels as f32 / self.overlay.scale()).round() as u32;
            let left = Settings { size: Some((points(width), points(height))), ..self.panel.settings() };
            if let Err(error) = left.save(path) {
                log::warn!("window settings are not saved: {error:#}");
            }
        }
        self.film.take().map_or(Ok(()), |film| self.end_film(film))
    }
}

impl Live {
    /// Goes on on another device, after that of the window was lost. Returns how long to wait before the next frame.
    fn reopen(&mut self, error: &anyhow::Error) -> Result<Duration> {
        let Some(ctx) = self.display.reopen()? else { return Ok(RETRY) };
        self.ctx = ctx;
        log::warn!("{error:#}");
        self.overlay = Overlay::new(&self.ctx, &self.display.window, self.display.format());
        self.panel.device_lost();
        self.pointer.release();
        // Of its frames those are there that had come back.
        if let Some(Err(error)) = self.film.take().map(Film::finish) {
            log::warn!("{error:#}");
        }
        self.world.reopen(&self.ctx)?;
        #[cfg(target_arch = "wasm32")]
        {
            self.timed = Timed::default();
        }
        self.retitle();
        self.say("the graphics device was lost: continuing from the last backup".into(), true);
        Ok(Duration::ZERO)
    }

    fn next_frame(&mut self) -> Result<Option<Duration>> {
        if self.ctx.is_lost() {
            bail!("the graphics device was lost");
        }
        let elapsed = self.last.elapsed();
        self.last = Instant::now();
        self.viewer.fly(self.flight.direction(), elapsed.as_secs_f32().min(0.1), self.pointer.modifiers.shift_key());
        if self.tidies.take_if(|at| *at < self.last).is_some() {
            tidy();
        }
        if self.watch.is_saved(self.last) {
            self.reload();
        }
        #[cfg(feature = "shader-reload")]
        if self.shader_watch.is_saved(self.last) {
            self.reload_shaders();
        }
        if !self.granting && !self.announces() {
            self.granting = true;
            self.grant_wishes();
            self.granting = false;
        }
        self.ride();
        #[cfg(target_arch = "wasm32")]
        self.hear_page();
        #[cfg(target_arch = "wasm32")]
        if !self.timed.can_go_on(&mut self.clock.meter) {
            return Ok(Some(Duration::ZERO));
        }
        let steps = self.due(elapsed);
        // A step of a film draws its picture too.
        let measured = Context::CAN_WAIT && self.clock.meter.is_due(self.last) && self.film.is_none();
        if measured {
            // What is left of earlier frames.
            self.ctx.wait()?;
        }
        let begun = Instant::now();
        self.simulate(steps);
        if measured {
            self.ctx.wait()?;
            self.clock.meter.stepped(begun.elapsed(), steps);
        }
        #[cfg(target_arch = "wasm32")]
        self.timed.stepped(&self.ctx, begun, steps);
        self.measure(elapsed, steps);
        if self.ctx.is_lost() {
            bail!("the graphics device was lost");
        }
        if let Some(error) = self.ctx.take_errors().into_iter().next() {
            self.say(error, true);
        }
        let Some(frame) = self.display.acquire(&self.ctx) else { return Ok(Some(RETRY)) };
        self.draw(frame, measured)?;
        #[cfg(target_arch = "wasm32")]
        self.timed.drew(&self.ctx);
        #[cfg(target_arch = "wasm32")]
        asked::drew(&self.world.target, self.world.frame);
        self.lower_quality();
        Ok(Some(Duration::ZERO))
    }
}

/// Wishes for a scene after all others, and of several in a row for the last alone: each takes seconds. Those before `kept` stay.
fn open_last(wishes: &mut VecDeque<Wish>, kept: usize, target: String) {
    if wishes.len() > kept {
        wishes.pop_back_if(|wish| matches!(wish, Wish::Action(Action::Open(_))));
    }
    wishes.push_back(Wish::Action(Action::Open(target)));
}

/// Whether of two files that are dropped at once the `other` is opened: what says most of a scene, and nothing for what is none.
fn is_opened_before(other: &str, target: &str) -> bool {
    let rank = |name: &str| match name {
        take if is_take(take) => 3,
        scene if is_scene_file(scene) => 2,
        model => u32::from(is_model_file(Path::new(model))),
    };
    rank(target) == 0 || rank(other) > rank(target)
}

/// The next name in out/ that is used with none of these endings, with the first of them.
pub(super) fn free_path(target: &str, endings: &[&str]) -> PathBuf {
    free_in(Path::new("out"), &stem(target), endings)
}

fn free_in(folder: &Path, stem: &str, endings: &[&str]) -> PathBuf {
    let path = |n: u32, ending: &str| folder.join(format!("{stem}-{n:03}.{ending}"));
    let is_free = |n: &u32| endings.iter().all(|ending| !path(*n, ending).exists());
    let number = (1..u32::MAX).find(is_free).unwrap_or(u32::MAX);
    path(number, endings.first().copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_saved_is_written_over() {
        let folder = std::env::temp_dir().join(format!("sinew-free-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let free = |endings: &[&str]| {
            let path = free_in(&folder, "pile", endings);
            path.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(free(&["take.ron", "mp4", "gif"]), "pile-001.take.ron");
        for name in ["pile-001.take.ron", "pile-002.mp4", "pile-003.gif"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        assert_eq!(free(&["take.ron", "mp4", "gif"]), "pile-004.take.ron");
        assert_eq!(free(&["png"]), "pile-001.png");
        (1..1000).for_each(|n| std::fs::write(folder.join(format!("pile-{n:03}.png")), "").unwrap());
        assert_eq!(free(&["png"]), "pile-1000.png");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn of_files_dropped_at_once_the_one_that_says_most_is_opened() {
        let order = ["readme.jpg", "knight.glb", "bath.ron", "x.take.ron"];
        for (less, more) in order.iter().zip(&order[1..]) {
            assert!(is_opened_before(more, less) && !is_opened_before(less, more), "{more} and {less}");
        }
        assert!(is_opened_before("tower", "readme.jpg") && !is_opened_before("tower", "knight.glb"));
        assert!(!is_opened_before("a.vrm", "b.vrm"), "the last of two models");
    }

    #[test]
    fn of_scenes_asked_for_in_a_row_only_the_last_is_opened() {
        let mut wishes = VecDeque::new();
        let targets = |wishes: &VecDeque<Wish>| {
            let target = |wish: &Wish| match wish {
                Wish::Action(Action::Open(target)) => target.clone(),
                other => format!("{other:?}"),
            };
            wishes.iter().map(target).collect::<Vec<String>>()
        };
        open_last(&mut wishes, 0, "pile".into());
        open_last(&mut wishes, 0, "tower".into());
        assert_eq!(targets(&wishes), ["tower"]);
        wishes.push_back(Wish::Deed(Deed::Unpin));
        open_last(&mut wishes, 0, "dam".into());
        open_last(&mut wishes, 0, "bath".into());
        assert_eq!(targets(&wishes), ["tower", "Deed(Unpin)", "bath"]);
        wishes.truncate(1);
        open_last(&mut wishes, 1, "dam".into());
        assert_eq!(targets(&wishes), ["tower", "dam"], "what is under way stays");
    }
}
