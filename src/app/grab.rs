//! Grabbing a body with the mouse: what is under the pointer, and the pull that follows it.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::scene::{BodyId, ColliderId, Kinds, Scene, Thing};
use crate::solver::{BodyState, Drag, Hit, Query, Solver, SolverError};

/// Pull, as a multiple of the weight of everything tied to the body.
const STRENGTH: f32 = 6.0;

/// A half line in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ray {
    /// Start [m].
    pub origin: Vec3,
    /// Unit direction.
    pub direction: Vec3,
}

impl Ray {
    /// The point `distance` [m] along.
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

/// What is under the mouse: the first thing that the ray meets and that is seen, behind glass too, and glass where nothing but walls is
/// behind it; with `through`, colliders hide nothing.
///
/// # Errors
/// A lost device.
pub(crate) fn pick(solver: &mut Solver, ray: Ray, through: bool) -> Result<Option<Hit>, SolverError> {
    let all_but_colliders = Kinds::BODIES | Kinds::DEFORMABLES | Kinds::LIQUIDS | Kinds::GRAINS;
    // Up to this alpha a collider lets the ray pass.
    let passing = |most: f32| {
        let colliders = solver.scene().colliders.iter().zip(0..).filter(|(collider, _)| collider.color.w <= most);
        let passed: Vec<_> = colliders.map(|(_, index)| Thing::Collider(ColliderId(index))).collect();
        let query = Query::ray(ray.origin, ray.direction, f32::INFINITY).ignoring(passed);
        if through { query.only(all_but_colliders) } else { query }
    };
    let queries = [passing(1.0_f32.next_down()), passing(0.0)];
    let hits = solver.ask_now(&queries)?;
    let behind_glass = hits.first(0).filter(|hit| !matches!(hit.thing, Thing::Collider(_)));
    Ok(behind_glass.or(hits.first(1)).copied())
}

/// Center [m] and rotation of a body now.
pub(crate) fn pose(state: &BodyState) -> (Vec3, Quat) {
    (Vec3::from_slice(&state.center[..3]), Quat::from_array(state.rotation).normalize())
}

/// A held body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grab {
    /// Which.
    pub(crate) body: BodyId,
    /// The touched point in the body's frame [m].
    local: Vec3,
    max_force: f32,
    /// Distance along the ray at which the mouse pulls [m].
    pub(crate) depth: f32,
}

impl Grab {
    /// Holds a body, which is where `state` says, at the point that the ray hit, so far along it [m].
    pub(crate) fn new(scene: &Scene, body: BodyId, state: &BodyState, (point, depth): (Vec3, f32)) -> Self {
        let groups = scene.assemblies();
        let own = groups[body.0 as usize];
        let mass: f32 = scene.bodies.iter().zip(&groups).filter(|(_, g)| **g == own).map(|(b, _)| b.mass).sum();
        let weight = mass * scene.params.gravity.length().max(1.0);
        let (center, rotation) = pose(state);
        Self { body, local: rotation.inverse() * (point - center), max_force: STRENGTH * weight, depth }
    }

    /// The pull towards the mouse's ray.
    pub(crate) fn drag(&self, ray: Ray) -> Drag {
        Drag { body: self.body, local: self.local, goal: ray.at(self.depth), max_force: self.max_force }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Context;
    use crate::scene::{BodyDesc, Collider, JointDesc, JointKind, Shape};

    /// Two boxes ahead, one behind the other.
    fn two_boxes() -> Scene {
        let mut scene = Scene::default();
        for z in [-2.0, -5.0] {
            scene.add_body(BodyDesc::cuboid(Vec3::splat(0.5), 0.1).at(Vec3::Z * z)).unwrap();
        }
        scene
    }

    fn picked(scene: &Scene, through: bool) -> Option<Hit> {
        let ahead = Ray { origin: Vec3::ZERO, direction: Vec3::NEG_Z };
        let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
        pick(&mut solver, ahead, through).unwrap()
    }

    #[test]
    fn walls_hide_bodies_unless_forced_and_unseen_ones_do_not() {
        let mut scene = two_boxes();
        let hit = picked(&scene, false).unwrap();
        assert_eq!(hit.thing, Thing::Body(BodyId(0)));
        assert!((hit.distance - 1.5).abs() < 1e-5);
        let wall = Collider::new(Shape::Cuboid(Vec3::new(3.0, 3.0, 0.1)), Vec3::Z * -1.0);
        let id = scene.add_collider(wall).unwrap();
        assert_eq!(picked(&scene, false).unwrap().thing, Thing::Collider(id));
        assert_eq!(picked(&scene, true).unwrap().thing, Thing::Body(BodyId(0)));
        scene.colliders[0].color.w = 0.4;
        assert_eq!(picked(&scene, false).unwrap().thing, Thing::Body(BodyId(0)), "it is seen through glass");
        let glass = Scene { bodies: Vec::new(), particles: Vec::new(), ..scene.clone() };
        assert_eq!(picked(&glass, false).unwrap().thing, Thing::Collider(id));
        scene.colliders[0].color.w = 0.0;
        assert_eq!(picked(&scene, false).unwrap().thing, Thing::Body(BodyId(0)));
    }

    #[test]
    fn the_pull_holds_the_point_and_scales_with_the_whole_assembly() {
        let mut scene = two_boxes();
        let rotation = Quat::from_rotation_y(0.7);
        let state = BodyState { center: [0.0, 0.0, -2.0], rotation: rotation.to_array(), ..BodyState::default() };
        let grab = |scene: &Scene| Grab::new(scene, BodyId(0), &state, (Vec3::new(0.1, 0.0, -1.5), 1.5));
        let alone = grab(&scene);
        assert!((rotation * alone.local + Vec3::Z * -2.0 - Vec3::new(0.1, 0.0, -1.5)).length() < 1e-6);
        let joint = JointDesc::new(JointKind::Ball, BodyId(0), BodyId(1), Vec3::ZERO, Vec3::Z, 0.1);
        scene.add_joint(joint).unwrap();
        assert!((grab(&scene).max_force / alone.max_force - 2.0).abs() < 1e-4);
    }
}
