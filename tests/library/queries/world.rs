//! A scene with everything in it, and where all of it is.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::import::distance::sampled;
use sinew::import::tets::{Resolution, soft_body};
use sinew::scene::{
    BodyDesc, BodyId, Collider, ColliderId, ConvexHull, Deformable, DeformableId, Grains, GrainsId, Heightfield,
    Layers, Liquid, LiquidId, ParticleId, Piece, RodMaterial, RopeMaterial, Scene, Shape, SheetGrid, SheetMaterial,
    SoftMaterial, Thing, TriangleMesh, primitive_model,
};
use sinew::solver::{Query, Solver};

use super::random::Random;
use super::reference::{Form, Part, RING, Solid, distance_to_hull, distance_to_triangles};

/// Half the width of what is looked at [m].
pub(crate) const WIDE: f32 = 1.6;
pub(crate) const HIGH: f32 = 1.6;

/// A body that gets its layers in the running world.
const GETS_LAYERS: BodyId = BodyId(4);

/// A ring, which is not convex.
fn ring() -> Shape {
    let (wide, thick, spacing) = (RING.0 as f32, RING.1 as f32, RING.2 as f32);
    let distance = |p: Vec3| (p.x.hypot(p.z) - wide).hypot(p.y) - thick;
    let half = vec3(0.32, 0.12, 0.32);
    Shape::Grid(sampled(-half, half, spacing, distance))
}

fn hills() -> TriangleMesh {
    let n = 12;
    let at = |i: u32, j: u32| {
        let (x, z) = (0.1 * i as f32 - 0.6, 0.1 * j as f32 - 0.6);
        vec3(x, 0.12 * (7.0 * x).sin() * (5.0 * z).cos(), z)
    };
    let positions = (0..=n).flat_map(|j| (0..=n).map(move |i| at(i, j))).collect();
    let corner = |i, j| j * (n + 1) + i;
    let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
        [[a, c, b], [b, c, d]]
    });
    TriangleMesh { positions, triangles: triangles.collect() }
}

/// A hull that its origin is not in the middle of.
pub(crate) fn stone(random: &mut Random, size: f32) -> Shape {
    let points: Vec<Vec3> = (0..14).map(|_| size * (random.direction() + 0.4 * Vec3::ONE)).collect();
    Shape::Hull(ConvexHull::new(&points).unwrap())
}

fn add_colliders(scene: &mut Scene) {
    let mut add = |shape, at, turn: Quat| scene.add_collider(Collider::new(shape, at).rotated(turn)).unwrap();
    add(Shape::Plane, Vec3::ZERO, Quat::from_rotation_z(0.02));
    add(Shape::Cuboid(vec3(0.3, 0.1, 0.2)), vec3(-1.0, 0.2, 0.8), Quat::from_rotation_y(0.5));
    add(Shape::Capsule { radius: 0.08, half_length: 0.3 }, vec3(1.1, 0.9, -0.9), Quat::from_rotation_x(0.8));
    add(Shape::Mesh(hills()), vec3(0.7, 0.35, 0.7), Quat::from_rotation_y(0.3));
    add(ring(), vec3(-0.9, 0.7, -0.9), Quat::from_rotation_x(0.9));
    let moving = Collider::new(Shape::Sphere(0.15), vec3(0.2, 1.3, -0.6));
    scene.add_collider(Collider { velocity: vec3(0.4, 0.1, 0.2), ..moving }).unwrap();
    let turning = Collider::new(Shape::Cuboid(vec3(0.25, 0.03, 0.1)), vec3(-0.2, 1.4, 0.9));
    scene.add_collider(Collider { angular_velocity: vec3(0.3, 2.0, 0.1), ..turning }).unwrap();
}

