//! The panel: demos, state, parameters. It edits what it is given and requests the rest through actions.

mod characters;
mod help;
mod icons;
mod parameters;
mod path;
mod plots;
mod scenes;
mod selected;
mod status;
#[cfg(test)]
mod tests;
pub(crate) mod theme;
mod thumbnails;

use std::time::Duration;

use egui::{Frame, Layout, Margin, RichText, ScrollArea, Slider, Ui};
use web_time::Instant;

pub(crate) use scenes::{neighbor, short};
pub(crate) use status::Pace;

use self::icons::Icon;
use self::parameters::chosen;
use self::plots::Plots;
use self::scenes::Edits;
use self::theme::{MARGIN, WIDTH, section};
use self::thumbnails::Thumbnails;
use super::blast::Bang;
use super::caption;
use super::deed::Throw;
use super::keys::Action;
use super::launch::Level;
use super::settings::Settings;
use super::tools::{TOOLS, Tool};
use super::world::World;
use crate::gpu::Context;
use crate::render::{DrawOptions, ParticleColors};

/// How long news stays.
const NOTICE_TIME: Duration = Duration::from_secs(6);

/// What the player chose in the panel.
#[derive(Debug)]
pub(crate) struct Panel {
    /// Shown or hidden.
    pub(crate) visible: bool,
    /// Help shown or hidden.
    pub(crate) help: bool,
    /// Words in the picture shown or hidden.
    pub(crate) caption: bool,
    /// Those words; none for what the demo says of itself.
    caption_text: String,
    /// What is drawn.
    pub(crate) draw: DrawOptions,
    /// How much work the picture may be.
    pub(crate) level: Level,
    /// What the left button does.
    pub(crate) tool: Tool,
    /// Balls to throw.
    pub(crate) throw: Throw,
    /// Explosions to set off.
    pub(crate) bang: Bang,
    /// The last thing worth saying: a saved file or what went wrong.
    pub(crate) notice: Option<Notice>,
    search: String,
    /// Sliders of demo options that are being moved.
    edits: Edits,
    plots: Plots,
    thumbnails: Thumbnails,
}

/// A line for the player.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    /// The line.
    pub(crate) text: String,
    /// Whether something failed; that stays until it is closed, or something else was done.
    pub(crate) failed: bool,
    since: Instant,
    outdated: bool,
}

impl Notice {
    /// A line that appears now.
    pub(crate) fn new(text: String, failed: bool) -> Self {
        Self { text, failed, since: Instant::now(), outdated: false }
    }

    /// Something else was done since.
    pub(crate) fn outdate(&mut self) {
        self.outdated = true;
    }

    fn is_over(&self) -> bool {
        (!self.failed || self.outdated) && self.since.elapsed() > NOTICE_TIME
    }
}

/// What the panel shows and does not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    /// Speed of the window.
    pub(crate) pace: Pace,
    /// Simulation stopped.
    pub(crate) paused: bool,
    /// A film is being made.
    pub(crate) filming: bool,
    /// The window looks along the camera path.
    pub(crate) rides: bool,
    /// Name of the adapter.
    pub(crate) adapter: &'a str,
}

impl Panel {
    /// A panel as it was left.
    pub(crate) fn new(left: &Settings) -> Self {
        Self {
            visible: left.panel,
            help: false,
            caption: left.caption,
            caption_text: String::new(),
            draw: DrawOptions { shadows: left.shadows, grid: left.grid, ..DrawOptions::default() },
            level: left.level,
            tool: left.tool,
            throw: left.throw,
            bang: left.bang,
            notice: None,
            search: String::new(),
            edits: Edits::default(),
            plots: Plots::default(),
            thumbnails: Thumbnails::default(),
        }
    }

