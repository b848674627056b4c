//! What of torn cloth is kept while buffers are made anew.

use glam::{Quat, Vec3};

use crate::gpu::Context;
use crate::gpu::wgsl::aerodynamics::sail::SailMember;
use crate::scene::{BodyDesc, BodyId, Deformable, ParticleId, Scene, SheetGrid, SheetMaterial, Topology};
use crate::solver::Solver;
use crate::solver::stages::constraints::tear::{FabricRow, VertexRow};
use crate::solver::stages::rows::Control;

/// Two halves of a sheet in the air that fly apart, in frames of one substep.
fn rag(spares: Option<u32>) -> Scene {
    let grid = SheetGrid { points: [9, 9], size: [0.4, 0.4].into(), topology: Topology::Centered };
    let mut sheet =
        Deformable::sheet("rag", grid.positions(), &grid.triangles(), 0.015, &SheetMaterial::default()).unwrap();
    (sheet.tearing, sheet.spares) = (Some(0.2), spares);
    let mut scene = Scene::default();
    scene.params.substeps = 1;
    scene.add_deformable(&sheet, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    for particle in scene.particles.iter_mut().filter(|particle| particle.mass > 0.0) {
        particle.velocity = Vec3::X * particle.position.x.signum() * 4.0;
    }
    scene
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn vertices(solver: &Solver) -> Vec<VertexRow> {
    solver.buffers.read("tear_vertices").unwrap()
}

#[test]
fn new_buffers_have_what_was_torn_and_what_is_new() {
    let scene = rag(None);
    let mut solver = solver(&scene);
    let needs = |solver: &Solver| solver.buffers.read::<u32>("tear_needs").unwrap();
    let sails = |solver: &Solver| solver.buffers.read::<SailMember>("sail_members").unwrap();
    let fabrics = |solver: &Solver| solver.buffers.read::<FabricRow>("tear_fabrics").unwrap();
    let due = |solver: &Solver| solver.buffers.read::<Control>("control").unwrap()[0].tears_due;
    let mut frames = 0;
    while fabrics(&solver)[0].taken < 4 || due(&solver) == 0 {
        solver.step();
        frames += 1;
        assert!(frames < 60, "something is left to be looked at between frames");
    }
    let (before, needed, sailing) = (vertices(&solver), needs(&solver), sails(&solver));
    assert!(needed.iter().any(|need| *need > 0));
    // A whole vertex is fastened to what is new.
    let mut more = scene.clone();
    let body = more.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::X * 50.0)).unwrap();
    let fastened = (0..81).rfind(|i| before[*i].held == 0).unwrap();
    more.attach(ParticleId(fastened as u32), body, 0.0).unwrap();
    assert_eq!(body, BodyId(0));
    let taken = fabrics(&solver)[0].taken;
    solver.spawn(&more).unwrap();
    let after = vertices(&solver);
    for (i, (old, new)) in before.iter().zip(&after).enumerate() {
        let held = if i == fastened { 1 } else { old.held };
        assert_eq!((new.first, new.count, new.held), (old.first, old.count, held), "vertex {i}");
    }
    assert_eq!((fabrics(&solver)[0].taken, due(&solver)), (taken, 1));
    assert_eq!(needs(&solver), needed);
    let rows = |sails: Vec<SailMember>| sails.iter().map(|s| (s.particle, s.first, s.count)).collect::<Vec<_>>();
    assert_eq!(rows(sails(&solver)), rows(sailing));
}

#[test]
fn each_vertex_without_a_spare_counts_once() {
    let scene = rag(Some(2));
    let mut solver = solver(&scene);
    let held = |solver: &Solver| vertices(solver).iter().filter(|vertex| vertex.held > 0).count();
    assert_eq!(held(&solver), 0);
    for _ in 0..20 {
        solver.step();
        assert_eq!(solver.read_health().unwrap().tears_dropped as usize, held(&solver));
    }
    assert!(held(&solver) > 5, "{} vertices found no spare", held(&solver));
}
