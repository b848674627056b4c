//! How far objects give way, changed while the world runs, against Hooke's law.

use glam::{Quat, Vec3, vec3};
use sinew::constraints::{Compliance, Definition, Give, Partition};
use sinew::gpu::Context;
use sinew::scene::{
    Deformable, DeformableId, ParticleId, Placement, RodMaterial, RopeMaterial, Scene, SceneError, SheetGrid,
    SheetMaterial, SoftMaterial, SoftModel,
};
use sinew::solver::{Solver, SolverError, State};

const GRAVITY: f32 = 9.81;

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

/// Solved until nothing is left open. A substep of damping is the part of its weight that nothing feels at rest: 0.4 %.
fn still() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::NEG_Y * GRAVITY;
    (scene.params.substeps, scene.params.iterations) = (24, 6);
    scene.params.linear_damping = 6.0;
    scene.params.partition = Partition::Colors;
    scene
}

fn settled(solver: &mut Solver) -> Vec<Vec3> {
    (0..120).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    solver.read_particles().unwrap().iter().map(|p| Vec3::from_slice(&p[..3])).collect()
}

/// A rope of five segments of 0.1 m that hangs, with 2 kg at its end.
fn loaded_rope(stretch: f32) -> Deformable {
    let points = (0..6).map(|i| Vec3::NEG_Y * 0.1 * i as f32).collect();
    let material = RopeMaterial { line_density: 0.5, stretch, bend: f32::INFINITY };
    let mut rope = Deformable::rope("rope", points, 0.02, &material).unwrap();
    rope.masses[0] = 0.0;
    rope.masses[5] += 2.0;
    rope
}

/// Σ F α over its segments [m].
fn elongation(rope: &Deformable, compliance: f32) -> f32 {
    (1..6).map(|i| rope.masses[i..].iter().sum::<f32>() * GRAVITY * compliance).sum()
}

#[test]
fn a_loaded_rope_is_longer_by_force_times_compliance() {
    let rope = loaded_rope(1e-4);
    for partition in [Partition::Colors, Partition::Clusters] {
        let mut scene = still();
        scene.params.partition = partition;
        let ids: Vec<DeformableId> = (0..2)
            .map(|i| scene.add_deformable(&rope, vec3(i as f32, 5.0, 0.0), Quat::IDENTITY, Vec3::ZERO).unwrap())
            .collect();
        let mut solver = solver(&scene);
        let longer = |places: &[Vec3], rope: usize| places[6 * rope].y - places[6 * rope + 5].y - 0.5;
        let check = |solver: &mut Solver, told: Option<Compliance>, compliance: f32| {
            if let Some(told) = told {
                solver.set_compliance(ids[1], Give::Stretch, told).unwrap();
            }
            let places = settled(solver);
            for (i, compliance) in [1e-4, compliance].into_iter().enumerate() {
                let (found, expected) = (longer(&places, i), elongation(&rope, compliance));
                assert!(
                    (found / expected - 1.0).abs() < 0.01,
                    "{partition}, {told:?}: rope {i} by {found} m, not {expected}"
                );
            }
        };
        check(&mut solver, None, 1e-4);
        check(&mut solver, Some(Compliance::Each(4e-4)), 4e-4);
        if partition == Partition::Clusters && !crate::effort::is_long() {
            continue;
        }
        check(&mut solver, Some(Compliance::Times(2.0)), 2e-4);
        assert_eq!(solver.compliance(ids[1], Give::Stretch), Ok(Compliance::Times(2.0)));
        check(&mut solver, Some(Compliance::MADE), 1e-4);
        assert_eq!(solver.compliance(ids[1], Give::Stretch), Ok(Compliance::MADE));
    }
}

#[test]
fn a_rope_bends_by_force_times_compliance() {
    let mut scene = still();
    let points = (0..3).map(|i| Vec3::X * i as f32).collect();
    let material = RopeMaterial { line_density: 0.1, stretch: 0.0, bend: 1e-3 };
    let mut rope = Deformable::rope("rope", points, 0.02, &material).unwrap();
    (rope.masses[0], rope.masses[1], rope.masses[2]) = (0.0, 0.0, 1.0);
    let id = scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    for bend in [1e-3, 4e-3] {
        solver.set_compliance(id, Give::Bend, Compliance::Each(bend)).unwrap();
        let sunk = -settled(&mut solver)[2].y;
        let expected = GRAVITY * bend;
        assert!((sunk / expected - 1.0).abs() < 0.01, "{sunk} m, not {expected}");
    }
}