    /// What is to be remembered of it.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            size: None,
            level: self.level,
            panel: self.visible,
            shadows: self.draw.shadows,
            grid: self.draw.grid,
            caption: self.caption,
            tool: self.tool,
            throw: self.throw,
            bang: self.bang,
        }
    }

    /// Width that it covers at the left [points].
    pub(crate) fn width(&self) -> f32 {
        if self.visible { WIDTH } else { 0.0 }
    }

    /// Shows everything and returns what was asked for. `speed` is simulated over real time.
    pub(crate) fn show(&mut self, ui: &mut Ui, world: &mut World, speed: &mut f64, facts: &Facts<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.visible {
            let frame = Frame::new().fill(theme::BACKGROUND).inner_margin(Margin::symmetric(MARGIN, 10));
            egui::Panel::left("panel").resizable(false).show_separator_line(false).exact_size(WIDTH).frame(frame).show(
                ui,
                |ui| {
                    self.header(ui, world, facts, &mut actions);
                    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                        self.sections(ui, world, speed, facts, &mut actions);
                    });
                },
            );
        }
        if !self.visible {
            // Nobody looks at the times.
            world.set_timing(false, false);
        }
        if self.help {
            help::show(ui.ctx(), self.width());
        }
        if is_let_go(ui.ctx(), world) {
            actions.push(Action::LetGo);
        }
        if let Some(words) = self.words(&world.target) {
            caption::show(ui, &words, self.width());
        }
        self.show_notice(ui);
        actions
    }

    /// Words in the picture of this target, while they are shown.
    pub(crate) fn words(&self, target: &str) -> Option<String> {
        let own = scenes::demo(target).map_or_else(|| scenes::short(target), |demo| demo.summary.to_owned());
        let written = self.caption_text.trim();
        self.caption.then(|| if written.is_empty() { own } else { written.to_owned() })
    }

    /// Forgets sliders that were being moved, and what was plotted: another scene has begun.
    pub(crate) fn forget_edits(&mut self) {
        self.edits.clear();
        self.plots.forget();
    }

    /// Forgets what the GPU has of it: its device was lost, and another one draws from now on.
    pub(crate) fn device_lost(&mut self) {
        self.thumbnails.forget();
    }

    fn header(&mut self, ui: &mut Ui, world: &World, facts: &Facts<'_>, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            ui.label(RichText::new("Sinew").heading().strong());
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                button(ui, Icon::Help, None, "help (H)", actions, Action::ToggleHelp);
                let tint = facts.filming.then_some(theme::BAD);
                button(ui, Icon::Film, tint, "start or stop recording a film (F10)", actions, Action::Film);
                button(ui, Icon::Picture, None, "save a picture (F12)", actions, Action::Picture);
            });
        });
        ui.horizontal(|ui| {
            let (icon, what) =
                if facts.paused { (Icon::Play, "go on (Space)") } else { (Icon::Pause, "pause (Space)") };
            let tint = facts.paused.then_some(theme::ACCENT);
            button(ui, icon, tint, what, actions, Action::Pause);
            button(ui, Icon::Rewind, None, "go back a tenth of a second (,)", actions, Action::Rewind);
            button(ui, Icon::Step, None, "advance one frame (.)", actions, Action::Step);
            button(ui, Icon::Again, None, "restart (R)", actions, Action::Reset);
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                button(ui, Icon::On, None, "next demo (])", actions, Action::Next);
                button(ui, Icon::Back, None, "previous demo ([)", actions, Action::Previous);
                ui.add(egui::Label::new(RichText::new(scenes::short(&world.target)).color(theme::ACCENT)).truncate());
            });
        });
        ui.add_space(2.0);
        ui.separator();
    }

    fn sections(
        &mut self,
        ui: &mut Ui,
        world: &mut World,
        speed: &mut f64,
        facts: &Facts<'_>,
        actions: &mut Vec<Action>,
    ) {
        status::show(ui, world, &facts.pace, facts.paused);
        let times = status::details(ui, world, facts.adapter);
        // Plots read the world between two frames.
        let plotted = Context::CAN_WAIT && self.plots.show(ui, world, &facts.pace);
        // Timing costs a little, so only who looks pays.
        world.set_timing(times || plotted, times);
        ui.separator();
        section(ui, "Demos", true, |ui| {
            scenes::list(ui, &mut self.search, &mut self.thumbnails, &world.target, actions)
        });
        section(ui, "Tools", true, |ui| tools(ui, self.tool, world, actions));
        selected::show(ui, world, actions);
        characters::show(ui, &world.cast, actions);
        scenes::options(ui, &mut self.edits, world, actions);
        section(ui, "Draw", true, |ui| self.drawing(ui, actions));
        path::show(ui, &world.path, facts.rides, actions);
        section(ui, "Throw a ball", false, |ui| self.throwing(ui, actions));
        section(ui, "Explosion", false, |ui| self.exploding(ui, actions));
        ui.separator();
        slider_row(ui, "time", "simulated time over real time, if the machine keeps up", |ui| {
            ui.add(chosen(Slider::new(speed, 0.05..=1.0)).suffix(" ×").max_decimals(2))
        });
        let mut params = *world.solver.params();
        parameters::show(ui, &mut params, &world.start_params());
        if params != *world.solver.params() {
            actions.push(Action::Params(Box::new(params)));
        }
        ui.add_space(6.0);
        ui.weak(RichText::new("H help   Tab hides this").small());
    }

    fn drawing(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let draw = &mut self.draw;
        ui.horizontal(|ui| quality(ui, self.level, actions));
        ui.horizontal(|ui| {
            ui.checkbox(&mut draw.surfaces, "surfaces").on_hover_text("key 1");
            let mut particles = draw.particles;
            if ui.checkbox(&mut particles, "particles").on_hover_text("key 2").changed() {
                draw.show_particles(particles);
            }
            ui.checkbox(&mut draw.joints, "joints").on_hover_text("key 3");
        });
        ui.horizontal(|ui| {
            ui.checkbox(&mut draw.strain, "strain")
                .on_hover_text("key 4: soft surfaces, blue compressed, red stretched");
            ui.checkbox(&mut draw.colors, "colors")
                .on_hover_text("key 5: constraints, one color for each group solved in parallel");
            ui.checkbox(&mut draw.contacts, "contacts")
                .on_hover_text("key 7: contacts, orange with one another, green with colliders");
        });
        ui.horizontal(|ui| {
            ui.checkbox(&mut draw.shadows, "shadows");
            ui.checkbox(&mut draw.grid, "grid")
                .on_hover_text("tiles on the ground: a meter wide, or a tenth or ten times that");
            ui.checkbox(&mut self.caption, "caption")
                .on_hover_text("key C: a caption in the window, pictures and films");
        });
        parameters::row(ui, "particles by", "key 6: what their colors show", |ui| particle_colors(ui, draw));
        draw.legends().iter().for_each(|line| drop(ui.weak(RichText::new(line).small())));
        if self.caption {
            let words = egui::TextEdit::singleline(&mut self.caption_text).hint_text("the demo's summary");
            ui.add(words.desired_width(f32::INFINITY));
        }
    }

    fn throwing(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let throw = &mut self.throw;
        slider_row(ui, "speed", "from 1 to 50 m/s", |ui| {
            ui.add(chosen(Slider::new(&mut throw.speed, 1.0..=50.0)).suffix(" m/s"))
        });
        slider_row(ui, "radius", "from 0.03 to 0.6 m", |ui| {
            ui.add(chosen(Slider::new(&mut throw.radius, 0.03..=0.6)).suffix(" m").max_decimals(2))
        });
        slider_row(ui, "density", "from 50 to 8000 kg/m³; water is 1000", |ui| {
            ui.add(
                chosen(Slider::new(&mut throw.density, 50.0..=8000.0))
                    .logarithmic(true)
                    .suffix(" kg/m³")
                    .max_decimals(0),
            )
        });
        ui.horizontal(|ui| {
            if ui.button("throw").on_hover_text("key B").clicked() {
                actions.push(Action::Throw);
            }
            if *throw != Throw::default() && ui.button("defaults").clicked() {
                *throw = Throw::default();
            }
        });
    }

    fn exploding(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let bang = &mut self.bang;
        slider_row(ui, "speed", "at its center, from 1 to 60 m/s", |ui| {
            ui.add(chosen(Slider::new(&mut bang.speed, 1.0..=60.0)).suffix(" m/s"))
        });
        slider_row(ui, "radius", "from 0.2 to 20 m", |ui| {
            ui.add(chosen(Slider::new(&mut bang.radius, 0.2..=20.0)).logarithmic(true).suffix(" m").max_decimals(1))
        });
        ui.horizontal(|ui| {
            if ui.button("explode").on_hover_text("in the middle of the view; key X: under the pointer").clicked() {
                actions.push(Action::Explode);
            }
            if *bang != Bang::default() && ui.button("defaults").clicked() {
                *bang = Bang::default();
            }
        });
    }

    fn show_notice(&mut self, ui: &Ui) {
        let Some(notice) = &self.notice else { return };
        if notice.is_over() {
            self.notice = None;
            return;
        }
        // What is announced is shown for a few frames alone.
        let area = egui::Area::new(egui::Id::unique("notice")).fade_in(false);
        let area = area.anchor(egui::Align2::RIGHT_BOTTOM, [-12.0, -12.0]);
        let clicked = area.show(ui.ctx(), |ui| {
            let color = if notice.failed { theme::BAD } else { theme::GOOD };
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(420.0);
                ui.label(RichText::new(&notice.text).color(color));
                ui.button("close").clicked()
            })
        });
        if clicked.inner.inner {
            self.notice = None;
        }
    }
}

