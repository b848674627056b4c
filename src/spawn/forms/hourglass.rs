//! An hourglass: two bulbs of glass that meet in a neck.

use glam::{Vec2, Vec3, Vec4, vec2, vec3};

use crate::scene::{Collider, DistanceGrid, Scene, SceneError, Shape, Surface};

/// Half the height of the room inside, and its radius where it is widest [m].
pub const HALF: f32 = 0.75;
const BULB: f32 = 0.36;
/// How much wider the bulbs get away from the neck [dimensionless]: steep enough for sand to slide.
const WIDENS: f32 = 0.7;
/// Friction of the glass [dimensionless].
const SMOOTH: f32 = 0.05;
/// Thickness of the glass, and of the plates above and below it [m].
pub const WALL: f32 = 0.05;
const PLATE: f32 = 0.03;
/// Height of the neck [m].
pub const NECK: f32 = PLATE * 2.0 + WALL + HALF;
/// Width and height of the whole [m].
pub const SIZE: Vec2 = Vec2::new(2.0 * (BULB + WALL), 2.0 * NECK);

/// The room inside.
#[derive(Clone, Debug)]
pub struct Hourglass {
    /// From the neck up to the axis: distance from the axis and height over the neck [m].
    outline: Vec<Vec2>,
}

impl Hourglass {
    /// With a neck of this radius [m].
    pub fn new(neck: f32) -> Self {
        const ROUND: usize = 12;
        let shoulder = (BULB - neck) / WIDENS;
        let cap = |i: usize| {
            let (sin, cos) = (std::f32::consts::FRAC_PI_2 * i as f32 / ROUND as f32).sin_cos();
            vec2(BULB * cos, shoulder + (HALF - shoulder) * sin)
        };
        Self { outline: std::iter::once(vec2(neck, 0.0)).chain((0..=ROUND).map(cap)).collect() }
    }

    /// Signed distance from the wall to a point [m], over the ground where the glass stands; positive in the room.
    pub fn room(&self, at: Vec3) -> f32 {
        let p = vec2(at.x.hypot(at.z), (at.y - NECK).abs());
        let distance = self.outline.windows(2).map(|ends| to_segment(p, ends[0], ends[1])).fold(f32::MAX, f32::min);
        if p.x < self.width(p.y) { distance } else { -distance }
    }

    /// Distance of the wall from the axis so high over the neck [m].
    fn width(&self, height: f32) -> f32 {
        let part = |ends: &[Vec2]| (height - ends[0].y) / (ends[1].y - ends[0].y);
        let around = self.outline.windows(2).find(|ends| (0.0..=1.0).contains(&part(ends)));
        around.map_or(0.0, |ends| ends[0].lerp(ends[1], part(ends)).x)
    }

    /// Room of a bulb from the neck to this part of its height [m³].
    pub fn volume(&self, full: f32) -> f32 {
        const SLICES: usize = 200;
        let thick = full * HALF / SLICES as f32;
        let width = |i: usize| self.width((i as f32 + 0.5) * thick);
        (0..SLICES).map(|i| std::f32::consts::PI * width(i).powi(2) * thick).sum()
    }

    /// Adds the glass, and a stand that nothing touches. `pitch` is the width of the lattice on which the glass is known [m].
    pub fn add(&self, scene: &mut Scene, pitch: f32) -> Result<(), SceneError> {
        let half = vec3(BULB, HALF, BULB) + WALL + 2.0 * pitch;
        let size = (2.0 * half / pitch).ceil().as_uvec3() + 1;
        let at = |i: u32| {
            let cell = vec3((i % size.x) as f32, (i / size.x % size.y) as f32, (i / (size.x * size.y)) as f32);
            cell * pitch - half
        };
        // Inside the wall both faces are near.
        let distance = |p: Vec3| {
            let room = self.room(p + Vec3::Y * NECK);
            room.max(-room - WALL)
        };
        let distances = (0..size.x * size.y * size.z).map(|i| distance(at(i))).collect();
        let grid = DistanceGrid { origin: -half, spacing: pitch, size: size.to_array(), distances };
        let surface = Surface { friction: SMOOTH, ..Surface::default() };
        let glass = Collider { surface, ..Collider::new(Shape::Grid(grid), Vec3::Y * NECK) };
        scene.add_collider(Collider { color: Vec4::new(0.7, 0.85, 0.88, 0.22), ..glass })?;
        stand(scene)
    }
}

fn to_segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a + along * (b - a))
}

fn stand(scene: &mut Scene) -> Result<(), SceneError> {
    let color = Vec4::new(0.33, 0.18, 0.09, 1.0);
    let reach = 0.5 * SIZE.x + 0.02;
    for y in [PLATE, SIZE.y - PLATE] {
        let plate = Shape::Cuboid(vec3(reach, PLATE, reach));
        scene.add_collider(Collider { color, ..Collider::new(plate, Vec3::Y * y) })?;
    }
    // None towards the viewer.
    for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0)] {
        let post = Shape::Capsule { radius: 0.025, half_length: NECK - PLATE };
        let at = vec3(x * (reach - 0.04), NECK, z * (reach - 0.04));
        scene.add_collider(Collider { color, ..Collider::new(post, at) })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_is_as_wide_as_it_should_be() {
        let glass = Hourglass::new(0.05);
        assert!((glass.room(Vec3::Y * NECK) - 0.05).abs() < 0.02);
        assert!(glass.room(vec3(0.049, NECK, 0.0)) > 0.0 && glass.room(vec3(0.051, NECK, 0.0)) < 0.0);
        let shoulder = (BULB - 0.05) / WIDENS;
        for y in [NECK - shoulder, NECK + shoulder] {
            assert!(glass.room(vec3(0.0, y, BULB - 0.01)) > 0.0 && glass.room(vec3(0.0, y, BULB + 0.01)) < 0.0);
        }
        assert!(glass.room(Vec3::Y * (NECK + HALF + 0.01)) < 0.0 && glass.room(Vec3::Y * (NECK - HALF + 0.01)) > 0.0);
    }
}
