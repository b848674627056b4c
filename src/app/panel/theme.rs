//! Colors and sizes of the panel: dark, small, quiet; one accent.

use egui::{CollapsingHeader, Color32, CornerRadius, FontId, Margin, Stroke, TextStyle, Ui, Vec2, Visuals};

/// Width of the panel.
pub(super) const WIDTH: f32 = 296.0;
/// Beside what stands in it.
pub(super) const MARGIN: i8 = 12;
/// The bar that scrolls it.
const BAR: f32 = 8.0;
/// Width of what stands in it.
pub(super) const INNER_WIDTH: f32 = WIDTH - 2.0 * MARGIN as f32 - BAR;

/// Panel background, a little transparent so that the scene is felt behind it.
pub(super) const BACKGROUND: Color32 = Color32::from_rgba_premultiplied(16, 18, 21, 236);
/// The one color that says "on", "here", "yours".
pub(super) const ACCENT: Color32 = Color32::from_rgb(240, 162, 88);
/// All is well.
pub(super) const GOOD: Color32 = Color32::from_rgb(122, 196, 132);
/// Something was dropped, lost or broken.
pub(super) const BAD: Color32 = Color32::from_rgb(240, 98, 88);

const TEXT: Color32 = Color32::from_rgb(216, 220, 226);
const WEAK: Color32 = Color32::from_rgb(138, 146, 157);

/// Styles a context; call once.
pub(crate) fn apply(ctx: &egui::Context) {
    ctx.set_theme(egui::Theme::Dark);
    ctx.all_styles_mut(|style| {
        style.visuals = visuals();
        for (name, font) in [
            (TextStyle::Small, FontId::proportional(10.5)),
            (TextStyle::Body, FontId::proportional(12.5)),
            (TextStyle::Button, FontId::proportional(12.5)),
            (TextStyle::Monospace, FontId::monospace(11.5)),
            (TextStyle::Heading, FontId::proportional(16.0)),
        ] {
            style.text_styles.insert(name, font);
        }
        let spacing = &mut style.spacing;
        spacing.item_spacing = Vec2::new(6.0, 4.0);
        spacing.button_padding = Vec2::new(6.0, 2.0);
        spacing.interact_size.y = 18.0;
        spacing.slider_rail_height = 4.0;
        spacing.icon_width = 13.0;
        spacing.icon_width_inner = 7.0;
        spacing.indent = 10.0;
        spacing.tooltip_width = 260.0;
        spacing.menu_margin = Margin::same(6);
        spacing.scroll = egui::style::ScrollStyle::thin();
        style.interaction.tooltip_delay = 0.35;
        // Who drags across the panel means none of its words.
        style.interaction.selectable_labels = false;
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = BACKGROUND;
    visuals.window_fill = Color32::from_rgba_premultiplied(20, 22, 26, 244);
    visuals.window_stroke = Stroke::new(1.0, Color32::from_gray(48));
    visuals.extreme_bg_color = Color32::from_rgb(10, 11, 13);
    visuals.faint_bg_color = Color32::from_rgba_premultiplied(9, 9, 10, 10);
    visuals.weak_text_color = Some(WEAK);
    visuals.warn_fg_color = ACCENT;
    visuals.error_fg_color = BAD;
    visuals.selection.bg_fill = Color32::from_rgb(96, 62, 30);
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.slider_trailing_fill = true;
    visuals.indent_has_left_vline = false;
    let widgets = &mut visuals.widgets;
    let fills = [24_u8, 38, 52, 62, 46];
    let states = [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ];
    for (state, gray) in states.into_iter().zip(fills) {
        let fill = Color32::from_rgb(gray, gray + 3, gray + 8);
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = Stroke::NONE;
        state.fg_stroke = Stroke::new(1.0, TEXT);
        state.corner_radius = CornerRadius::same(4);
        state.expansion = 0.0;
    }
    // What is unchecked is seen by its edge alone.
    widgets.inactive.bg_stroke = Stroke::new(1.0, Color32::from_gray(84));
    widgets.hovered.bg_stroke = Stroke::new(1.0, Color32::from_gray(120));
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_gray(40));
    widgets.hovered.fg_stroke.color = Color32::WHITE;
    widgets.active.fg_stroke.color = ACCENT;
    visuals
}

/// A part of the panel that folds away.
pub(super) fn section(ui: &mut Ui, title: &str, open: bool, content: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(title).default_open(open).show_unindented(ui, content);
}