/// A bar of flesh that hangs: how far its lower end sinks goes with the inverse of the modulus, at small strains.
#[test]
fn flesh_sinks_by_its_weight_over_its_stiffness() {
    let mut scene = still();
    let (mut rest, mut tetrahedra) = (Vec::new(), Vec::new());
    for layer in 0..9 {
        rest.extend([[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, z]| vec3(x as f32, -(layer as f32), z as f32) * 0.1));
    }
    for first in (0..8).map(|layer| 4 * layer) {
        for t in [[0, 1, 2, 6], [0, 5, 1, 6], [0, 4, 5, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6]] {
            tetrahedra.push(t.map(|i| first + i));
        }
    }
    scene.params.gravity = Vec3::NEG_Y;
    let young = 1e5;
    let material = SoftMaterial { density: 1000.0, model: SoftModel::NeoHookean { young, poisson: 0.0 } };
    let mut bar = Deformable::soft("bar", rest, &tetrahedra, 0.02, &material).unwrap();
    bar.pin(|at| at.y == 0.0);
    let ids = [0.0, 3.0].map(|x| scene.add_deformable(&bar, Vec3::X * x, Quat::IDENTITY, Vec3::ZERO).unwrap());
    let mut solver = solver(&scene);
    // ρ g L² / 2 E for a bar whose mass is spread over its length.
    let sunk = |young: f32| 1000.0 * 0.8 * 0.8 / (2.0 * young);
    for times in [1.0, 3.0] {
        solver.set_compliance(ids[1], Give::Elastic, Compliance::Times(times)).unwrap();
        let places = settled(&mut solver);
        for (i, times) in [1.0, times].into_iter().enumerate() {
            let end = places[36 * i + 32..36 * i + 36].iter().map(|p| -p.y - 0.8).sum::<f32>() / 4.0;
            let expected = times * sunk(young);
            println!("bar {i}: {end} m, theory {expected} m");
            assert!((end / expected - 1.0).abs() < 0.02, "bar {i}, {times} times: {end} m, not {expected}");
        }
    }
}

#[test]
fn a_state_has_the_compliances_and_growth_keeps_them() {
    let rope = loaded_rope(1e-4);
    let mut scene = still();
    for i in 0..2 {
        scene.add_deformable(&rope, vec3(i as f32, 5.0, 0.0), Quat::IDENTITY, Vec3::ZERO).unwrap();
    }
    let id = DeformableId(1);
    let soft = Compliance::Each(4e-4);
    let bits = |solver: &mut Solver| {
        (0..20).for_each(|_| solver.step());
        solver.read_particles().unwrap()
    };
    let context = Context::shared().unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let plain = solver.save().unwrap();
    let as_made = bits(&mut solver);
    solver.restore(&plain).unwrap();
    solver.set_compliance(id, Give::Stretch, soft).unwrap();
    let edited = solver.save().unwrap();
    let bytes = edited.to_bytes(&solver).unwrap();
    let softer = bits(&mut solver);
    assert_ne!(as_made, softer);
    solver.restore(&plain).unwrap();
    assert_eq!(solver.compliance(id, Give::Stretch), Ok(Compliance::MADE));
    assert_eq!(bits(&mut solver), as_made);
    solver.restore(&edited).unwrap();
    assert_eq!(solver.compliance(id, Give::Stretch), Ok(soft));
    assert_eq!(bits(&mut solver), softer);
    // Into a world that was never edited, and on from there.
    let mut other = Solver::new(&context, &scene).unwrap();
    let state = State::from_bytes(&bytes, &other).unwrap();
    other.restore(&state).unwrap();
    assert_eq!(bits(&mut other), softer);
    other.restore(&state).unwrap();
    other.set_compliance(id, Give::Stretch, Compliance::MADE).unwrap();
    assert_eq!(bits(&mut other), as_made);
    // What was given back as it was made and saved so is edited again in a world that knows nothing of it.
    let state = State::from_bytes(&other.save().unwrap().to_bytes(&other).unwrap(), &other).unwrap();
    let mut fresh = Solver::new(&context, &scene).unwrap();
    fresh.restore(&state).unwrap();
    other.restore(&state).unwrap();
    for solver in [&mut fresh, &mut other] {
        solver.set_compliance(id, Give::Stretch, soft).unwrap();
    }
    assert_eq!(bits(&mut fresh), bits(&mut other));
    // A third rope, added by a caller that knows of no edit.
    solver.restore(&edited).unwrap();
    scene.add_deformable(&rope, vec3(2.0, 5.0, 0.0), Quat::IDENTITY, Vec3::ZERO).unwrap();
    solver.spawn(&scene).unwrap();
    let places = settled(&mut solver);
    for (i, compliance) in [1e-4, 4e-4, 1e-4].into_iter().enumerate() {
        let longer = places[6 * i].y - places[6 * i + 5].y - 0.5;
        assert!((longer / elongation(&rope, compliance) - 1.0).abs() < 0.01, "rope {i}: {longer} m");
    }
}

