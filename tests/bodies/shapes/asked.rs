//! Rays, balls and nearest points against a signed distance in double precision.

use glam::{DVec3, Vec3};
use sinew::gpu::Context;
use sinew::scene::{Collider, Placement, Scene, Shape};
use sinew::solver::{Query, QueryKind, Solver};

/// Places and directions that fill space evenly (Roberts 2018).
fn spread(i: u32) -> [DVec3; 2] {
    let at = |power: i32| (0.5 + f64::from(i + 1) / 1.112_775_684_278_705_5_f64.powi(power)).fract() * 2.0 - 1.0;
    [DVec3::new(at(1), at(2), at(3)), DVec3::new(at(4), at(5), at(6))]
}

/// How far a ball goes along a unit vector until it touches, in steps that are never too long.
fn arrival(distance: &dyn Fn(DVec3) -> f64, from: DVec3, way: DVec3, radius: f64, most: f64) -> Option<f64> {
    let mut time = 0.0;
    for _ in 0..20_000 {
        let gap = distance(from + way * time) - radius;
        if gap < 1e-7 {
            return Some(time);
        }
        time += gap.max(1e-6);
        if time > most {
            return None;
        }
    }
    Some(time)
}

/// Where the shapes are, and how they are turned.
fn somewhere() -> Placement {
    let rotation = glam::Quat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.3);
    Placement { position: Vec3::new(0.3, -0.2, 0.5), rotation }
}

/// Asks a collider of the shape, somewhere and turned, as often as `cases`; `size` is how far around it is asked, `near` how
/// well answers agree [m]. `distance` is outside of it exact.
pub(crate) fn agrees(name: &str, shape: &Shape, size: f64, near: f64, cases: u32, distance: &dyn Fn(DVec3) -> f64) {
    let at = somewhere();
    let mut scene = Scene::default();
    scene.add_collider(Collider::new(shape.clone(), at.position).rotated(at.rotation)).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let local = |p: Vec3| at.rotation.as_dquat().inverse() * (p.as_dvec3() - at.position.as_dvec3());
    let turned = |v: Vec3| at.rotation.as_dquat().inverse() * v.as_dvec3();
    let most = 4.0 * size as f32;
    let query = |i: u32| {
        let [place, target] = spread(i);
        let origin = at.point((place * 1.5 * size).as_vec3());
        let direction = at.point((target * 0.6 * size).as_vec3()) - origin;
        match i % 3 {
            0 => Query::ray(origin, direction, most),
            1 => Query::cast(Shape::Sphere((0.05 + 0.1 * size * target.x.abs()) as f32), origin, direction, most),
            _ => Query::nearest(origin, most),
        }
    };
    let queries: Vec<Query> = (0..cases).map(query).collect();
    let answers = solver.ask_now(&queries).unwrap();
    let (mut hits, mut worst) = (0, 0.0_f64);
    for (i, query) in queries.iter().enumerate() {
        let hit = answers.of(i).first();
        let (origin, direction, radius) = match &query.kind {
            QueryKind::Ray { origin, direction, .. } => (*origin, *direction, 0.0),
            QueryKind::Cast { shape: Shape::Sphere(radius), origin, direction, .. } => {
                (*origin, *direction, f64::from(*radius))
            }
            QueryKind::Nearest { origin, .. } => {
                let hit = hit.unwrap_or_else(|| panic!("{name}: nothing is near {origin}"));
                let off = (f64::from(hit.distance) - distance(local(*origin))).abs();
                worst = worst.max(off);
                assert!(off < near, "{name}: {hit:?} is off by {off} of {}", distance(local(*origin)));
                continue;
            }
            _ => unreachable!("not asked"),
        };
        let (from, way) = (local(origin), turned(direction).normalize());
        if distance(from) - radius < near {
            continue; // What it begins in is passed over, and a surface just met may be.
        }
        // Of a shape a little larger and a little smaller: what is barely met may be missed.
        let [early, late] = [near, -near].map(|more| arrival(distance, from, way, radius + more, f64::from(most)));
        match hit {
            None => assert!(late.is_none(), "{name}: missed what is at {late:?}"),
            Some(hit) => {
                hits += 1;
                let time = f64::from(hit.distance);
                let first = early.unwrap_or_else(|| panic!("{name}: {hit:?}, and there is nothing"));
                assert!(time > first - near, "{name}: {time} is before {first}");
                assert!(late.is_none_or(|late| time < late + near), "{name}: {time} is after {late:?}");
                let off = distance(local(hit.point)).abs();
                worst = worst.max(off);
                assert!(off < near, "{name}: {hit:?} lies {off} off the surface");
                assert!(turned(hit.normal).dot(way) < 1e-3 && (hit.normal.length() - 1.0).abs() < 1e-4);
            }
        }
    }
    println!("{name}: {hits} hits of {cases} queries, off by at most {worst} m");
    assert!(hits > cases / 8, "{name}: only {hits} hits");
}
