//! Taking hold of a body with the mouse: which body a ray meets first, and the pull that follows the mouse.

use glam::{Quat, Vec3};

use crate::scene::{BodyId, Scene, Shape};
use crate::solver::{BodyState, Drag};

/// Closer than this counts as touching [m]; drawn surfaces stand a little off the collision shape.
const TOUCH: f32 = 0.004;
const MOST_STEPS: u32 = 96;
/// Pull, as a multiple of the weight of everything tied to the body.
const STRENGTH: f32 = 6.0;

/// A half line in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    /// Start [m].
    pub(crate) origin: Vec3,
    /// Unit direction.
    pub(crate) direction: Vec3,
}

impl Ray {
    /// The point `distance` [m] along.
    pub(crate) fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

/// Where a ray met a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// The body.
    pub(crate) body: BodyId,
    /// Along the ray [m].
    pub(crate) distance: f32,
    /// The touched point in the body's frame [m].
    pub(crate) local: Vec3,
}

/// The first movable body that `ray` meets; with `through`, colliders in front of it do not hide it.
pub(crate) fn pick(scene: &Scene, states: &[BodyState], ray: Ray, through: bool) -> Option<Hit> {
    let mut nearest: Option<Hit> = None;
    for (index, (body, state)) in scene.bodies.iter().zip(states).enumerate() {
        if body.removed || body.kinematic {
            continue;
        }
        let limit = nearest.map_or(f32::INFINITY, |h| h.distance);
        let (center, rotation) = pose(state);
        if let Some(distance) = meet(&scene.shapes[body.shape], center, rotation, ray, limit) {
            let local = rotation.inverse() * (ray.at(distance) - center);
            nearest = Some(Hit { body: BodyId(index as u32), distance, local });
        }
    }
    let hit = nearest?;
    let hidden = |c: &crate::scene::Collider| {
        c.color.w > 0.0 && meet(&c.shape, c.position, c.rotation, ray, hit.distance).is_some()
    };
    (through || !scene.colliders.iter().any(hidden)).then_some(hit)
}

/// How far along the ray the first body or visible collider is [m]; `None` if it meets neither.
pub(crate) fn aim(scene: &Scene, states: &[BodyState], ray: Ray) -> Option<f32> {
    let mut nearest = f32::INFINITY;
    let colliders = scene.colliders.iter().filter(|c| c.color.w > 0.0).map(|c| (&c.shape, c.position, c.rotation));
    let there = scene.bodies.iter().zip(states).filter(|(body, _)| !body.removed);
    let bodies = there.map(|(body, state)| (&scene.shapes[body.shape], pose(state).0, pose(state).1));
    for (shape, center, rotation) in colliders.chain(bodies) {
        nearest = meet(shape, center, rotation, ray, nearest).unwrap_or(nearest);
    }
    nearest.is_finite().then_some(nearest)
}

/// Centre [m] and rotation of a body now.
pub(crate) fn pose(state: &BodyState) -> (Vec3, Quat) {
    (Vec3::from_slice(&state.center[..3]), Quat::from_array(state.rotation).normalize())
}

/// Distance along the ray to a shape, if nearer than `limit`: sphere tracing on the signed distance.
fn meet(shape: &Shape, center: Vec3, rotation: Quat, ray: Ray, limit: f32) -> Option<f32> {
    let inverse = rotation.inverse();
    let (origin, direction) = (inverse * (ray.origin - center), inverse * ray.direction);
    let reach = shape.bounding_radius() + TOUCH;
    let (mut distance, mut end) = (0.0, limit.min(1.0e4));
    if reach.is_finite() {
        let middle = -origin.dot(direction);
        let half = (reach * reach - (origin + direction * middle).length_squared()).max(-1.0);
        if half < 0.0 {
            return None;
        }
        distance = (middle - half.sqrt()).max(0.0);
        end = end.min(middle + half.sqrt());
    }
    for _ in 0..MOST_STEPS {
        if distance > end {
            return None;
        }
        let gap = shape.distance(origin + direction * distance);
        if gap < TOUCH {
            return Some(distance);
        }
        // A sampled grid overestimates beyond its box: shorter strides never jump through a corner.
        distance += 0.7 * gap;
    }
    None
}

/// A held body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grab {
    hit: Hit,
    max_force: f32,
    /// Distance along the ray at which the mouse pulls [m].
    pub(crate) depth: f32,
}

