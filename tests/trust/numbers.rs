//! Numbers that are none, made inside the solver: they stay where they are made, and are counted.

use sinew::constraints::{Definition, Partition};
use sinew::glam::{Quat, Vec3};
use sinew::scene::{BodyDesc, Collider, Deformable, Scene, SheetGrid, SheetMaterial};

use crate::world::{centers, places, run, solver};

/// A distance that is divided by one of its numbers.
fn divided(name: &str) -> Definition {
    let text = "fn equation(index: u32, row: Values, x: Stencil) -> Equation {
        let n = direction(x.b - x.a);
        return Equation((n.w - row.a.x) / row.a.y, 0.0, UNBOUNDED, -n.xyz, n.xyz, vec3f(0.0), vec3f(0.0));
    }";
    Definition::new(name, 2, &["rest_length", "divisor"], text)
}

/// A sheet that falls onto a crate, two of its corners joined to their neighbors by such a distance.
fn falling(partition: Partition, divisor: f32) -> Scene {
    let mut scene = Scene::default();
    scene.params.partition = partition;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(Vec3::Y * 0.1)).unwrap();
    let (grid, material) = (SheetGrid::square(8, 0.5), SheetMaterial::default());
    let mut sheet = Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.02, &material).unwrap();
    let kind = scene.define_constraint(&divided("divided")).unwrap();
    for pair in [[0, 1], [63, 62]] {
        sheet.join(&kind.row(&pair, &[grid.spacing(), divisor]).unwrap()).unwrap();
    }
    scene.add_deformable(&sheet, Vec3::Y * 0.4, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

#[test]
fn an_equation_that_is_no_number_does_nothing_and_is_counted() {
    for partition in [Partition::Colors, Partition::Clusters, Partition::Phantom(3)] {
        let [sound, none, far] = [1.0, 0.0, 1e-38].map(|divisor| {
            let scene = falling(partition, divisor);
            let mut solver = solver(&scene);
            run(&mut solver, 40);
            let first = scene.particles.len() - 64;
            (places(&solver).split_off(first), centers(&solver)[0], solver.read_health().unwrap())
        });
        assert!(sound.2.is_good(), "{partition}: {:?}", sound.2);
        for (at, body, health) in [none, far] {
            assert!(health.non_finite > 10, "{partition}: {health:?}");
            assert_eq!(health.out_of_bounds, 0, "{partition}");
            // All but what the two equations hold goes on as with them.
            let apart = sound.0.iter().zip(&at).map(|(a, b)| a.distance(*b)).sum::<f32>() / 64.0;
            assert!(apart < 0.03, "{partition}: the sheet is {apart} m from where it should be");
            assert!(body.distance(sound.1) < 1e-3, "{partition}: {body}");
        }
    }
}
