//! Carries out the player's actions.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use image::RgbaImage;

use super::camera_path::CameraPath;
use super::caption::Caption;
use super::deed::Deed;
use super::film::{Film, write_png};
use super::keys::Action;
use super::launch::Level;
use super::live::{Live, Wish, free_path};
use super::panel::{neighbor, short};
use super::played::STATE;
use super::watch::Watch;
use super::world::World;
use crate::animation::{LimpAt, Performer};
use crate::files;
use crate::render::Camera;
use crate::scene_file::{Settings, is_camera_path};

/// Ending of takes.
const TAKE: &str = "take.ron";
/// Endings of a take and of films with it: those of one number belong together.
const FILMED: [&str; 3] = [TAKE, "mp4", "gif"];

impl Live {
    /// Does it; what fails is shown to the player and changes nothing.
    pub(super) fn perform(&mut self, action: Action) {
        match action {
            Action::Previous => self.open_soon(neighbor(self.heading(), -1)),
            Action::Next => self.open_soon(neighbor(self.heading(), 1)),
            Action::Open(file) if is_camera_path(&file) => self.wish(Wish::Action(Action::LoadPath(file))),
            Action::Open(target) => self.open_soon(target),
            // It is asked for until it is done.
            Action::LetGo if self.is_waiting() => {}
            action => self.wish(Wish::Action(action)),
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// What cannot be done; then nothing changes.
    pub(super) fn try_action(&mut self, action: Action) -> Result<()> {
        match action {
            Action::Rewind => {
                self.clock.stepper.set_paused(true);
                self.let_go();
                self.world.rewind()
            }
            Action::WriteRagdoll => self.write_ragdoll(),
            Action::Reset => self.reset(),
            Action::Open(target) => self.open_other(target, Vec::new(), &[]),
            Action::Option(key, value) => self.set_option(key, value),
            Action::Frame => self.frame_all(),
            Action::Save => self.save_world(),
            Action::SavePath => self.save_path(),
            Action::LoadPath(file) => self.load_path(&file),
            Action::Take => self.save_take(&free_path(&self.world.target, &FILMED)),
            Action::Picture => self.save_picture(),
            Action::Film => self.toggle_film(),
            Action::Level(level) => self.set_level(level),
            sure => {
                self.choose(&sure);
                Ok(())
            }
        }
    }

    /// What is a deed, or cannot fail.
    fn choose(&mut self, action: &Action) {
        if let Some(deed) = self.deed(action) {
            return self.apply(&deed);
        }
        let stepper = &mut self.clock.stepper;
        match action {
            Action::Pause => stepper.set_paused(!stepper.is_paused()),
            Action::Step => stepper.step_once(),
            Action::Tool(tool) => self.panel.tool = *tool,
            Action::NextTool => self.panel.tool = self.panel.tool.next(),
            Action::Joint(joint) => self.world.look_at_joint(*joint),
            Action::NextColors => self.panel.draw.next_colors(),
            Action::AddView => {
                let (now, camera) = (self.world.time(), self.camera());
                let time = self.world.path_mut().add(now, &camera);
                self.say(format!("added this view to the camera path at {time:.2} s"), false);
            }
            Action::RemoveView(index) => {
                let keys = &mut self.world.path_mut().keys;
                if *index < keys.len() {
                    keys.remove(*index);
                }
                self.rides &= !keys.is_empty();
            }
            Action::Ride => {
                self.rides = !self.rides;
                self.ridden = None;
            }
            Action::Home => self.go_home(),
            Action::CloseHelp => self.panel.help = false,
            toggle => self.toggle(toggle),
        }
    }

    /// What an action does to the scene, if it does.
    fn deed(&mut self, action: &Action) -> Option<Deed> {
        Some(match action {
            Action::Throw => Deed::Throw { ray: self.middle_ray(), ball: self.panel.throw },
            Action::Explode => Deed::Explode { ray: self.aimed_ray(), bang: self.panel.bang },
            Action::Limp => Deed::Limp,
            Action::Loosen(body) => Deed::Loosen(*body),
            Action::DriveLimb(body, strength) => Deed::DriveLimb(*body, *strength),
            Action::LimpOf(body) => Deed::LimpOf(*body),
            Action::ClipOf(body, clip) => Deed::ClipOf(*body, *clip),
            Action::Muscles => {
                let powered = self.world.cast.performers.iter().any(Performer::is_powered);
                Deed::Drive((!powered).then_some(1.0))
            }
            Action::Strength(strength) => Deed::Drive(Some(*strength)),
            Action::Clip(clip) => Deed::Clip(*clip),
            Action::Params(params) => {
                let changes = params.changes(self.world.solver.params());
                if changes.is_empty() {
                    return None;
                }
                Deed::Params(Settings(changes))
            }
            Action::Edit(edit) => Deed::Edit(*edit),
            Action::LetGo => Deed::LetGo,
            Action::Unpin => Deed::Unpin,
            Action::Undo => {
                self.let_go();
                if self.world.held.is_some() && !self.world.is_replayed() {
                    // What is being done is what was done last.
                    self.apply(&Deed::LetGo);
                }
                Deed::Undo
            }
            _ => return None,
        })
    }

    fn toggle(&mut self, action: &Action) {
        let draw = &mut self.panel.draw;
        let flag = match action {
            Action::ToggleParticles => return draw.show_particles(!draw.particles),
            Action::TogglePanel => &mut self.panel.visible,
            Action::ToggleHelp => &mut self.panel.help,
            Action::ToggleCaption => &mut self.panel.caption,
            Action::ToggleSurfaces => &mut self.panel.draw.surfaces,
            Action::ToggleJoints => &mut self.panel.draw.joints,
            Action::ToggleStrain => &mut self.panel.draw.strain,
            Action::ToggleColors => &mut self.panel.draw.colors,
            Action::ToggleContacts => &mut self.panel.draw.contacts,
            _ => return,
        };
        *flag = !*flag;
    }

    fn set_level(&mut self, level: Level) -> Result<()> {
        self.panel.level = level;
        self.clock.meter.forget();
        self.world.set_quality(&self.ctx, level.quality(&self.ctx))
    }

    fn reset(&mut self) -> Result<()> {
        self.let_go();
        self.clock.forget();
        let replayed = self.world.is_replayed();
        self.close_film();
        self.world.reset(&self.ctx)?;
        self.leave_path(replayed);
        Ok(())
    }

    fn open_other(&mut self, target: String, sets: Vec<(String, String)>, limp_at: &[LimpAt]) -> Result<()> {
        let drawn = (self.world.format(), self.world.renderer.quality());
        // Who saves while it is being built is heard afterwards.
        let watch = Watch::new(&target);
        let world = World::open(&self.ctx, &target, sets, limp_at, drawn)?;
        self.let_go();
        self.panel.notice = None;
        self.close_film();
        // Who has not moved yet sees the scene as it wants to be seen.
        let goes_home = self.viewer == self.home || world.target != self.world.target;
        self.panel.forget_edits();
        let path = std::mem::take(self.world.path_mut());
        let same = world.target == self.world.target && world.path.is_empty();
        self.world = world;
        if same {
            *self.world.path_mut() = path;
        }
        if goes_home {
            self.go_home();
        }
        self.rides = self.world.is_replayed() && !self.world.path.is_empty();
        self.ridden = None;
        self.watch = if self.world.target == target { watch } else { Watch::new(&self.world.target) };
        self.retitle();
        Ok(())
    }

    /// Builds the scene file anew, after it was saved; while it is wrong, the world goes on as it was.
    pub(super) fn reload(&mut self) {
        let limp_at = self.world.limp_at().to_vec();
        match self.open_other(self.world.target.clone(), self.world.sets.clone(), &limp_at) {
            Ok(()) => self.say(format!("{} was saved: restarted", self.world.target), false),
            Err(error) => self.say(format!("{error:#}"), true),
        }
    }

    /// Takes edited shaders; while one is wrong, the world goes on with those before.
    #[cfg(feature = "shader-reload")]
    pub(super) fn reload_shaders(&mut self) {
        match self.world.reload_shaders() {
            Ok(names) => self.say(format!("reloaded: {}", names.join(", ")), false),
            Err(error) => self.say(format!("{error:#}"), true),
        }
    }

    fn set_option(&mut self, key: String, value: String) -> Result<()> {
        let mut sets = self.world.sets.clone();
        sets.retain(|(k, _)| *k != key);
        sets.push((key, value));
        // The rest is as the new build wants it.
        let (params, limp_at) = (self.world.changed_params(), self.world.limp_at().to_vec());
        self.open_other(self.world.target.clone(), sets, &limp_at)?;
        if !params.is_empty() {
            self.apply(&Deed::Params(params));
        }
        Ok(())
    }

    fn frame_all(&mut self) -> Result<()> {
        let (center, radius) = self.world.bounds()?;
        self.viewer.frame(center, radius, Camera::default().fov_y);
        Ok(())
    }

    fn save_world(&mut self) -> Result<()> {
        let path = free_path(&self.world.target, &["ron", STATE]);
        files::make_folder(Path::new("out"))?;
        if self.world.held.is_some() && !self.world.is_replayed() {
            // Nobody holds it any more when it is opened.
            self.let_go();
            self.world.apply(&self.ctx, &Deed::LetGo)?;
        }
        self.world.save(&path)?;
        self.say(format!("saved {} and {}", path.display(), path.with_extension(STATE).display()), false);
        Ok(())
    }

    fn save_path(&mut self) -> Result<()> {
        let path = free_path(&self.world.target, &["path.ron"]);
        files::make_folder(Path::new("out"))?;
        self.world.path.write(&path)?;
        self.say(format!("saved {}", path.display()), false);
        Ok(())
    }

    fn load_path(&mut self, file: &str) -> Result<()> {
        let path = CameraPath::load(Path::new(file))?;
        let views = path.keys.len();
        *self.world.path_mut() = path;
        (self.rides, self.ridden) = (false, None);
        self.say(format!("the camera path has the {views} views of {}; `ride` follows it", short(file)), false);
        Ok(())
    }

    fn save_take(&mut self, path: &Path) -> Result<()> {
        files::make_folder(Path::new("out"))?;
        self.world.take(&self.ctx)?.write(path)?;
        self.say(format!("saved {}", path.display()), false);
        Ok(())
    }

    fn write_ragdoll(&mut self) -> Result<()> {
        let path = free_path(&self.world.target, &["ragdoll.ron"]);
        let text = self.world.ragdoll_text()?;
        files::make_folder(Path::new("out"))?;
        files::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        self.say(format!("saved {}; use it with --ragdoll", path.display()), false);
        Ok(())
    }

    fn save_picture(&mut self) -> Result<()> {
        let path = free_path(&self.world.target, &["png"]);
        files::make_folder(Path::new("out"))?;
        let camera = self.camera();
        let mut picture = self.world.picture(&self.ctx, self.size(), &camera, &self.panel.draw)?;
        self.caption(&mut picture);
        write_png(&path, &picture)?;
        self.say(format!("saved {}", path.display()), false);
        Ok(())
    }

    /// Writes the words of the panel into a picture, if they are shown.
    fn caption(&self, picture: &mut RgbaImage) {
        if let Some(words) = self.panel.words(&self.world.target) {
            Caption::new(&words, picture.dimensions()).draw(picture);
        }
    }

    /// Completes a film and writes the take of it.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(super) fn end_film(&mut self, film: Film) -> Result<()> {
        if film.is_empty() {
            self.say("the film has no pictures yet and was not saved".into(), false);
            return Ok(());
        }
        let path = film.finish()?;
        let mut take = path.with_extension(TAKE);
        if take.exists() {
            // It was saved before the film had a file.
            take = free_path(&self.world.target, &FILMED);
        }
        self.save_take(&take)?;
        self.say(format!("saved {} and {}", path.display(), take.display()), false);
        Ok(())
    }

    /// Completes the film that is being made, if any, while its world is there: the take of it is of that.
    fn close_film(&mut self) {
        if let Some(film) = self.film.take()
            && let Err(error) = self.end_film(film)
        {
            self.say(format!("{error:#}"), true);
        }
    }

    fn toggle_film(&mut self) -> Result<()> {
        if let Some(film) = self.film.take() {
            return self.end_film(film);
        }
        if cfg!(target_arch = "wasm32") {
            bail!("a page cannot record films: save the take (F9), and `sinew render` makes a film of it");
        }
        let dt = self.world.solver.params().dt;
        let size = self.size();
        let path = free_path(&self.world.target, &["mp4", "gif", TAKE]);
        self.panel.notice = None;
        let film = Film::create(&path, size, dt).or_else(|why| {
            let film = Film::create(&path.with_extension("gif"), size, dt)?;
            self.say(format!("this film will be a .gif: {why:#}"), false);
            anyhow::Ok(film)
        })?;
        self.film = Some(film);
        self.film_size = size;
        self.filmed = 0;
        Ok(())
    }

    /// Adds the present state to the film, if one is being made.
    pub(super) fn film_frame(&mut self) {
        let Some(mut film) = self.film.take() else { return };
        let camera = self.camera();
        let kept = if film.wants(self.filmed, u32::MAX) {
            self.world.picture(&self.ctx, self.film_size, &camera, &self.panel.draw).and_then(|mut picture| {
                self.caption(&mut picture);
                film.push(picture)
            })
        } else {
            Ok(())
        };
        self.filmed = self.filmed.wrapping_add(1);
        match kept {
            Ok(()) => self.film = Some(film),
            Err(error) => self.say(format!("{error:#}"), true),
        }
    }
}
