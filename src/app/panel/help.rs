//! The keys, in the middle of what the panel leaves free of the window.

use egui::{Align2, Frame, Grid, Margin, Rect, RichText, ScrollArea};

use super::theme::{ACCENT, BACKGROUND};
use crate::app::keys::HELP;

const MARGIN: f32 = 18.0;
/// Between the columns, and between the rows.
const SPACING: [f32; 2] = [22.0, 5.0];
/// Room for the keys, and most of it for what they do.
const KEYS: f32 = 168.0;
const WORDS: f32 = 620.0;
/// Room for the words beside the panel below which the panel is covered too.
const LEAST_WORDS: f32 = 300.0;

/// Shows every key and what it does, beside what covers `left` [points] where there is room; in a small window, as many as there is room for
/// at once. Returns where.
pub(super) fn show(ctx: &egui::Context, left: f32) -> Rect {
    let room = ctx.content_rect().size() - egui::Vec2::splat(3.0 * MARGIN);
    let bar = ctx.global_style().spacing.scroll.allocated_width();
    let for_words = room.x - KEYS - SPACING[0] - bar;
    let left = if for_words - left < LEAST_WORDS { 0.0 } else { left };
    let words = (for_words - left).clamp(60.0, WORDS);
    let area = egui::Area::new(egui::Id::unique("help")).anchor(Align2::CENTER_CENTER, [0.5 * left, 0.0]);
    let shown = area.show(ctx, |ui| {
        Frame::new().fill(BACKGROUND).corner_radius(8).inner_margin(Margin::same(MARGIN as i8)).show(ui, |ui| {
            // An area remembers how high it was, and the window may have grown.
            ScrollArea::vertical().max_height(room.y).min_scrolled_height(room.y).show(ui, |ui| table(ui, words));
        });
    });
    shown.response.rect
}

fn table(ui: &mut egui::Ui, words: f32) {
    Grid::new("keys").num_columns(2).spacing(SPACING).show(ui, |ui| {
        for (keys, what) in HELP {
            cell(ui, KEYS, RichText::new(*keys).color(ACCENT));
            cell(ui, words, RichText::new(*what));
            ui.end_row();
        }
    });
}

fn cell(ui: &mut egui::Ui, width: f32, text: RichText) {
    ui.vertical(|ui| {
        ui.set_width(width);
        ui.add(egui::Label::new(text).wrap());
    });
}
