//! The scenes in rapier3d: steps, times and measures.

use std::time::Instant;

use anyhow::Result;
use rapier3d::prelude::*;

use crate::table::{Row, mean, percentile};
use crate::{Scene, scenes};

/// Settings of the stiff rows: springs far above what substeps can follow, and a substep for each iteration.
const STIFF_FREQUENCY: f32 = 1000.0;
const STIFF_SUBSTEPS: usize = 8;

/// Runs a scene once on so many threads.
///
/// # Errors
/// No threads can be had.
pub(crate) fn run(scene: Scene, count: u32, frames: u32, threads: usize, stiff: bool) -> Result<Row> {
    let mut world = PhysicsWorld::new();
    world.configure_thread_pool(threads)?;
    let frequency = stiff.then_some(STIFF_FREQUENCY);
    if stiff {
        world.integration_parameters.num_solver_iterations = STIFF_SUBSTEPS;
    }
    match scene {
        Scene::Pairs => scenes::pairs(&mut world, count),
        Scene::Ragdolls => scenes::ragdolls(&mut world, count),
        Scene::Cloth => scenes::cloth(&mut world, count, frequency),
        Scene::Tets => scenes::tets(&mut world, frequency),
    }
    let mut times = Vec::new();
    for _ in 0..frames {
        let begun = Instant::now();
        world.step();
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    let plural = if threads == 1 { "" } else { "s" };
    let substeps = world.integration_parameters.num_solver_iterations;
    let stiffness = if stiff { ", stiff" } else { "" };
    Ok(Row {
        name: format!("rapier3d 0.36, {threads} thread{plural}, {substeps} substeps{stiffness}"),
        scene: told(&world),
        median_ms: percentile(&times, 0.5),
        p95_ms: percentile(&times, 0.95),
        gap_mm: summed(&gaps(&world), |all| all.iter().copied().fold(0.0, f64::max)).map(|pair| pair.map(|m| 1e3 * m)),
        stretch: summed(&stretches(&world), |all| percentile(all, 0.99)).map(|pair| pair.map(|s| 100.0 * s)),
        overlap: format!("{:.1} mm", 1e3 * deepest(&world)),
    })
}

/// The mean of all values, and what `of` makes of them; none without any.
fn summed(values: &[f64], of: impl Fn(&[f64]) -> f64) -> Option<[f64; 2]> {
    (!values.is_empty()).then(|| [mean(values), of(values)])
}

fn told(world: &PhysicsWorld) -> String {
    let dynamic = world.rigid_bodies().filter(|(_, body)| body.is_dynamic()).count();
    let joints = world.impulse_joints().count();
    let (mut particles, mut edges, mut others) = (0, 0, 0);
    for (_, body) in world.soft_bodies() {
        particles += body.num_particles();
        edges += body.edges().len();
        others += body.dihedrals().len() + body.cells().len();
    }
    if particles > 0 {
        format!("{particles} particles, {edges} edges, {others} dihedrals and tetrahedra")
    } else {
        format!("{dynamic} bodies, {joints} joints")
    }
}

/// Distance between the two anchors of each joint [m].
fn gaps(world: &PhysicsWorld) -> Vec<f64> {
    let anchor = |body: RigidBodyHandle, local| world.bodies[body].position().transform_point(local);
    let gap = |joint: &ImpulseJoint| {
        let (a, b) =
            (anchor(joint.body1(), joint.data.local_anchor1()), anchor(joint.body2(), joint.data.local_anchor2()));
        f64::from(a.distance(b))
    };
    world.impulse_joints().map(|(_, joint)| gap(joint)).collect()
}

/// Relative change of length of each structural edge.
fn stretches(world: &PhysicsWorld) -> Vec<f64> {
    let of = |body: &SoftBody| {
        let length = |edge: &SoftBodyEdge| {
            let [a, b] = edge.vertices.map(|v| body.particle_position(v as usize));
            f64::from((a.distance(b) / edge.rest_length - 1.0).abs())
        };
        let structural = body.edges().iter().filter(|edge| edge.kind == SoftBodyEdgeKind::Structural);
        structural.map(length).collect::<Vec<_>>()
    };
    world.soft_bodies().flat_map(|(_, body)| of(body)).collect()
}

/// Deepest contact [m]; 0 without any.
fn deepest(world: &PhysicsWorld) -> f64 {
    let manifolds = world.contact_pairs().flat_map(|pair| pair.manifolds());
    let distances = manifolds.flat_map(|manifold| manifold.points.iter().map(|point| f64::from(-point.dist)));
    distances.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_closed_and_nothing_is_stretched_at_the_start() {
        let mut world = PhysicsWorld::new();
        scenes::pairs(&mut world, 8);
        scenes::ragdolls(&mut world, 2);
        assert_eq!(world.impulse_joints().count(), 8 + 2 * 10);
        assert!(gaps(&world).iter().all(|gap| *gap < 1e-5));
        scenes::cloth(&mut world, 100, None);
        let (_, cloth) = world.soft_bodies().next().unwrap();
        assert_eq!((cloth.num_particles(), cloth.edges().len(), cloth.dihedrals().len()), (10_000, 29_601, 29_205));
        assert!(stretches(&world).iter().all(|stretch| *stretch < 1e-3));
    }
}
