//! The keys, in the middle of the window.

use egui::{Align2, Frame, Grid, Margin, RichText};

use super::theme::{ACCENT, BACKGROUND};
use crate::app::keys::HELP;

/// Shows every key and what it does.
pub(super) fn show(ctx: &egui::Context) {
    egui::Area::new(egui::Id::unique("help")).anchor(Align2::CENTER_CENTER, [0.0, 0.0]).interactable(false).show(
        ctx,
        |ui| {
            Frame::new().fill(BACKGROUND).corner_radius(8).inner_margin(Margin::same(18)).show(ui, |ui| {
                Grid::new("keys").num_columns(2).spacing([22.0, 5.0]).show(ui, |ui| {
                    for (keys, what) in HELP {
                        ui.label(RichText::new(*keys).color(ACCENT));
                        ui.label(*what);
                        ui.end_row();
                    }
                });
            });
        },
    );
}
