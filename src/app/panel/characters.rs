//! What the characters of the scene do: their clips, whether they are limp, and how strong they are.

use egui::{ComboBox, Ui};

use super::theme::section;
use crate::animation::Cast;
use crate::app::keys::Action;

/// The clips of the first character and the way to let all of them fall; nothing without characters.
pub(super) fn show(ui: &mut Ui, cast: &Cast, actions: &mut Vec<Action>) {
    let Some(first) = cast.performers.first() else { return };
    section(ui, "Characters", true, |ui| {
        ui.horizontal(|ui| {
            let names: Vec<&str> = first.clips().collect();
            let shown = first.clip().and_then(|clip| names.get(clip).copied()).unwrap_or("no clip");
            let label = ui.weak("clip").id;
            let combo = ComboBox::from_id_salt("clips").selected_text(shown).width(120.0).show_ui(ui, |ui| {
                let clicked = |(index, name): &(usize, &&str)| {
                    ui.selectable_label(first.clip() == Some(*index), **name).clicked()
                };
                actions.extend(names.iter().enumerate().filter(clicked).map(|(index, _)| Action::Clip(index)));
            });
            combo.response.labelled_by(label);
            let word = if cast.is_limp() { "get up" } else { "go limp" };
            if ui.button(word).on_hover_text("key L").clicked() {
                actions.push(Action::Limp);
            }
        });
        ui.horizontal(|ui| {
            let mut powered = first.is_powered();
            let muscles = ui.checkbox(&mut powered, "muscles").on_hover_text("key M: they move by their own strength");
            if muscles.changed() {
                actions.push(Action::Muscles);
            }
            let mut strength = first.drive_strength();
            let slider = egui::Slider::new(&mut strength, 0.0..=1.0);
            let slider = ui.add_enabled(powered, slider).labelled_by(muscles.id);
            if slider.on_hover_text("0 limp, 1 as strong as can be").changed() {
                actions.push(Action::Strength(strength));
            }
        });
    });
}
