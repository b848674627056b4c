//! What the characters of the scene do: their clips, and whether they are limp.

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
            ComboBox::from_id_salt("clips").selected_text(shown).width(150.0).show_ui(ui, |ui| {
                let clicked = |(index, name): &(usize, &&str)| {
                    ui.selectable_label(first.clip() == Some(*index), **name).clicked()
                };
                actions.extend(names.iter().enumerate().filter(clicked).map(|(index, _)| Action::Clip(index)));
            });
            let word = if cast.is_limp() { "get up" } else { "go limp" };
            if ui.button(word).on_hover_text("key L").clicked() {
                actions.push(Action::Limp);
            }
        });
    });
}
