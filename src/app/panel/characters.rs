//! What the characters of the scene do: their clips, whether they are limp, and how strong they are.

use egui::{ComboBox, Ui};

use super::parameters::chosen;
use super::theme::section;
use crate::animation::{Cast, Performer};
use crate::app::keys::Action;

/// The clips of the first character and the way to let all of them fall; nothing without characters.
pub(super) fn show(ui: &mut Ui, cast: &Cast, actions: &mut Vec<Action>) {
    let Some(first) = cast.performers.first() else { return };
    section(ui, "Characters", true, |ui| {
        ui.horizontal(|ui| {
            actions.extend(clip(ui, "clip", first).map(Action::Clip));
            let word = if cast.is_limp() { "get up" } else { "go limp" };
            if ui.button(word).on_hover_text("key L").clicked() {
                actions.push(Action::Limp);
            }
        });
        ui.horizontal(|ui| {
            let mut powered = first.is_powered();
            let muscles =
                ui.checkbox(&mut powered, "muscles").on_hover_text("key M: characters move by their own strength");
            if muscles.changed() {
                actions.push(Action::Muscles);
            }
            let mut strength = first.drive_strength();
            let slider = chosen(egui::Slider::new(&mut strength, 0.0..=1.0));
            let slider = ui.add_enabled(powered, slider).labelled_by(muscles.id);
            if slider.on_hover_text("0 limp, 1 full strength").changed() {
                actions.push(Action::Strength(strength));
            }
        });
    });
}

/// The clips of a character; the index of one that was chosen.
pub(super) fn clip(ui: &mut Ui, name: &str, performer: &Performer) -> Option<usize> {
    let names: Vec<&str> = performer.clips().collect();
    let shown = performer.clip().and_then(|clip| names.get(clip).copied()).unwrap_or("no clip");
    let label = ui.weak(name).id;
    let combo = ComboBox::from_id_salt(name).selected_text(shown).width(120.0).truncate().show_ui(ui, |ui| {
        let clicked =
            |(index, name): &(usize, &&str)| ui.selectable_label(performer.clip() == Some(*index), **name).clicked();
        names.iter().enumerate().filter(clicked).map(|(index, _)| index).last()
    });
    combo.response.labelled_by(label);
    combo.inner.flatten()
}