#[test]
fn a_copy_that_enters_again_is_as_it_was_made() {
    let mut prefab = Scene::default();
    prefab.add_deformable(&loaded_rope(1e-4), Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut scene = still();
    let pool = scene.add_pool(&prefab, 2).unwrap();
    let mut solver = solver(&scene);
    for (soft, compliance) in [(true, 4e-4), (false, 1e-4)] {
        let copy = solver.spawn_from(pool, Placement::from(Vec3::Y * 5.0), Vec3::ZERO).unwrap();
        let part = solver.part(copy).unwrap().clone();
        let (id, first) = (part.deformable(DeformableId(0)), part.particle(ParticleId(0)).0 as usize);
        if soft {
            solver.set_compliance(id, Give::Stretch, Compliance::Each(4e-4)).unwrap();
        }
        let places = settled(&mut solver);
        let longer = places[first].y - places[first + 5].y - 0.5;
        let expected = elongation(&loaded_rope(1e-4), compliance);
        assert!((longer / expected - 1.0).abs() < 0.01, "{longer} m, not {expected}");
        solver.despawn(copy).unwrap();
    }
}

#[test]
fn a_users_type_gives_way_too() {
    const PULL: &str = "
fn equation(index: u32, row: Values, x: Stencil) -> Equation {
    let n = direction(x.b - x.a);
    return Equation(n.w - row.a.x, row.a.y, UNBOUNDED, -n.xyz, n.xyz, vec3f(0.0), vec3f(0.0));
}";
    let mut scene = still();
    let pull = scene.define_constraint(&Definition::new("pull_of_test", 2, &["length", "compliance"], PULL)).unwrap();
    let mut bob = Deformable::new("bob", vec![Vec3::ZERO, Vec3::NEG_Y * 0.5], 2.0, 0.02);
    bob.join(&pull.row(&[0, 1], &[0.5, 1e-3]).unwrap()).unwrap();
    bob.masses[0] = 0.0;
    let ids = [0.0, 1.0].map(|x| scene.add_deformable(&bob, Vec3::X * x, Quat::IDENTITY, Vec3::ZERO).unwrap());
    let mut solver = solver(&scene);
    solver.set_compliance(ids[0], Give::Other, Compliance::Each(3e-3)).unwrap();
    let places = settled(&mut solver);
    for (i, compliance) in [3e-3, 1e-3].into_iter().enumerate() {
        let longer = -places[2 * i + 1].y - 0.5;
        assert!((longer / (GRAVITY * compliance) - 1.0).abs() < 0.01, "bob {i}: {longer} m");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let mut scene = still();
    let grid = SheetGrid::square(4, 0.3);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
    let rest = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let flesh = Deformable::soft("flesh", rest, &[[0, 1, 2, 3]], 0.02, &SoftMaterial::default()).unwrap();
    let rod = RodMaterial::round(0.01, 1000.0, 1e7, 4e6);
    let rod = Deformable::rod("rod", (0..4).map(|i| Vec3::X * 0.1 * i as f32).collect(), 0.02, &rod).unwrap();
    let [sheet, flesh, rod] =
        [sheet, flesh, rod].map(|o| scene.add_deformable(&o, Vec3::Y * 3.0, Quat::IDENTITY, Vec3::ZERO).unwrap());
    let mut solver = solver(&scene);
    let missing = SolverError::Missing { what: "deformable object", index: 7, count: 3 };
    assert_eq!(solver.set_compliance(DeformableId(7), Give::Bend, Compliance::MADE), Err(missing));
    for (object, give) in [(sheet, Give::Volume), (flesh, Give::Stretch), (rod, Give::Shear)] {
        let told = solver.set_compliance(object, give, Compliance::MADE).unwrap_err();
        assert!(matches!(told, SolverError::GivesNot(..)) && told.to_string().contains(give.name()), "{told}");
    }
    for number in [-1.0, f32::NAN, f32::INFINITY, 2e12] {
        for compliance in [Compliance::Each(number), Compliance::Times(number)] {
            let told = solver.set_compliance(sheet, Give::Bend, compliance);
            let number = |error: &SceneError| matches!(error, SceneError::Number { field: "compliance", .. });
            assert!(matches!(&told, Err(SolverError::Scene(error)) if number(error)), "{told:?}");
        }
    }
    let told = solver.set_compliance(flesh, Give::Elastic, Compliance::Each(1e-3)).unwrap_err().to_string();
    assert!(told.contains("Times"), "{told}");
    assert!(solver.scene().deformables.iter().all(|extent| extent.gives.is_empty()), "nothing has changed");
    for (object, give) in [(sheet, Give::Stretch), (sheet, Give::Bend), (flesh, Give::Elastic), (rod, Give::Bend)] {
        solver.set_compliance(object, give, Compliance::Times(2.0)).unwrap();
    }
    solver.step();
    let mut bad = solver.scene().clone();
    bad.deformables[0].gives.insert(Give::Bend, Compliance::Each(-1.0));
    assert!(bad.validate().is_err_and(|error| error.to_string().contains("compliance")));
}