impl Grab {
    /// Holds what the ray hit.
    pub(crate) fn new(scene: &Scene, hit: Hit) -> Self {
        let groups = scene.assemblies();
        let own = groups[hit.body.0 as usize];
        let mass: f32 = scene.bodies.iter().zip(&groups).filter(|(_, g)| **g == own).map(|(b, _)| b.mass).sum();
        let weight = mass * scene.params.gravity.length().max(1.0);
        Self { hit, max_force: STRENGTH * weight, depth: hit.distance }
    }

    /// The pull towards the mouse's ray.
    pub(crate) fn drag(&self, ray: Ray) -> Drag {
        Drag { body: self.hit.body, local: self.hit.local, goal: ray.at(self.depth), max_force: self.max_force }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BodyDesc, Collider};

    fn state(position: Vec3, rotation: Quat) -> BodyState {
        BodyState { center: position.to_array(), inv_mass: 1.0, rotation: rotation.to_array(), ..BodyState::default() }
    }

    fn two_boxes() -> (Scene, Vec<BodyState>) {
        let mut scene = Scene::default();
        let mut states = Vec::new();
        for z in [-2.0, -5.0] {
            let desc = BodyDesc::cuboid(Vec3::splat(0.5), 0.1).at(Vec3::Z * z);
            scene.add_body(desc).unwrap();
            states.push(state(Vec3::Z * z, Quat::IDENTITY));
        }
        (scene, states)
    }

    const AHEAD: Ray = Ray { origin: Vec3::ZERO, direction: Vec3::NEG_Z };

    #[test]
    fn the_nearest_body_in_its_present_place_is_hit() {
        let (scene, mut states) = two_boxes();
        let hit = pick(&scene, &states, AHEAD, false).unwrap();
        assert_eq!(hit.body, BodyId(0));
        assert!((hit.distance - 1.5).abs() < 0.01 && (hit.local.z - 0.5).abs() < 0.01);
        // Turned by 45 degrees its edge faces the eye.
        states[0] = state(Vec3::Z * -2.0, Quat::from_rotation_y(std::f32::consts::FRAC_PI_4));
        let hit = pick(&scene, &states, AHEAD, false).unwrap();
        assert!((hit.distance - (2.0 - 0.5_f32.sqrt())).abs() < 0.02, "{}", hit.distance);
        states[0] = state(Vec3::X * 9.0, Quat::IDENTITY);
        assert_eq!(pick(&scene, &states, AHEAD, false).unwrap().body, BodyId(1));
        assert_eq!(pick(&scene, &states, Ray { direction: Vec3::Y, ..AHEAD }, false), None);
    }

    #[test]
    fn walls_hide_bodies_unless_forced_and_fixed_ones_are_not_taken() {
        let (mut scene, states) = two_boxes();
        let wall = Shape::Cuboid(Vec3::new(3.0, 3.0, 0.1));
        scene.add_collider(Collider::new(wall, Vec3::Z * -1.0)).unwrap();
        assert_eq!(pick(&scene, &states, AHEAD, false), None);
        assert_eq!(pick(&scene, &states, AHEAD, true).unwrap().body, BodyId(0));
        scene.bodies[0].kinematic = true;
        assert_eq!(pick(&scene, &states, AHEAD, true).unwrap().body, BodyId(1));
    }

    #[test]
    fn aim_finds_the_first_thing_of_all() {
        let (mut scene, states) = two_boxes();
        let near = |ray: Ray, scene: &Scene| aim(scene, &states, ray);
        assert!((near(AHEAD, &scene).unwrap() - 1.5).abs() < 0.02);
        let down = Ray { direction: Vec3::NEG_Y, ..AHEAD };
        assert_eq!(near(down, &scene), None);
        scene.add_collider(Collider::ground(-3.0)).unwrap();
        assert!((near(down, &scene).unwrap() - 3.0).abs() < 0.02);
    }

    #[test]
    fn the_pull_scales_with_the_whole_assembly() {
        let (mut scene, states) = two_boxes();
        let hit = pick(&scene, &states, AHEAD, false).unwrap();
        let alone = Grab::new(&scene, hit);
        let joint =
            crate::scene::JointDesc::new(crate::scene::JointKind::Ball, BodyId(0), BodyId(1), Vec3::ZERO, Vec3::Z, 0.1);
        scene.add_joint(joint).unwrap();
        assert!((Grab::new(&scene, hit).max_force / alone.max_force - 2.0).abs() < 1e-4);
    }
}
