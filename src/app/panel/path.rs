//! The views of a camera path, and the buttons for them.

use egui::Ui;

use super::theme::section;
use crate::app::camera_path::CameraPath;
use crate::app::keys::Action;

/// The list; `rides` is whether the window looks along the path.
pub(super) fn show(ui: &mut Ui, path: &CameraPath, rides: bool, actions: &mut Vec<Action>) {
    section(ui, "Camera path", false, |ui| {
        for (index, key) in path.keys.iter().enumerate() {
            ui.horizontal(|ui| {
                let [x, y, z] = key.eye.to_array();
                ui.monospace(format!("{:6.2} s", key.time)).on_hover_text(format!("from {x:.2}, {y:.2}, {z:.2} m"));
                if ui.small_button("remove").clicked() {
                    actions.push(Action::RemoveView(index));
                }
            });
        }
        ui.horizontal(|ui| {
            if ui.button("add").on_hover_text("key V: add the current view, at the scene's current time").clicked() {
                actions.push(Action::AddView);
            }
            if path.is_empty() {
                return;
            }
            let word = if rides { "look freely" } else { "ride" };
            if ui.button(word).on_hover_text("the window, its pictures and films follow the path").clicked() {
                actions.push(Action::Ride);
            }
            if ui.button("save").on_hover_text("to out/, for `sinew render --camera-path`").clicked() {
                actions.push(Action::SavePath);
            }
        });
    });
}
