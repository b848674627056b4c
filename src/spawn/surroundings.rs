//! Surroundings of a scene: ground, pits, tanks, bowls, spouts.

use glam::{Quat, Vec2, Vec2Swizzles as _, Vec3, Vec4};

use crate::scene::{Collider, ColliderId, ConvexHull, Layers, Scene, SceneError, Shape, Thing};

/// What stands between a scene and its viewer [linear RGB, alpha].
const GLASS: Vec4 = Vec4::new(0.7, 0.85, 0.85, 0.16);
/// The direction in which [`View::around`](crate::scene::View::around) puts the viewer, as seen from above.
const VIEWER: Vec3 = Vec3::new(0.495, 0.0, 0.869);

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
/// towards the viewer (+X, +Z) are of glass.
///
/// # Errors
/// [`SceneError`] for numbers that are not finite, or a corner `high` that is not above `low` along each axis.
pub fn add_tank(scene: &mut Scene, low: Vec3, high: Vec3) -> Result<(), SceneError> {
    /// Thickness of the walls over the longest side, and the most of it [m].
    const THICKNESS: f32 = 0.03;
    const THICKEST: f32 = 0.5;
    let size = high - low;
    positive("tank", [("width", size.x), ("height", size.y), ("depth", size.z)])?;
    scene.add_collider(Collider::ground(low.y))?;
    let (half, middle) = (0.5 * size, 0.5 * (high + low));
    let thickness = (THICKNESS * size.max_element()).min(THICKEST);
    for (out, near) in [(Vec3::X, true), (Vec3::Z, true), (Vec3::NEG_X, false), (Vec3::NEG_Z, false)] {
        // Each goes on past one neighbor and ends at the other: where glass lay in glass it would be drawn twice.
        let along = out.cross(Vec3::Y);
        let extent = out.abs() * (0.5 * thickness) + along.abs() * (half + 0.5 * thickness) + Vec3::Y * half.y;
        let center = middle + out * (half + 0.5 * thickness) + along * (0.5 * thickness);
        let mut wall = Collider::new(Shape::Cuboid(extent), center);
        if near {
            wall.color = GLASS;
        }
        scene.add_collider(wall)?;
    }
    Ok(())
}

/// Ground at height 0 inside eight slabs that lean outward: a bowl with a flat floor of `radius` [m]. The slabs towards the viewer are
/// of glass.
///
/// # Errors
/// [`SceneError`] for numbers that are not finite and above 0.
pub fn add_bowl(scene: &mut Scene, radius: f32, length: f32) -> Result<(), SceneError> {
    const SLABS: u32 = 8;
    /// Cosine of the angle to the viewer up to which a slab would hide what is in the bowl.
    const HIDES: f32 = 0.7;
    positive("bowl", [("radius", radius), ("length", length)])?;
    scene.add_collider(Collider::ground(0.0))?;
    let corners = slab(radius, length, std::f32::consts::PI / SLABS as f32);
    let center = corners.iter().sum::<Vec3>() / corners.len() as f32;
    let shape = Shape::Hull(ConvexHull::new(&corners)?.moved(-center));
    for i in 0..SLABS {
        let turn = Quat::from_rotation_y(std::f32::consts::TAU * i as f32 / SLABS as f32);
        let mut slab = Collider::new(shape.clone(), turn * center).rotated(turn);
        if (turn * Vec3::X).dot(VIEWER) > HIDES {
            slab.color = GLASS;
        }
        scene.add_collider(slab)?;
    }
    Ok(())
}

/// Corners of the slab of a bowl that leans towards X, which has half of the angle `share` [rad] about Y on either side [m].
fn slab(radius: f32, length: f32, share: f32) -> Vec<Vec3> {
    const LEAN: f32 = 0.6;
    const THICKNESS: f32 = 0.3;
    /// How far the slab goes below the ground, so that the floor has no gap.
    const SUNK: f32 = 0.2;
    /// How far its foot goes on into its neighbors, behind their inner faces, less and less up to the rim: where two slabs only met, what
    /// is pressed into the corner would come between them.
    const INTO: f32 = 0.3;
    let (rise, back) = (Vec2::from_angle(LEAN).yx(), Vec2::from_angle(LEAN) * Vec2::new(1.0, -1.0));
    let inner = |along: f32| Vec2::X * radius + rise * along;
    let outer = |along: f32| inner(along) + back * THICKNESS;
    let places = [(inner(-SUNK), INTO), (inner(length), 0.0), (outer(-SUNK), 0.0), (outer(length), 0.0)];
    let sides = |(at, more): (Vec2, f32)| [1.0, -1.0].map(|side| at.extend(side * (at.x * share.tan() + more)));
    places.into_iter().flat_map(sides).collect()
}

/// The end of a pipe of bronze behind a nozzle, with a mouth around it that nothing meets, so that what leaves it is not stopped; on a post
/// that stands on the ground below it and that nothing meets either: it would stand in the jet of a pipe that points straight down.
///
/// # Errors
/// [`SceneError`] for numbers that are not finite or out of range.
pub fn add_spout(scene: &mut Scene, nozzle: Vec3, aim: Vec3, radius: f32) -> Result<(), SceneError> {
    /// From this cosine of the angle to straight down on a pipe has no post.
    const STEEP: f32 = 0.95;
    let along = aim.normalize();
    let (thick, half_length) = (0.85 * radius, 1.6 * radius);
    let center = nozzle - 2.67 * radius * along;
    let turn = Quat::from_rotation_arc(Vec3::Y, along);
    let color = Vec4::new(0.5, 0.33, 0.16, 1.0);
    let pipe = Collider::new(Shape::Capsule { radius: thick, half_length }, center).rotated(turn);
    scene.add_collider(Collider { color, ..pipe })?;
    // As wide as the stream, up to where enough of it has left to be drawn.
    let mouth = Shape::Cylinder { radius: 1.1 * radius, half_length: 1.3 * radius };
    add_scenery(scene, Collider { color, ..Collider::new(mouth, nozzle).rotated(turn) })?;
    let top = center - half_length * along;
    let height = ground_below(scene, top).map(|ground| top.y - ground).filter(|height| *height > 0.0);
    if let Some(height) = height.filter(|_| along.y > -STEEP) {
        let post = Shape::Cylinder { radius: 0.6 * thick, half_length: 0.5 * height };
        add_scenery(scene, Collider { color, ..Collider::new(post, top - 0.5 * height * Vec3::Y) })?;
    }
    Ok(())
}

