//! What stands around a scene: ground, pits, tanks, bowls, spouts.

use glam::{Mat3, Quat, Vec3, Vec4};

use crate::scene::{Collider, Scene, SceneError, Shape};

/// Ground at height 0 inside four walls whose inner faces are `half` [m] from the Y axis. The walls towards the viewer
/// (+X, +Z) are hidden.
///
/// # Errors
/// [`SceneError`] for numbers that are not finite and above 0.
pub fn add_pit(scene: &mut Scene, half: f32, height: f32) -> Result<(), SceneError> {
    const THICKNESS: f32 = 1.0;
    positive("pit", [("half", half), ("height", height)])?;
    scene.add_collider(Collider::ground(0.0))?;
    for (out, hidden) in [(Vec3::X, true), (Vec3::Z, true), (Vec3::NEG_X, false), (Vec3::NEG_Z, false)] {
        let along = Vec3::new(out.z.abs(), 0.0, out.x.abs());
        let extent = out.abs() * (0.5 * THICKNESS) + along * (half + THICKNESS) + Vec3::Y * (0.5 * height);
        let center = out * (half + 0.5 * THICKNESS) + Vec3::Y * (0.5 * height);
        let mut wall = Collider::new(Shape::Cuboid(extent), center);
        if hidden {
            wall.color.w = 0.0;
        }
        scene.add_collider(wall)?;
    }
    Ok(())
}

/// A tank: walls from a floor at the height of `low` up to that of `high`, whose inner faces meet these corners [m]. The walls
/// towards the viewer (+X, +Z) are hidden.
///
/// # Errors
/// [`SceneError`] for numbers that are not finite, or a corner `high` that is not above `low` along each axis.
pub fn add_tank(scene: &mut Scene, low: Vec3, high: Vec3) -> Result<(), SceneError> {
    const THICKNESS: f32 = 0.5;
    let size = high - low;
    positive("tank", [("width", size.x), ("height", size.y), ("depth", size.z)])?;
    scene.add_collider(Collider::ground(low.y))?;
    let (half, middle) = (0.5 * (high - low), 0.5 * (high + low));
    for (out, hidden) in [(Vec3::X, true), (Vec3::Z, true), (Vec3::NEG_X, false), (Vec3::NEG_Z, false)] {
        let along = Vec3::new(out.z.abs(), 0.0, out.x.abs());
        let extent = out.abs() * (0.5 * THICKNESS) + along * (half + THICKNESS) + Vec3::Y * half.y;
        let mut wall = Collider::new(Shape::Cuboid(extent), middle + out * (half + 0.5 * THICKNESS));
        if hidden {
            wall.color.w = 0.0;
        }
        scene.add_collider(wall)?;
    }
    Ok(())
}

/// Ground at height 0 inside eight slabs that lean outward: a bowl with a flat floor of `radius` [m].
///
/// # Errors
/// [`SceneError`] for numbers that are not finite and above 0.
pub fn add_bowl(scene: &mut Scene, radius: f32, length: f32) -> Result<(), SceneError> {
    const LEAN: f32 = 0.6;
    const THICKNESS: f32 = 0.3;
    positive("bowl", [("radius", radius), ("length", length)])?;
    scene.add_collider(Collider::ground(0.0))?;
    for i in 0..8 {
        let turn = std::f32::consts::TAU * i as f32 / 8.0;
        let out = Vec3::new(turn.cos(), 0.0, turn.sin());
        let (sin, cos) = LEAN.sin_cos();
        let (rise, inward) = (out * sin + Vec3::Y * cos, -out * cos + Vec3::Y * sin);
        // Wide enough to meet its neighbours at the rim, and sunk a little so that the floor has no gap.
        let half_width = (radius + length * sin) * (std::f32::consts::PI / 8.0).tan() + 0.05;
        let extent = Vec3::new(half_width, 0.5 * length + 0.1, 0.5 * THICKNESS);
        let center = out * radius + rise * (0.5 * length - 0.1) - inward * (0.5 * THICKNESS);
        let rotation = Quat::from_mat3(&Mat3::from_cols(rise.cross(inward), rise, inward));
        scene.add_collider(Collider::new(Shape::Cuboid(extent), center).rotated(rotation))?;
    }
    Ok(())
}

