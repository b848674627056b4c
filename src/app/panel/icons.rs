//! The panel's icons, drawn with lines: sharp at any scale, no font needed.

use egui::{Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, pos2, vec2};

/// What a button shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
    /// Triangle.
    Play,
    /// Two bars.
    Pause,
    /// Triangle against a bar.
    Step,
    /// Triangle to the left against a bar.
    Rewind,
    /// Arrow in a circle.
    Again,
    /// Angle to the left.
    Back,
    /// Angle to the right.
    On,
    /// Camera.
    Picture,
    /// Disk.
    Film,
    /// Question mark.
    Help,
}

/// A square button with an icon; `tint` replaces the text's color.
pub(super) fn button(ui: &mut Ui, icon: Icon, tint: Option<Color32>) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(24.0, 20.0), Sense::click());
    let visuals = ui.style().interact(&response);
    ui.painter().rect_filled(rect, visuals.corner_radius, visuals.weak_bg_fill);
    paint(ui.painter(), icon, rect, tint.unwrap_or(visuals.fg_stroke.color));
    response
}

/// A disk on the text line: the light of the health row.
pub(super) fn light(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(9.0), Sense::hover());
    ui.painter().circle_filled(rect.center(), 3.5, color);
}

fn paint(painter: &Painter, icon: Icon, rect: Rect, color: Color32) {
    let center = rect.center();
    let at = |x: f32, y: f32| pos2(center.x + x, center.y + y);
    let stroke = Stroke::new(1.6, color);
    let triangle = |x: f32| vec![at(x - 3.5, -5.0), at(x + 5.0, 0.0), at(x - 3.5, 5.0)];
    let fill = |points: Vec<Pos2>| painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    let bar = |x: f32| painter.rect_filled(Rect::from_center_size(at(x, 0.0), vec2(2.6, 10.0)), 0.5, color);
    match icon {
        Icon::Play => {
            fill(triangle(0.0));
        }
        Icon::Pause => {
            bar(-2.7);
            bar(2.7);
        }
        Icon::Step => {
            fill(triangle(-2.0));
            bar(5.0);
        }
        Icon::Rewind => {
            fill(vec![at(5.0, -5.0), at(-3.5, 0.0), at(5.0, 5.0)]);
            bar(-5.0);
        }
        Icon::Again => {
            let point = |turn: f32| at(4.6 * turn.cos(), 4.6 * turn.sin());
            painter.add(Shape::line((4..=24).map(|i| point(i as f32 * 0.24)).collect(), stroke));
            fill(vec![at(7.4, -1.6), at(1.6, -1.2), at(5.6, 3.0)]);
        }
        Icon::Back => {
            painter.add(Shape::line(vec![at(2.0, -4.5), at(-2.5, 0.0), at(2.0, 4.5)], stroke));
        }
        Icon::On => {
            painter.add(Shape::line(vec![at(-2.0, -4.5), at(2.5, 0.0), at(-2.0, 4.5)], stroke));
        }
        Icon::Picture => {
            let body = Rect::from_center_size(at(0.0, 1.0), vec2(13.0, 8.6));
            painter.rect_stroke(body, 1.5, Stroke::new(1.3, color), egui::StrokeKind::Inside);
            painter.circle_stroke(at(0.0, 1.0), 2.2, Stroke::new(1.3, color));
            painter.rect_filled(Rect::from_center_size(at(0.0, -4.2), vec2(5.0, 2.0)), 0.5, color);
        }
        Icon::Film => {
            painter.circle_filled(center, 4.2, color);
        }
        Icon::Help => {
            let font = egui::FontId::proportional(13.5);
            painter.text(center, egui::Align2::CENTER_CENTER, "?", font, color);
        }
    }
}