/// What is met by triangles, or piece by piece.
fn add_more(scene: &mut Scene, random: &mut Random) {
    let mut add = |shape, at, turn| scene.add_collider(Collider::new(shape, at).rotated(turn)).unwrap();
    add(stone(random, 0.15), vec3(-0.4, 0.2, 0.2), random.rotation());
    add(Shape::Cylinder { radius: 0.12, half_length: 0.2 }, vec3(0.9, 1.2, 0.2), random.rotation());
    let dunes = Heightfield::new([9, 8], 0.11, |x, z| 0.08 * (9.0 * x).sin() + 0.05 * (7.0 * z).cos());
    add(Shape::Heightfield(dunes), vec3(-1.0, 0.2, -0.4), Quat::from_rotation_y(0.4));
    let cross =
        [Piece::new(Shape::Cuboid(vec3(0.25, 0.03, 0.03)), Vec3::ZERO), Piece::new(stone(random, 0.06), Vec3::Z * 0.1)];
    add(Shape::Compound(cross.to_vec()), vec3(0.1, 0.6, 1.1), random.rotation());
    let club = [
        BodyDesc::cylinder(0.03, 0.2, 0.03).at(Vec3::Y * 0.1),
        BodyDesc::sphere(0.09, 0.04).at(Vec3::Y * 0.35),
        BodyDesc::cuboid(vec3(0.1, 0.04, 0.06), 0.03).at(Vec3::X * 0.05),
    ];
    let club = BodyDesc::compound(&club).unwrap();
    scene.add_body(BodyDesc { rotation: random.rotation(), ..club }.at(vec3(-0.6, 1.2, 1.0))).unwrap();
}

fn add_bodies(scene: &mut Scene, random: &mut Random) {
    for i in 0..16 {
        let desc = match i % 4 {
            0 => BodyDesc::sphere(random.between(0.06, 0.12), 0.05),
            1 => BodyDesc::capsule(0.05, random.between(0.05, 0.15), 0.04),
            2 => BodyDesc::cuboid(vec3(0.12, random.between(0.05, 0.1), 0.08), 0.05),
            _ => BodyDesc { shape: ring(), ..BodyDesc::sphere(0.2, 0.08) },
        };
        let at = vec3(0.7 * (i % 4) as f32 - 1.0, random.between(0.5, 1.2), 0.6 * (i / 4) as f32 - 1.0);
        let spin = 3.0 * random.direction();
        let desc =
            BodyDesc { rotation: random.rotation(), velocity: random.direction(), angular_velocity: spin, ..desc };
        scene.add_body(desc.at(at)).unwrap();
    }
}

fn add_deformables(scene: &mut Scene) {
    let grid = SheetGrid::square(9, 0.7);
    let radius = 0.3 * grid.spacing();
    let sheet = |name| {
        let material = SheetMaterial::default();
        Deformable::sheet(name, grid.positions(), &grid.triangles(), radius, &material).unwrap()
    };
    let mut flag = sheet("flag");
    flag.pin(|at| at.x < -0.34);
    scene.add_deformable(&flag, vec3(0.3, 1.2, -1.1), Quat::from_rotation_x(1.0), Vec3::ZERO).unwrap();
    let material = SoftMaterial { density: 500.0, ..SoftMaterial::default() };
    let plan = soft_body(&primitive_model(&Shape::Sphere(0.2)), Resolution::Count(60), &material).unwrap();
    let mut add = |object: &Deformable, at| scene.add_deformable(object, at, Quat::IDENTITY, Vec3::X).unwrap();
    add(&plan.object, vec3(1.3, 0.5, 0.1));
    add(&plan.meeting_by_triangles().object, vec3(-1.3, 0.6, 0.0));
    let line = |step: f32| (0..12).map(|i| vec3(step * i as f32, 0.0, 0.0)).collect::<Vec<_>>();
    let rope = Deformable::rope("rope", line(0.05), 0.02, &RopeMaterial::default()).unwrap();
    add(&rope, vec3(-0.6, 1.1, -0.2));
    let rod = Deformable::rod("rod", line(0.05), 0.02, &RodMaterial::round(0.01, 1100.0, 1e7, 4e6)).unwrap();
    add(&rod, vec3(0.0, 0.9, 0.2));
}

fn block(low: Vec3, count: u32, step: f32) -> Vec<Vec3> {
    let all = (0..count).flat_map(|i| (0..count).flat_map(move |j| (0..count).map(move |k| [i, j, k])));
    all.map(|n| low + step * Vec3::from_array(n.map(|n| n as f32))).collect()
}

/// Layers of things: of each kind a fourth is of one, a fourth of another, a fourth of two and the rest of all. All meet.
pub(crate) fn layers(thing: Thing) -> Layers {
    let (Thing::Body(BodyId(i))
    | Thing::Collider(ColliderId(i))
    | Thing::Deformable(DeformableId(i))
    | Thing::Liquid(LiquidId(i))
    | Thing::Grains(GrainsId(i))) = thing;
    let of = [1, 2, 3, u32::MAX][i as usize % 4];
    Layers { of, ..Layers::default() }
}

