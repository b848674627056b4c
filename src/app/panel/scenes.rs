//! The list of demos, searchable, and the options of the one that runs.

use std::collections::HashMap;
use std::path::Path;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, Button, Image, Key, Response, RichText, ScrollArea, TextEdit, TextStyle, Ui};

use super::parameters;
use super::theme::section;
use super::thumbnails::Thumbnails;
use crate::app::keys::Action;
use crate::app::world::World;
use crate::demos::{Category, DEMOS, Demo, DemoOption, OptionKind};
use crate::scene::Domain;

/// Height of the list, and of a picture in it [points].
const LIST_HEIGHT: f32 = 210.0;
const ROW_HEIGHT: f32 = 30.0;
/// Room around picture and words of a row [points].
const ROW_MARGIN: f32 = 24.0;

/// A demo's name, or a file's name without its folder.
pub(crate) fn short(target: &str) -> String {
    if demo(target).is_some() {
        return target.to_owned();
    }
    Path::new(target).file_name().map_or_else(|| target.to_owned(), |n| n.to_string_lossy().into_owned())
}

/// The demo that `target` names; none for a file.
pub(super) fn demo(target: &str) -> Option<&'static Demo> {
    DEMOS.iter().find(|d| d.name == target)
}

/// The demos whose name or summary contains what was typed, by what they are of, each with a picture.
pub(super) fn list(
    ui: &mut Ui,
    search: &mut String,
    thumbnails: &mut Thumbnails,
    target: &str,
    actions: &mut Vec<Action>,
) {
    let field = TextEdit::singleline(search).hint_text("search, or drop a .glb on the window");
    let field = ui.add(field.desired_width(f32::INFINITY));
    if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) && !search.trim().is_empty() {
        actions.extend(listed(search).next().map(|(_, demo)| Action::Open(demo.name.to_owned())));
    }
    ScrollArea::vertical().id_salt("demos").max_height(LIST_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let mut any = false;
        for category in Category::ALL {
            let mut demos = listed(search).filter(|(_, demo)| demo.category == category).peekable();
            if demos.peek().is_some() {
                ui.label(RichText::new(category.name()).weak().small());
                any = true;
            }
            for (index, demo) in demos {
                let chosen = demo.name == target;
                let row = row(ui, thumbnails.picture(ui, index, ROW_HEIGHT), demo, chosen);
                if row.clicked() {
                    actions.push(Action::Open(demo.name.to_owned()));
                }
                // A demo that was opened in another way comes into sight.
                if chosen && thumbnails.is_coming(target) {
                    row.scroll_to_me(Some(Align::Center));
                }
            }
        }
        if !any {
            ui.weak("no demo matches");
        }
    });
}

/// A demo with its picture.
fn row(ui: &mut Ui, picture: Image<'static>, demo: &Demo, chosen: bool) -> Response {
    let mut text = LayoutJob::default();
    let style = ui.style();
    let color = if chosen { style.visuals.selection.stroke.color } else { style.visuals.text_color() };
    let font = |name: TextStyle| name.resolve(style);
    text.append(demo.name, 0.0, TextFormat::simple(font(TextStyle::Button), color));
    text.append("\n", 0.0, TextFormat::simple(font(TextStyle::Small), color));
    text.append(demo.summary, 0.0, TextFormat::simple(font(TextStyle::Small), style.visuals.weak_text_color()));
    let width = ui.available_width() - picture.size().map_or(0.0, |size| size.x) - ROW_MARGIN;
    text.wrap = TextWrapping { max_width: width, max_rows: 2, break_anywhere: true, ..TextWrapping::default() };
    let row = Button::image_and_text(picture, text)
        .image_tint_follows_text_color(false)
        .selected(chosen)
        .frame_when_inactive(chosen)
        .min_size(egui::vec2(ui.available_width(), 0.0));
    ui.add(row).on_hover_text(demo.summary)
}

/// The demos that are listed while this is searched for, each with its place among all, in the order of the list.
fn listed(search: &str) -> impl Iterator<Item = (usize, &'static Demo)> {
    let of = |category: Category| DEMOS.iter().enumerate().filter(move |(_, demo)| demo.category == category);
    Category::ALL.into_iter().flat_map(of).filter(|(_, demo)| matches(demo, search))
}

fn matches(demo: &Demo, search: &str) -> bool {
    let wanted = search.trim().to_lowercase();
    demo.name.contains(&wanted) || demo.summary.to_lowercase().contains(&wanted)
}

/// The demo `step` places further on in the list, which is a ring; the first for a file.
pub(crate) fn neighbor(target: &str, step: isize) -> String {
    let place = DEMOS.iter().position(|d| d.name == target).map_or(0, |i| i as isize + step);
    DEMOS[place.rem_euclid(DEMOS.len() as isize) as usize].name.to_owned()
}

/// Sliders that are being moved, by option. While a slider is dragged its value lives here; the scene is built once, at the
/// end.
pub(super) type Edits = HashMap<&'static str, f64>;

/// The options of the demo that runs; changing one starts it again.
pub(super) fn options(ui: &mut Ui, edits: &mut Edits, world: &World, actions: &mut Vec<Action>) {
    let Some(demo) = demo(&world.target).filter(|d| !d.options.is_empty()) else { return };
    section(ui, "Options", true, |ui| {
        let names: Vec<_> = demo.options.iter().map(|option| option.name).collect();
        let width = parameters::label_width(ui, &names);
        for option in demo.options {
            match option.kind {
                OptionKind::Value { domain, default } => {
                    let now = set_value(world, option, domain).unwrap_or(default);
                    actions.extend(slider(ui, edits, option, width, domain, now));
                }
                OptionKind::Text { placeholder } => {
                    let set = world.sets.iter().rev().find(|(key, _)| key == option.name);
                    let text = set.map_or_else(|| RichText::new("not set").weak(), |(_, text)| short(text).into());
                    let help = format!("{}\nset it with --set {}={placeholder}", option.doc, option.name);
                    parameters::wide_row(ui, option.name, width, &help, |ui| ui.add(egui::Label::new(text).truncate()));
                }
            }
        }
    });
}

/// A control of an option that is `now` so much; what it asks for when it has been changed.
fn slider(ui: &mut Ui, edits: &mut Edits, option: &DemoOption, width: f32, domain: Domain, now: f64) -> Option<Action> {
    let mut value = edits.get(option.name).copied().unwrap_or(now);
    let done = parameters::control(ui, option.name, width, "", domain, option.doc, &mut value);
    if done || value == now {
        edits.remove(option.name);
    } else {
        edits.insert(option.name, value);
    }
    (done && value != now).then(|| Action::Option(option.name.to_owned(), domain.text(value)))
}

fn set_value(world: &World, option: &DemoOption, domain: Domain) -> Option<f64> {
    let (_, text) = world.sets.iter().rev().find(|(key, _)| key == option.name)?;
    domain.parse(text).ok()
}