/// Whether what was being changed is held by nobody any more: no slider is dragged, and no number typed.
fn is_let_go(ctx: &egui::Context, world: &World) -> bool {
    let own = world.is_changing() && !world.is_replayed() && world.held.is_none();
    own && !ctx.input(|input| input.pointer.any_down()) && !ctx.text_edit_focused()
}

fn button(ui: &mut Ui, icon: Icon, tint: Option<egui::Color32>, help: &str, actions: &mut Vec<Action>, action: Action) {
    if icons::button(ui, icon, tint).on_hover_text(help).clicked() {
        actions.push(action);
    }
}

fn slider_row(ui: &mut Ui, name: &str, help: &str, slider: impl FnOnce(&mut Ui) -> egui::Response) {
    parameters::row(ui, name, help, |ui| slider(ui));
}

/// A choice of what the colors of particles tell.
fn particle_colors(ui: &mut Ui, draw: &mut DrawOptions) -> egui::Response {
    let shown = ParticleColors::ALL.iter().find(|(colors, ..)| *colors == draw.particle_colors);
    let combo = egui::ComboBox::from_id_salt("particle colors").width(ui.available_width()).truncate();
    let combo = combo.selected_text(shown.map_or("", |(_, name, _)| *name)).show_ui(ui, |ui| {
        for (colors, name, what) in ParticleColors::ALL {
            if ui.selectable_label(draw.particle_colors == colors, name).on_hover_text(what).clicked() {
                draw.show_colors(colors);
            }
        }
    });
    combo.response
}