/// Everything, after some frames.
pub(crate) fn everything() -> Solver {
    let mut random = Random::new(5);
    let mut scene = Scene::default();
    add_colliders(&mut scene);
    add_bodies(&mut scene, &mut random);
    add_more(&mut scene, &mut random);
    add_deformables(&mut scene);
    let water = scene.add_liquid(Liquid::water(0.03)).unwrap();
    scene.pour(water, &block(vec3(-0.2, 0.3, -1.3), 5, 0.06), Vec3::ZERO).unwrap();
    let sand = scene.add_grains(Grains::sand(0.03)).unwrap();
    scene.heap(sand, &block(vec3(0.4, 0.1, -0.3), 4, 0.065), Vec3::ZERO).unwrap();
    scene.set_user_data(Thing::Body(BodyId(2)), 99).unwrap();
    let bodies = (0..scene.bodies.len() as u32).filter(|i| *i != GETS_LAYERS.0).map(|i| Thing::Body(BodyId(i)));
    let colliders = (0..scene.colliders.len() as u32).map(|i| Thing::Collider(ColliderId(i)));
    let objects = (0..scene.deformables.len() as u32).map(|i| Thing::Deformable(DeformableId(i)));
    let things = bodies.chain(colliders).chain(objects).chain([Thing::Liquid(water), Thing::Grains(sand)]);
    things.collect::<Vec<_>>().into_iter().for_each(|thing| scene.set_layers(thing, layers(thing)).unwrap());
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    solver.ask_now(&[Query::ray(Vec3::ZERO, Vec3::Y, 1.0)]).unwrap();
    let changed = Thing::Body(GETS_LAYERS);
    solver.set_layers(changed, layers(changed)).unwrap();
    (0..12).for_each(|_| solver.step());
    solver.remove_body(BodyId(5)).unwrap();
    solver.set_body_pose(BodyId(6), vec3(0.9, 1.4, 1.2), random.rotation(), Vec3::ZERO, Vec3::ZERO).unwrap();
    solver
}

fn shaped(shape: &Shape, position: Vec3, rotation: Quat) -> Vec<Form> {
    let (middle, turn) = (position.as_dvec3(), rotation.normalize().as_dquat());
    let form = match shape {
        Shape::Plane => Form::Plane { point: middle, normal: turn * glam::DVec3::Y },
        Shape::Cuboid(half) => Form::Cuboid { middle, rotation: turn, half: half.as_dvec3() },
        Shape::Sphere(radius) => Form::Capsule { middle, axis: glam::DVec3::ZERO, radius: f64::from(*radius) },
        Shape::Capsule { radius, half_length } => {
            Form::Capsule { middle, axis: turn * glam::DVec3::Y * f64::from(*half_length), radius: f64::from(*radius) }
        }
        Shape::Grid(_) => Form::Ring { middle, rotation: turn },
        Shape::Mesh(mesh) => {
            let corner = |i: u32| middle + turn * mesh.positions[i as usize].as_dvec3();
            return mesh.triangles.iter().map(|t| Form::Triangle(t.map(corner))).collect();
        }
        Shape::Hull(hull) => {
            let corners: Vec<_> = hull.mesh().positions.iter().map(|p| middle + turn * p.as_dvec3()).collect();
            let planes = hull.mesh().triangles.iter().map(|t| {
                let [a, b, c] = t.map(|i| corners[i as usize]);
                let normal = (b - a).cross(c - a).normalize();
                (normal, normal.dot(a))
            });
            let center = corners.iter().sum::<glam::DVec3>() / corners.len() as f64;
            let part = Part::hull(corners.clone());
            Form::Convex { middle: center, distance: distance_to_hull(part.clone(), planes.collect()), part }
        }
        Shape::Cylinder { radius, half_length } => {
            let (radius, half) = (f64::from(*radius), f64::from(*half_length));
            let part = Part::cylinder(turn * glam::DVec3::Y * half, radius).moved(middle);
            let distance = move |p: glam::DVec3| {
                let q = turn.inverse() * (p - middle);
                let d = glam::DVec2::new(q.x.hypot(q.z) - radius, q.y.abs() - half);
                d.max(glam::DVec2::ZERO).length() + d.max_element().min(0.0)
            };
            Form::Convex { middle, part, distance: Box::new(distance) }
        }
        Shape::Heightfield(field) => return ground(field, middle, turn),
        Shape::Compound(pieces) => {
            let place = |piece: &Piece| {
                let at = position + rotation.normalize() * piece.position;
                shaped(&piece.shape, at, rotation.normalize() * piece.rotation)
            };
            return pieces.iter().flat_map(place).collect();
        }
    };
    vec![form]
}

