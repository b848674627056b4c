//! Convex hulls.

use glam::{DVec3, Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, Collider, ConvexHull, Scene, Shape};
use sinew::solver::Solver;

use super::asked::agrees;
use super::held::holds_everything;

fn corners(half: Vec3) -> Vec<Vec3> {
    (0..8).map(|i| Vec3::select(glam::BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), half, -half)).collect()
}

/// By the divergence theorem.
fn volume(hull: &ConvexHull) -> f32 {
    let mesh = hull.mesh();
    let corner = |i: u32| mesh.positions[i as usize];
    mesh.triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
}

#[test]
fn a_simplified_hull_of_a_ball_is_nearly_the_ball_and_a_thin_plate_is_no_plane() {
    // Evenly on a ball (Vogel 1979).
    let ball: Vec<Vec3> = (0..900)
        .map(|i| {
            let (y, turn) = (1.0 - (2 * i + 1) as f32 / 900.0, 2.399_963_2 * i as f32);
            vec3(turn.cos(), 0.0, turn.sin()) * (1.0 - y * y).sqrt() + y * Vec3::Y
        })
        .collect();
    assert!(ConvexHull::new(&ball).unwrap_err().to_string().contains("simplified"));
    let hull = ConvexHull::simplified(&ball, 64).unwrap();
    let part = volume(&hull) / (4.0 / 3.0 * std::f32::consts::PI);
    println!("64 corners of a ball hold {part} of it");
    assert!(hull.mesh().positions.len() == 64 && part > 0.8 && part < 1.0, "{part} of the ball");
    let plate = ConvexHull::new(&corners(vec3(1.0, 1e-2, 20.0))).unwrap();
    assert!((volume(&plate) / 1.6 - 1.0).abs() < 1e-4, "{} m³", volume(&plate));
}

#[test]
fn queries_meet_a_hull_where_it_is() {
    let half = DVec3::new(0.4, 0.15, 0.25);
    let hull = Shape::Hull(ConvexHull::new(&corners(half.as_vec3())).unwrap());
    let distance = |p: DVec3| {
        let d = p.abs() - half;
        d.max(DVec3::ZERO).length() + d.max_element().min(0.0)
    };
    agrees("hull of a box", &hull, 0.45, 1e-4, 1500, &distance);
    // |x| + |y| + |z| = 0.4: outside the nearest point of one face.
    let tips = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [0.4 * axis, -0.4 * axis]);
    let octahedron = Shape::Hull(ConvexHull::new(&tips.collect::<Vec<_>>()).unwrap());
    agrees("octahedron", &octahedron, 0.4, 1e-4, 1500, &to_octahedron);
}

/// By projection onto the simplex of the positive octant (Duchi et al. 2008), with the signs of p.
fn to_octahedron(p: DVec3) -> f64 {
    let (q, size) = (p.abs(), 0.4);
    let over = q.element_sum() - size;
    if over <= 0.0 {
        return over / 3.0_f64.sqrt();
    }
    let mut sorted = q.to_array();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut shift) = (0.0, 0.0);
    for (count, value) in (1..).zip(sorted) {
        sum += value;
        let candidate = (sum - size) / f64::from(count);
        if value > candidate {
            shift = candidate;
        }
    }
    (q - (q - shift).max(DVec3::ZERO)).length()
}

#[test]
fn a_hull_holds_everything() {
    // A table with a sloped rim.
    let ring = |radius: f32, y: f32| {
        (0..16).map(move |i| {
            let turn = std::f32::consts::TAU * i as f32 / 16.0;
            vec3(radius * turn.cos(), y, radius * turn.sin())
        })
    };
    let hull = ConvexHull::new(&ring(0.8, 0.1).chain(ring(1.1, -0.2)).collect::<Vec<_>>()).unwrap();
    holds_everything("hull", Collider::new(Shape::Hull(hull), Vec3::ZERO), 0.1, 0.45);
}

#[test]
fn hulls_lie_and_stack_where_boxes_do() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let half = vec3(0.2, 0.1, 0.15);
    let points: Vec<Vec3> = corners(half).iter().map(|p| *p + vec3(0.0, 0.11, 3.0)).collect();
    let desc = BodyDesc::hull(&ConvexHull::new(&points).unwrap(), 0.04).unwrap();
    let boxed = BodyDesc::cuboid(half, 0.04);
    assert!((desc.mass / boxed.mass - 1.0).abs() < 1e-5 && desc.inertia.abs_diff_eq(boxed.inertia, 1e-4));
    assert!(desc.position.distance(vec3(0.0, 0.11, 3.0)) < 1e-5, "it lies where its points were");
    scene.add_body(desc.clone()).unwrap();
    scene.add_body(desc.clone().at(vec3(0.03, 0.32, 3.02)).rotated(Quat::from_rotation_y(0.3))).unwrap();
    scene.add_body(boxed.at(vec3(-0.02, 0.53, 3.0))).unwrap();
    // Falls on its tip and comes to lie on a face.
    let tips = [vec3(0.0, 0.3, 0.0), vec3(0.3, -0.1, 0.0), vec3(-0.15, -0.1, 0.26), vec3(-0.15, -0.1, -0.26)];
    let pyramid = BodyDesc::hull(&ConvexHull::new(&tips).unwrap(), 0.03).unwrap();
    let tipped = Quat::from_rotation_x(2.9);
    scene.add_body(pyramid.at(vec3(0.0, 0.6, 0.0)).rotated(tipped)).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..180).for_each(|_| solver.step());
    let bodies: Vec<_> = solver.read_bodies().unwrap().iter().map(|b| (b.placement(), b.velocity)).collect();
    println!("{bodies:?}");
    for (i, height) in [0.1, 0.3, 0.5].into_iter().enumerate() {
        let (at, _) = &bodies[i];
        assert!((at.position.y - height).abs() < 6e-3 && (at.rotation * Vec3::Y).y > 0.999, "{i}: {at:?}");
    }
    let (at, velocity) = &bodies[3];
    assert!(Vec3::from(*velocity).length() < 0.05, "still moves: {velocity:?}");
    let solid = &scene.shapes[scene.bodies[3].shape];
    let Shape::Hull(hull) = solid else { panic!("{solid:?}") };
    let mut heights: Vec<f32> = hull.mesh().positions.iter().map(|p| at.point(*p).y).collect();
    heights.sort_by(f32::total_cmp);
    // The sharp tips of a hull stand out from the balls in them.
    assert!(heights[0] > -0.06 && heights[2] < 0.02 && heights[3] > 0.2, "not on a face: {heights:?}");
    assert!(solver.read_health().unwrap().is_good());
}
