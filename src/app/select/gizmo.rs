//! Handles on the selected thing: arrows that move it along an axis, rings that rotate it about one, and a ball that scales it.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::Selected;
use crate::app::grab::Ray;
use crate::render::Camera;
use crate::scene::{ColliderId, Shape, Thing};
use crate::solver::Solver;

/// Size of the arrows, as a part of the distance to the eye.
const SIZE: f32 = 0.16;
/// Radius of the rings, of the ball in the middle, and how far from a handle it is hit, in sizes.
const RING: f32 = 0.7;
const BALL: f32 = 0.13;
const NEAR: f32 = 0.07;
/// Sizes of the way up that make it e times as large.
const GROWTH: f32 = 2.0;
/// A ray nearer to a direction than this has no point on it.
const LEAST_SINE2: f32 = 1e-4;
/// Segments of a ring.
const SEGMENTS: usize = 40;

/// A part of the gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) enum Handle {
    /// Moves along an axis of what is selected.
    Move(usize),
    /// Turns about one.
    Turn(usize),
    /// Makes larger and smaller.
    Scale,
}

/// Where the handles are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Gizmo {
    /// The collider that it is on.
    pub(crate) collider: ColliderId,
    /// Its place [m].
    at: Vec3,
    rotation: Quat,
    /// Length of an arrow [m].
    size: f32,
}

/// A handle that is held.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grip {
    gizmo: Gizmo,
    handle: Handle,
    /// Where on the handle it was taken: meters along, or radians around.
    start: f32,
}

/// Where a handle puts what it is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Put {
    /// Place [m].
    pub(crate) position: Vec3,
    /// Orientation.
    pub(crate) rotation: Quat,
    /// Times as large.
    pub(crate) scale: f32,
}

impl Gizmo {
    /// That of what is selected, seen from `eye` [m]; none on what is not moved by hand.
    pub(crate) fn of(selected: Selected, solver: &Solver, eye: Vec3) -> Option<Self> {
        let Thing::Collider(collider) = selected.thing else { return None };
        let (position, rotation) = solver.collider_place(collider).ok()?;
        let is_plane = solver.scene().colliders.get(collider.0 as usize)?.shape == Shape::Plane;
        let at = if is_plane { selected.point } else { position };
        Some(Self { collider, at, rotation, size: SIZE * at.distance(eye).max(0.1) })
    }

    fn axis(&self, index: usize) -> Vec3 {
        self.rotation * [Vec3::X, Vec3::Y, Vec3::Z][index]
    }

    /// Two directions that with an axis are right-handed.
    fn across(&self, index: usize) -> [Vec3; 2] {
        [self.axis((index + 1) % 3), self.axis((index + 2) % 3)]
    }

    /// The handle that a ray meets, and how far along the ray [m].
    fn handle_on(&self, ray: Ray) -> Option<Handle> {
        let near = NEAR * self.size;
        let to = self.at - ray.origin;
        if (to - ray.direction * to.dot(ray.direction)).length() < BALL * self.size {
            return Some(Handle::Scale);
        }
        let arrow = |index: usize| {
            let along = closest(self.at, self.axis(index), ray)?.clamp(0.0, self.size);
            let point = self.at + self.axis(index) * along;
            let away = (point - ray.origin).reject_from_normalized(ray.direction).length();
            (away < near).then_some((Handle::Move(index), (point - ray.origin).length()))
        };
        let ring = |index: usize| {
            let point = self.on_ring(index, ray)?;
            let away = (point.distance(self.at) - RING * self.size).abs();
            (away < near).then_some((Handle::Turn(index), (point - ray.origin).length()))
        };
        let hits = (0..3).flat_map(|index| [arrow(index), ring(index)]).flatten();
        hits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(handle, _)| handle)
    }

    /// Where a ray meets the plane of a ring [m].
    fn on_ring(&self, index: usize, ray: Ray) -> Option<Vec3> {
        let (normal, slope) = (self.axis(index), ray.direction.dot(self.axis(index)));
        let distance = (self.at - ray.origin).dot(normal) / slope;
        (slope * slope > LEAST_SINE2 && distance > 0.0).then(|| ray.at(distance))
    }

    /// Where on a handle a ray is: meters along, or radians around.
    fn place_on(&self, handle: Handle, ray: Ray) -> Option<f32> {
        match handle {
            Handle::Move(index) => closest(self.at, self.axis(index), ray),
            Handle::Turn(index) => {
                let (offset, [x, y]) = (self.on_ring(index, ray)? - self.at, self.across(index));
                Some(offset.dot(y).atan2(offset.dot(x)))
            }
            Handle::Scale => closest(self.at, Vec3::Y, ray),
        }
    }

    /// Takes hold of the handle that a ray meets.
    pub(crate) fn grip(&self, ray: Ray) -> Option<Grip> {
        let handle = self.handle_on(ray)?;
        Some(Grip { gizmo: *self, handle, start: self.place_on(handle, ray)? })
    }

    /// Lines of the handles, with a color of each.
    fn lines(&self) -> Vec<([Vec3; 2], usize)> {
        let mut lines = Vec::new();
        for index in 0..3 {
            lines.push(([self.at, self.at + self.axis(index) * self.size], index));
            let [x, y] = self.across(index).map(|axis| axis * RING * self.size);
            let point = |k: usize| {
                let (sin, cos) = (std::f32::consts::TAU * k as f32 / SEGMENTS as f32).sin_cos();
                self.at + x * cos + y * sin
            };
            lines.extend((0..SEGMENTS).map(|k| ([point(k), point(k + 1)], index)));
        }
        lines
    }
}

