//! Joint gap, energy, momentum and speeds of a state, in f64 where sums are long.

use glam::{DMat3, DQuat, DVec3};

use super::snapshot::{Snapshot, free_particles};
use crate::scene::{Body, Dynamics, Placement, Scene, is_stored};

/// Pairs of triangles of free particles that pass through one another although they meet, those with a common corner left out.
pub fn crossings(scene: &Scene, state: &Snapshot) -> u32 {
    scene.crossings(&state.particles)
}

/// How far the joints for which `holds` is true are open: see [`Joint::gaps`](crate::scene::Joint::gaps) [m].
pub fn joint_gaps(scene: &Scene, state: &Snapshot, holds: impl Fn(usize) -> bool) -> Vec<f32> {
    let mut gaps = Vec::new();
    for (_, joint) in scene.joints.iter().enumerate().filter(|(i, _)| holds(*i)) {
        let (a, b) = (&state.bodies[joint.desc.a.0 as usize], &state.bodies[joint.desc.b.0 as usize]);
        if !a.is_removed() && !b.is_removed() {
            let at = |pose: &super::Pose| Placement { position: pose.center, rotation: pose.rotation };
            gaps.extend(joint.gaps(at(a), at(b)));
        }
    }
    gaps
}

/// A moving part: mass, times that gravity pulls it, center, velocity, inertia in the world and angular velocity; particles have no inertia.
struct Part {
    mass: f64,
    gravity_scale: f64,
    center: DVec3,
    velocity: DVec3,
    inertia: DMat3,
    spin: DVec3,
}

fn moving_parts<'a>(scene: &'a Scene, state: &'a Snapshot) -> impl Iterator<Item = Part> + 'a {
    let moves = |(body, pose): &(&Body, &super::Pose)| !body.kinematic && !pose.is_removed();
    let bodies = scene.bodies.iter().zip(&state.bodies).filter(moves).map(|(body, pose)| {
        let turn = DMat3::from_quat(DQuat::from_array(pose.rotation.to_array().map(f64::from)).normalize());
        Part {
            mass: f64::from(body.mass),
            gravity_scale: f64::from(body.dynamics.gravity_scale),
            center: pose.center.as_dvec3(),
            velocity: pose.velocity.as_dvec3(),
            inertia: turn * body.inertia.as_dmat3() * turn.transpose(),
            spin: pose.angular_velocity.as_dvec3(),
        }
    });
    let masses = particle_masses(scene);
    let free = free_particles(scene).filter(|i| !is_stored(state.particles[*i])).map(move |i| Part {
        mass: f64::from(masses[i]),
        gravity_scale: 1.0,
        center: state.particles[i].as_dvec3(),
        velocity: state.particle_velocities[i].as_dvec3(),
        inertia: DMat3::ZERO,
        spin: DVec3::ZERO,
    });
    bodies.chain(free.filter(|part| part.mass > 0.0))
}

/// Mass of each particle while it is in the world [kg]. In the reserve of an emitter a scene's particles have none.
fn particle_masses(scene: &Scene) -> Vec<f32> {
    let mut masses: Vec<f32> = scene.particles.iter().map(|particle| particle.mass).collect();
    for emitter in &scene.emitters {
        let own = emitter.particles.start as usize..emitter.particles.end as usize;
        let mass = scene.particle_made_of(&emitter.name, emitter.of).map_or(0.0, |(_, mass)| mass);
        masses[own].fill(mass);
    }
    masses
}

/// Kinetic energy, spin included, plus potential energy above height 0 along gravity, as much of it as pulls each body [J].
pub fn energy(scene: &Scene, state: &Snapshot) -> f64 {
    let gravity = scene.params.gravity.as_dvec3();
    moving_parts(scene, state)
        .map(|p| {
            0.5 * p.mass * p.velocity.length_squared() + 0.5 * p.spin.dot(p.inertia * p.spin)
                - p.mass * p.gravity_scale * gravity.dot(p.center)
        })
        .sum()
}