/// Adds what is seen and met by nothing.
///
/// # Errors
/// As [`Scene::add_collider`] and [`Scene::set_layers`].
pub(crate) fn add_scenery(scene: &mut Scene, seen: Collider) -> Result<ColliderId, SceneError> {
    let id = scene.add_collider(seen)?;
    scene.set_layers(Thing::Collider(id), Layers { of: 0, meets: 0 })?;
    Ok(id)
}

/// Height of the highest level plane below a point [m].
fn ground_below(scene: &Scene, at: Vec3) -> Option<f32> {
    const LEVEL: f32 = 0.999;
    let planes = scene.colliders.iter().filter(|c| c.shape == Shape::Plane && (c.rotation * Vec3::Y).y > LEVEL);
    planes.map(|plane| plane.position.y).filter(|height| *height <= at.y).reduce(f32::max)
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

    #[test]
    fn a_bowl_is_free_inside_and_its_slabs_do_not_stand_out() {
        for (radius, length) in [(1.0, 1.0), (2.0, 2.4), (0.5, 0.6), (6.0, 7.2)] {
            let mut scene = Scene::default();
            add_bowl(&mut scene, radius, length).unwrap();
            let rim = length * 0.6_f32.cos();
            for turn in (0..256).map(|i| std::f32::consts::TAU * i as f32 / 256.0) {
                let out = Vec3::new(turn.cos(), 0.0, turn.sin());
                // How far out the face of the slab is here, from the middle of one.
                let off = (turn + std::f32::consts::PI / 8.0).rem_euclid(std::f32::consts::PI / 4.0)
                    - std::f32::consts::PI / 8.0;
                for height in [0.1, 0.5, 0.95].map(|part| part * rim) {
                    let face = (radius + height * 0.6_f32.tan()) / off.cos();
                    assert!(nearest(&scene, out * (face - 0.01) + Vec3::Y * height) > 0.0, "{turn} rad, {height} m");
                    assert!(nearest(&scene, out * (face + 0.01) + Vec3::Y * height) < 0.0, "{turn} rad, {height} m");
                }
                let over = |k: u32| nearest(&scene, out * (radius + 0.05 * k as f32) + Vec3::Y * (rim + 1e-3));
                assert!((0..60).all(|k| over(k) > 0.0), "a slab stands out of the rim at {turn} rad");
            }
        }
    }

    #[test]
    fn a_tank_is_closed_all_around_and_no_wall_lies_in_another() {
        let mut scene = Scene::default();
        let (low, high) = (Vec3::new(-2.0, 0.5, -1.0), Vec3::new(2.0, 1.5, 1.0));
        add_tank(&mut scene, low, high).unwrap();
        let walls: Vec<Collider> = scene.colliders.drain(1..).collect();
        let inside = |p: Vec3| walls.iter().filter(|c| c.shape.distance(p - c.position) < 0.0).count();
        for (turn, step) in (0..720).flat_map(|turn| (1..8).map(move |step| (turn, step))) {
            let out = Quat::from_rotation_y((turn as f32).to_radians() * 0.5) * Vec3::X;
            // Where it leaves the room between the walls, and on from there.
            let leaves = (2.0 / out.x.abs()).min(1.0 / out.z.abs());
            let (before, beyond) = (out * (leaves - 0.01), out * (leaves + 0.017 * step as f32));
            assert_eq!(inside(before + Vec3::Y), 0);
            let within = beyond.x.abs() < 2.12 && beyond.z.abs() < 1.12;
            assert_eq!(inside(beyond + Vec3::Y), usize::from(within), "{beyond}");
        }
    }

    #[test]
    fn a_spout_stands_on_the_ground_and_nothing_meets_its_post() {
        let mut scene = Scene::default();
        let (nozzle, aim) = (Vec3::new(0.3, 1.5, 0.2), Vec3::X);
        add_spout(&mut scene, nozzle, aim, 0.1).unwrap();
        assert_eq!(scene.colliders.len(), 2, "there is no ground to stand on");
        for height in [-3.0, 0.25] {
            scene.add_collider(Collider::ground(height)).unwrap();
        }
        add_spout(&mut scene, nozzle, aim, 0.1).unwrap();
        add_spout(&mut scene, nozzle, Vec3::NEG_Y, 0.1).unwrap();
        assert_eq!(scene.colliders.len(), 9, "it pours where a post would stand");
        let (post, index) = (&scene.colliders[6], 6);
        assert!((post.position.y - post.shape.bounds().1.y - 0.25).abs() < 1e-5);
        let layers = scene.layers_of(Thing::Collider(ColliderId(index)));
        assert!(!layers.meet(Layers::default()) && !scene.layers.contains_key(&Thing::Collider(ColliderId(4))));
    }

    fn nearest(scene: &Scene, p: Vec3) -> f32 {
        let distance = |c: &Collider| c.shape.distance(c.rotation.inverse() * (p - c.position));
        scene.colliders.iter().map(distance).fold(f32::MAX, f32::min)
    }
}