impl Grip {
    /// Whether its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let Gizmo { at, rotation, size, .. } = self.gizmo;
        at.is_finite() && rotation.is_normalized() && size.is_finite() && size > 0.0 && self.start.is_finite()
    }

    /// The collider it is on.
    pub(crate) fn collider(&self) -> ColliderId {
        self.gizmo.collider
    }

    /// Whether it changes the size.
    pub(crate) fn scales(&self) -> bool {
        self.handle == Handle::Scale
    }

    /// Where `from`, the place of the collider when it was taken, is put by a ray.
    pub(crate) fn put(&self, from: Vec3, ray: Ray) -> Put {
        let gizmo = &self.gizmo;
        let stay = Put { position: from, rotation: gizmo.rotation, scale: 1.0 };
        let Some(now) = gizmo.place_on(self.handle, ray) else { return stay };
        let by = now - self.start;
        match self.handle {
            Handle::Move(index) => Put { position: from + gizmo.axis(index) * by, ..stay },
            Handle::Turn(index) => {
                let turn = Quat::from_axis_angle(gizmo.axis(index), by);
                Put {
                    position: gizmo.at + turn * (from - gizmo.at),
                    rotation: (turn * gizmo.rotation).normalize(),
                    ..stay
                }
            }
            Handle::Scale => Put { scale: (by / (GROWTH * gizmo.size)).exp().clamp(0.1, 10.0), ..stay },
        }
    }
}

/// How far along a line through `at` [m] the point is that is nearest to a ray; none where they are parallel.
fn closest(at: Vec3, direction: Vec3, ray: Ray) -> Option<f32> {
    let (cosine, to) = (direction.dot(ray.direction), ray.origin - at);
    let sine2 = 1.0 - cosine * cosine;
    (sine2 > LEAST_SINE2).then(|| (to.dot(direction) - cosine * to.dot(ray.direction)) / sine2)
}

/// Paints the handles over a picture of `size` [pixels] that `camera` sees, and a dot on what has none.
pub(crate) fn paint(ui: &egui::Ui, selected: Selected, solver: &Solver, camera: &Camera, size: (u32, u32)) {
    let layer = egui::LayerId::new(egui::Order::Background, egui::Id::unique("gizmo"));
    let painter = ui.ctx().layer_painter(layer);
    let scale = ui.ctx().pixels_per_point();
    let pixel = |point: Vec3| camera.pixel(point, size).map(|at| egui::pos2(at.x / scale, at.y / scale));
    let colors = [(235, 80, 70), (90, 200, 90), (80, 140, 245)].map(|(r, g, b)| egui::Color32::from_rgb(r, g, b));
    let Some(gizmo) = Gizmo::of(selected, solver, camera.eye) else {
        if let Some(at) = pixel(selected.point) {
            painter.circle_stroke(at, 6.0, egui::Stroke::new(2.0, egui::Color32::from_rgb(240, 162, 88)));
        }
        return;
    };
    for ([from, to], color) in gizmo.lines() {
        if let (Some(from), Some(to)) = (pixel(from), pixel(to)) {
            painter.line_segment([from, to], egui::Stroke::new(2.0, colors[color]));
        }
    }
    for (index, color) in colors.into_iter().enumerate() {
        if let Some(tip) = pixel(gizmo.at + gizmo.axis(index) * gizmo.size) {
            painter.circle_filled(tip, 5.0, color);
        }
    }
    if let Some(at) = pixel(gizmo.at) {
        painter.circle_filled(at, 6.0, egui::Color32::from_gray(230));
    }
}