/// The end of a pipe of bronze behind a nozzle.
///
/// # Errors
/// [`SceneError`] for numbers that are not finite or out of range.
pub fn add_spout(scene: &mut Scene, nozzle: Vec3, aim: Vec3, radius: f32) -> Result<(), SceneError> {
    let along = aim.normalize();
    let pipe = Shape::Capsule { radius: 0.85 * radius, half_length: 1.6 * radius };
    let turn = Quat::from_rotation_arc(Vec3::Y, along);
    let color = Vec4::new(0.5, 0.33, 0.16, 1.0);
    scene.add_collider(Collider { color, ..Collider::new(pipe, nozzle - 2.67 * radius * along).rotated(turn) })?;
    Ok(())
}

/// What has no room inside is nothing that something could be put into.
fn positive<const N: usize>(item: &str, sizes: [(&'static str, f32); N]) -> Result<(), SceneError> {
    match sizes.into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)) {
        Some((field, value)) => Err(SceneError::Number { item: item.to_owned(), field, value, allowed: "above 0" }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surroundings_without_room_inside_are_refused() {
        let mut scene = Scene::default();
        let told = [
            add_pit(&mut scene, 0.0, 1.0),
            add_pit(&mut scene, 1.0, f32::NAN),
            add_tank(&mut scene, Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)),
            add_tank(&mut scene, Vec3::ONE, Vec3::ZERO),
            add_bowl(&mut scene, -1.0, 1.0),
        ];
        let fields = told.map(|told| match told {
            Err(SceneError::Number { item, field, .. }) => format!("{item}.{field}"),
            other => panic!("{other:?}"),
        });
        assert_eq!(fields, ["pit.half", "pit.height", "tank.height", "tank.width", "bowl.radius"]);
        assert!(scene.colliders.is_empty());
    }

    #[test]
    fn a_pit_is_free_inside_and_solid_outside() {
        let mut scene = Scene::default();
        add_pit(&mut scene, 2.0, 3.0).unwrap();
        assert!((nearest(&scene, Vec3::new(0.0, 1.5, 0.0)) - 1.5).abs() < 1e-5);
        for out in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z, Vec3::new(1.0, 0.0, 1.0), Vec3::new(-1.0, 0.0, 1.0)] {
            assert!((nearest(&scene, out * 1.9 + Vec3::Y) - 0.1).abs() < 1e-5);
            assert!(nearest(&scene, out * 2.3 + Vec3::Y) < -0.2);
        }
    }

    #[test]
    fn a_bowl_has_no_gap_on_the_way_up() {
        let mut scene = Scene::default();
        add_bowl(&mut scene, 1.0, 1.0).unwrap();
        assert!((nearest(&scene, Vec3::Y * 0.2) - 0.2).abs() < 1e-5);
        for i in 0..64 {
            let turn = std::f32::consts::TAU * i as f32 / 64.0;
            let out = Vec3::new(turn.cos(), 0.0, turn.sin());
            for step in 0..8 {
                let height = 0.1 * step as f32;
                let solid = (0..40).any(|k| nearest(&scene, out * (0.9 + 0.05 * k as f32) + Vec3::Y * height) < -0.02);
                assert!(solid, "gap at {turn} rad, {height} m");
            }
        }
    }

    fn nearest(scene: &Scene, p: Vec3) -> f32 {
        let distance = |c: &Collider| c.shape.distance(c.rotation.inverse() * (p - c.position));
        scene.colliders.iter().map(distance).fold(f32::MAX, f32::min)
    }
}