/// Momentum of everything that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// Linear momentum [kg m/s].
    pub linear: DVec3,
    /// Angular momentum about a fixed point [kg m²/s].
    pub angular: DVec3,
    /// Sum of the parts' linear momenta as lengths [kg m/s].
    pub linear_scale: f64,
    /// Sum of the parts' angular momenta as lengths [kg m²/s].
    pub angular_scale: f64,
}

/// Momentum, the angular part about the point `about` [m].
pub fn momentum(scene: &Scene, state: &Snapshot, about: DVec3) -> Momentum {
    let mut sum = Momentum { linear: DVec3::ZERO, angular: DVec3::ZERO, linear_scale: 0.0, angular_scale: 0.0 };
    for part in moving_parts(scene, state) {
        let linear = part.mass * part.velocity;
        let (orbit, spin) = ((part.center - about).cross(linear), part.inertia * part.spin);
        sum.linear += linear;
        sum.angular += orbit + spin;
        sum.linear_scale += linear.length();
        sum.angular_scale += orbit.length() + spin.length();
    }
    sum
}

/// Center of mass of everything that moves [m]; the origin when nothing does.
pub fn center_of_mass(scene: &Scene, state: &Snapshot) -> DVec3 {
    let (mass, sum) =
        moving_parts(scene, state).fold((0.0, DVec3::ZERO), |(m, s), p| (m + p.mass, s + p.mass * p.center));
    if mass > 0.0 { sum / mass } else { DVec3::ZERO }
}

/// Whether nothing outside acts on the moving parts, so that momentum must be kept.
pub fn is_isolated(scene: &Scene) -> bool {
    let params = &scene.params;
    params.gravity == glam::Vec3::ZERO
        && params.linear_damping == 0.0
        && params.angular_damping == 0.0
        && scene.colliders.is_empty()
        && scene.air_surfaces.is_empty()
        && scene.fields.iter().all(Option::is_none)
        && scene.emitters.is_empty()
        && scene.drains.is_empty()
        && scene.bodies.iter().all(|b| !b.kinematic && moves_freely(&b.dynamics))
        && free_particles(scene).all(|i| scene.particles[i].mass > 0.0)
}

fn moves_freely(dynamics: &Dynamics) -> bool {
    dynamics.linear_damping == 0.0 && dynamics.angular_damping == 0.0 && !dynamics.is_locked()
}

/// Change of momentum from `start` to `end` as a fraction of what the parts carried at the start: the larger of the
/// linear and the angular one. `None` when nothing moved at the start.
pub fn momentum_drift(start: &Momentum, end: &Momentum) -> Option<f64> {
    let linear = (start.linear_scale > 1e-9).then(|| end.linear.distance(start.linear) / start.linear_scale);
    let angular = (start.angular_scale > 1e-9).then(|| end.angular.distance(start.angular) / start.angular_scale);
    match (linear, angular) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// Speed of every particle that is in the world and not held by the host [m/s]: of body particles from the body's own velocity.
pub fn speeds(scene: &Scene, state: &Snapshot) -> Vec<f32> {
    let masses = particle_masses(scene);
    let moving = free_particles(scene).filter(|i| masses[*i] > 0.0 && !is_stored(state.particles[*i]));
    let mut speeds: Vec<f32> = moving.map(|i| state.particle_velocities[i].length()).collect();
    for (body, pose) in scene.bodies.iter().zip(&state.bodies) {
        if !body.kinematic && !pose.is_removed() {
            let arm = |local| pose.rotation * local;
            speeds.extend(
                body.links.iter().map(|l| (pose.velocity + pose.angular_velocity.cross(arm(l.local))).length()),
            );
        }
    }
    speeds
}

/// The value below which half of `values` lies, the mean of the two in the middle of an even number; `None` of nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    Some(if sorted.len().is_multiple_of(2) { 0.5 * (sorted[sorted.len() / 2 - 1] + upper) } else { upper })
}