/// A choice of how much work the picture may be.
fn quality(ui: &mut Ui, chosen: Level, actions: &mut Vec<Action>) {
    ui.weak("quality").on_hover_text("auto: as suits the adapter, and lower while drawing is slow");
    for (level, name) in [(Level::Auto, "auto"), (Level::Low, "low"), (Level::High, "high")] {
        if ui.selectable_label(chosen == level, name).clicked() {
            actions.push(Action::Level(level));
        }
    }
}

/// What the left button does, and how what it did is taken back.
fn tools(ui: &mut Ui, chosen: Tool, world: &World, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        for (tool, name, what) in TOOLS {
            if ui.selectable_label(chosen == *tool, *name).on_hover_text(*what).clicked() {
                actions.push(Action::Tool(*tool));
            }
        }
    });
    ui.horizontal(|ui| {
        let undo = ui.add_enabled(world.can_undo(), egui::Button::new("undo"));
        if undo.on_hover_text("key Z: undo the last addition or change").clicked() {
            actions.push(Action::Undo);
        }
        if ui.button("save").on_hover_text("key K: save the scene's current state to out/").clicked() {
            actions.push(Action::Save);
        }
        if ui.button("take").on_hover_text("key F9: save everything done so far to out/, for replay").clicked() {
            actions.push(Action::Take);
        }
        let pins = world.pins();
        if pins > 0 && ui.button(format!("unpin all {pins}")).clicked() {
            actions.push(Action::Unpin);
        }
    });
}