/// Writes how many times as large a collider will be, which it is once it is let go.
pub(crate) fn paint_scale(ui: &egui::Ui, put: Put, camera: &Camera, size: (u32, u32)) {
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Background, egui::Id::unique("scale")));
    let scale = ui.ctx().pixels_per_point();
    let Some(at) = camera.pixel(put.position, size) else { return };
    let at = egui::pos2(at.x / scale + 12.0, at.y / scale - 12.0);
    let font = egui::FontId::proportional(16.0);
    let words = painter.layout_no_wrap(format!("{:.2} ×", put.scale), font, egui::Color32::WHITE);
    painter.rect_filled(words.rect.translate(at.to_vec2()).expand(4.0), 4.0, egui::Color32::from_black_alpha(160));
    painter.galley(at, words, egui::Color32::WHITE);
}

/// Draws where a blade goes.
pub(crate) fn paint_blade(ui: &egui::Ui, rays: [Ray; 2], camera: &Camera, size: (u32, u32)) {
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Background, egui::Id::unique("blade")));
    let scale = ui.ctx().pixels_per_point();
    let pixel = |ray: Ray| camera.pixel(ray.at(1.0), size).map(|at| egui::pos2(at.x / scale, at.y / scale));
    let [from, to] = rays.map(pixel);
    if let Some((from, to)) = from.zip(to) {
        painter.line_segment([from, to], egui::Stroke::new(4.0, egui::Color32::from_black_alpha(120)));
        painter.line_segment([from, to], egui::Stroke::new(2.0, egui::Color32::from_gray(250)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gizmo() -> Gizmo {
        Gizmo { collider: ColliderId(0), at: Vec3::new(1.0, 2.0, 3.0), rotation: Quat::from_rotation_y(0.4), size: 0.5 }
    }

    fn towards(point: Vec3) -> Ray {
        let origin = Vec3::new(3.0, 4.5, 8.0);
        Ray { origin, direction: (point - origin).normalize() }
    }

    #[test]
    fn an_arrow_moves_along_its_axis_only() {
        let gizmo = gizmo();
        for index in 0..3 {
            let axis = gizmo.axis(index);
            let grip = gizmo.grip(towards(gizmo.at + axis * 0.9 * gizmo.size)).unwrap();
            assert_eq!(grip.handle, Handle::Move(index));
            let put = grip.put(Vec3::ZERO, towards(gizmo.at + axis * 1.5 * gizmo.size));
            assert!((put.position - axis * 0.6 * gizmo.size).length() < 1e-4, "{put:?}");
            assert_eq!((put.rotation, put.scale), (gizmo.rotation, 1.0));
        }
    }

    #[test]
    fn a_ring_turns_about_its_axis_and_the_ball_makes_larger() {
        let gizmo = gizmo();
        let [x, y] = gizmo.across(1);
        let on = |angle: f32| gizmo.at + (x * angle.cos() + y * angle.sin()) * RING * gizmo.size;
        let grip = gizmo.grip(towards(on(0.7))).unwrap();
        assert_eq!(grip.handle, Handle::Turn(1));
        let put = grip.put(gizmo.at, towards(on(1.2)));
        let expected = Quat::from_axis_angle(gizmo.axis(1), 0.5) * gizmo.rotation;
        assert!(put.rotation.angle_between(expected) < 1e-3 && put.position.distance(gizmo.at) < 1e-5, "{put:?}");
        let grip = gizmo.grip(towards(gizmo.at)).unwrap();
        assert!(grip.scales());
        assert!(grip.put(gizmo.at, towards(gizmo.at + 0.3 * Vec3::Y)).scale > 1.2);
        assert!(gizmo.grip(towards(gizmo.at + Vec3::splat(5.0))).is_none());
    }
}