/// The value below which the share `rank` (0..=1) of `values` lies; `None` of nothing.
pub fn percentile(values: &[f64], rank: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(((sorted.len().max(1) - 1) as f64 * rank).round() as usize).copied()
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::scene::{BodyDesc, BodyId, Collider, Emitter, Field, JointDesc, JointKind, Liquid};

    #[test]
    fn the_median_is_in_the_middle() {
        let found = [&[][..], &[3.0], &[4.0, 1.0], &[9.0, 1.0, 2.0], &[1.0, 8.0, 2.0, 3.0]].map(median);
        assert_eq!(found, [None, Some(3.0), Some(2.5), Some(2.0), Some(2.5)]);
    }

    fn scene_of(boxes: &[BodyDesc]) -> Scene {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        for desc in boxes {
            scene.add_body(desc.clone()).unwrap();
        }
        scene
    }

    fn cube() -> BodyDesc {
        BodyDesc::cuboid(Vec3::splat(0.15), 0.05)
    }

    #[test]
    fn a_body_moved_by_a_millimetre_opens_its_joint_by_a_millimetre() {
        let mut scene = scene_of(&[cube(), cube().at(Vec3::X * 0.4).rotated(Quat::from_rotation_z(0.3))]);
        let joint = JointDesc::new(JointKind::Hinge, BodyId(0), BodyId(1), Vec3::X * 0.2, Vec3::Z, 0.05);
        scene.add_joint(joint).unwrap();
        let mut state = Snapshot::start(&scene);
        assert!(joint_gaps(&scene, &state, |_| true).iter().all(|g| *g < 1e-6));
        state.bodies[1].center.y += 1e-3;
        let gaps = joint_gaps(&scene, &state, |_| true);
        assert_eq!(gaps.len(), 2);
        assert!(gaps.iter().all(|g| (g - 1e-3).abs() < 1e-6), "{gaps:?}");
        assert!(joint_gaps(&scene, &state, |_| false).is_empty());
    }

    #[test]
    fn energy_of_a_spinning_raised_moving_box() {
        let desc = BodyDesc { velocity: Vec3::X * 2.0, angular_velocity: Vec3::Y * 3.0, ..cube().at(Vec3::Y * 0.5) };
        let (mass, inertia) = (f64::from(desc.mass), f64::from(desc.inertia.y_axis.y));
        let mut scene = scene_of(&[desc.rotated(Quat::from_rotation_y(1.0))]);
        scene.params.gravity = Vec3::new(0.0, -10.0, 0.0);
        let expected = 0.5 * mass * 4.0 + 0.5 * inertia * 9.0 + mass * 10.0 * 0.5;
        assert!((energy(&scene, &Snapshot::start(&scene)) - expected).abs() < 1e-4);
    }

    #[test]
    fn inertia_turns_with_the_body() {
        let bar = BodyDesc::cuboid(Vec3::new(0.5, 0.05, 0.05), 0.05);
        let about_short = f64::from(bar.inertia.y_axis.y);
        // Turned upright, the bar's Y inertia is about the world's X axis.
        let desc = BodyDesc { angular_velocity: Vec3::X, ..bar.rotated(Quat::from_rotation_z(1.570_796_4)) };
        let scene = scene_of(&[desc]);
        let energy = energy(&scene, &Snapshot::start(&scene));
        assert!((energy - 0.5 * about_short).abs() < 1e-4 * about_short, "{energy}");
    }

    #[test]
    fn momentum_of_two_bodies_and_its_drift() {
        let a = BodyDesc { velocity: Vec3::X * 2.0, ..cube().at(Vec3::Y) };
        let b = BodyDesc { velocity: Vec3::X * -2.0, ..cube().at(Vec3::Y * -1.0) };
        let (mass, scene) = (f64::from(a.mass), scene_of(&[a, b]));
        let start = Snapshot::start(&scene);
        let about = center_of_mass(&scene, &start);
        let p = momentum(&scene, &start, about);
        assert!(is_isolated(&scene) && p.linear.length() < 1e-6);
        assert!((p.linear_scale - 4.0 * mass).abs() < 1e-4);
        assert!((p.angular.z + 4.0 * mass).abs() < 1e-4, "{}", p.angular);
        let mut end = start.clone();
        end.bodies[0].velocity.x += 0.04;
        let drift = momentum_drift(&p, &momentum(&scene, &end, about)).unwrap();
        assert!((drift - 0.01).abs() < 1e-5, "{drift}");
        assert_eq!(momentum_drift(&p, &p), Some(0.0));
    }

    #[test]
    fn what_stands_still_has_no_drift_and_walls_take_momentum() {
        let mut scene = scene_of(&[cube()]);
        let still = momentum(&scene, &Snapshot::start(&scene), DVec3::ZERO);
        assert_eq!(momentum_drift(&still, &still), None);
        scene.add_collider(Collider::ground(-3.0)).unwrap();
        assert!(!is_isolated(&scene));
    }

    #[test]
    fn what_floats_or_is_slowed_down_is_measured_as_it_moves() {
        let high = |gravity_scale: f32| {
            let dynamics = Dynamics { gravity_scale, ..Dynamics::default() };
            let mut scene = scene_of(&[BodyDesc { dynamics, ..cube().at(Vec3::Y * 2.0) }]);
            scene.params.gravity = Vec3::NEG_Y * 10.0;
            energy(&scene, &Snapshot::start(&scene))
        };
        let mass = f64::from(cube().mass);
        assert_eq!((high(0.0), high(-1.0)), (0.0, -high(1.0)));
        assert!((high(1.0) - 20.0 * mass).abs() < 1e-4);
        let free = |dynamics: Dynamics| is_isolated(&scene_of(&[BodyDesc { dynamics, ..cube() }]));
        assert!(free(Dynamics { gravity_scale: 3.0, ..Dynamics::default() }));
        assert!(!free(Dynamics { linear_damping: 0.1, ..Dynamics::default() }));
        assert!(!free(Dynamics { angular_damping: 0.1, ..Dynamics::default() }));
        assert!(!free(Dynamics::planar()));
        let mut blown = scene_of(&[cube()]);
        blown.add_field(Field::acceleration(Vec3::X)).unwrap();
        assert!(!is_isolated(&blown));
    }

    #[test]
    fn liquid_of_an_emitter_counts_once_it_is_in_the_world() {
        let mut scene = scene_of(&[]);
        let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
        scene.add_emitter(Emitter { budget: 3, ..Emitter::new("tap", water) }).unwrap();
        scene.params.gravity = Vec3::NEG_Y * 10.0;
        let mut state = Snapshot::start(&scene);
        assert!(!is_isolated(&scene) && speeds(&scene, &state).is_empty());
        assert_eq!(energy(&scene, &state), 0.0);
        (state.particles[1], state.particle_velocities[1]) = (Vec3::Y * 2.0, Vec3::X * 3.0);
        let expected = f64::from(scene.liquids[0].particle_mass()) * (0.5 * 9.0 + 20.0);
        assert!((energy(&scene, &state) / expected - 1.0).abs() < 1e-6);
        assert_eq!(speeds(&scene, &state), [3.0]);
    }

    #[test]
    fn speeds_include_spin_and_percentiles_pick_ranks() {
        let scene = scene_of(&[BodyDesc { angular_velocity: Vec3::Y * 2.0, ..cube() }]);
        let fastest = speeds(&scene, &Snapshot::start(&scene)).into_iter().fold(0.0, f32::max);
        assert!((fastest - 2.0 * 0.1 * std::f32::consts::SQRT_2).abs() < 1e-6);
        let values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert_eq!(
            (percentile(&values, 0.5), percentile(&values, 0.99), percentile(&[], 0.5)),
            (Some(50.0), Some(99.0), None)
        );
    }
}