/// The triangles of a heightfield, and what is below them.
fn ground(field: &Heightfield, middle: glam::DVec3, turn: glam::DQuat) -> Vec<Form> {
    let mesh = field.mesh();
    let corner = |i: u32| mesh.positions[i as usize].as_dvec3();
    let triangles: Vec<_> = mesh.triangles.iter().map(|t| t.map(corner)).collect();
    let placed = |t: &[glam::DVec3; 3]| Form::Triangle(t.map(|p| middle + turn * p));
    let mut forms: Vec<_> = triangles.iter().map(placed).collect();
    let below = move |p: glam::DVec3| {
        let q = turn.inverse() * (p - middle);
        let is_under = |t: &[glam::DVec3; 3]| {
            let flat = |a: glam::DVec3, b: glam::DVec3| (b.x - a.x) * (q.z - a.z) - (b.z - a.z) * (q.x - a.x);
            let sides = [flat(t[0], t[1]), flat(t[1], t[2]), flat(t[2], t[0])];
            let normal = (t[1] - t[0]).cross(t[2] - t[0]);
            let inside = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
            inside && normal.dot(q - t[0]) * normal.y < 0.0
        };
        if triangles.iter().any(is_under) { -distance_to_triangles(&triangles, q) } else { f64::INFINITY }
    };
    let lowest = mesh.positions.iter().map(|p| f64::from(p.y)).fold(f64::INFINITY, f64::min);
    let surely = move |p: glam::DVec3| (turn.inverse() * (p - middle)).y > lowest;
    forms.push(Form::Below(Box::new(below), Box::new(surely)));
    forms
}

/// Adds a solid, a compound piece by piece.
fn add_shape(solids: &mut Vec<Solid>, thing: Thing, shape: &Shape, position: Vec3, rotation: Quat) {
    let is_compound = matches!(shape, Shape::Compound(_));
    let forms = shaped(shape, position, rotation).into_iter().enumerate();
    solids.extend(forms.map(|(i, form)| Solid { thing, piece: if is_compound { i } else { 0 }, form }));
}

/// Everything as the solver has it now, things that were removed left out.
pub(crate) fn solids(solver: &Solver) -> Vec<Solid> {
    let scene = solver.scene();
    let mut solids = Vec::new();
    for ((body, state), i) in scene.bodies.iter().zip(solver.read_bodies().unwrap()).zip(0..) {
        if !body.removed {
            let place = state.placement();
            add_shape(&mut solids, Thing::Body(BodyId(i)), &scene.shapes[body.shape], place.position, place.rotation);
        }
    }
    for (collider, i) in scene.colliders.iter().zip(0..) {
        let thing = Thing::Collider(sinew::scene::ColliderId(i));
        add_shape(&mut solids, thing, &collider.shape, collider.position, collider.rotation);
    }
    let particles = solver.read_particles().unwrap();
    let place = |i: u32| Vec3::from_slice(&particles[i as usize][..3]).as_dvec3();
    let members = scene.members();
    let mut alone = vec![true; particles.len()];
    for triangle in &scene.triangles {
        triangle.iter().for_each(|i| alone[*i as usize] = false);
        let thing = members.thing(ParticleId(triangle[0])).unwrap();
        solids.push(Solid { thing, piece: 0, form: Form::Triangle(triangle.map(place)) });
    }
    for i in 0..particles.len() as u32 {
        let ghost = scene.particles[i as usize].phase.contains(sinew::scene::Phase::GHOST);
        let thing = members.thing(ParticleId(i)).unwrap();
        if alone[i as usize] && !ghost && !matches!(thing, Thing::Body(_)) {
            let radius = f64::from(particles[i as usize][3]);
            let form = Form::Capsule { middle: place(i), axis: glam::DVec3::ZERO, radius };
            solids.push(Solid { thing, piece: 0, form });
        }
    }
    solids
}
