//! Surfaces on particles: places and normals against the same sums on the CPU, and pictures of them.

use std::sync::Arc;

use ::image::RgbaImage;
use glam::{Quat, Vec2, Vec3, Vec4};

use super::tests::Stage;
use super::{Camera, DrawOptions, image};
use crate::scene::{
    Anchor, Collider, Deformable, Material, Model, Particle, ParticleId, Phase, Primitive, RopeMaterial, Scene, Shell,
    Strands, SurfaceMesh, Tube, View,
};

const SIDE: u32 = 9;

fn add_particles(scene: &mut Scene, positions: &[Vec3]) {
    for position in positions {
        let particle =
            Particle { position: *position, velocity: Vec3::ZERO, radius: 0.02, mass: 1.0, phase: Phase::default() };
        scene.add_particle(particle).unwrap();
    }
}

/// A square cloth of side 1 m in the XZ plane.
fn cloth(material: Material) -> (Vec<Vec3>, Shell) {
    let place = |i: u32| Vec3::new((i % SIDE) as f32, 0.0, (i / SIDE) as f32) / (SIDE - 1) as f32;
    let rest: Vec<Vec3> = (0..SIDE * SIDE).map(place).collect();
    let cells = (0..SIDE * (SIDE - 1)).filter(|i| i % SIDE < SIDE - 1);
    let triangles: Vec<[u32; 3]> =
        cells.flat_map(|i| [[i, i + SIDE, i + 1], [i + 1, i + SIDE, i + SIDE + 1]]).collect();
    let shell = Shell::on_particles(&rest, &triangles, &[], material);
    (rest, shell)
}

fn placed(stage: &Stage, group: usize, count: usize) -> Vec<[f32; 8]> {
    let bytes = stage.context.read_buffer(stage.renderer.soft.placed(group)).expect("read back");
    bytemuck::cast_slice(&bytes[..32 * count]).to_vec()
}

/// Mean of the triangles' normals around each particle, by their angle there.
fn normals(positions: &[Vec3], triangles: &[u32]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for t in triangles.chunks_exact(3) {
        for corner in 0..3 {
            let [p, a, b] = [0, 1, 2].map(|k| positions[t[(corner + k) % 3] as usize]);
            let normal = (a - p).cross(b - p).normalize();
            sums[t[corner] as usize] += normal * (a - p).angle_between(b - p);
        }
    }
    sums.iter().map(|n| n.normalize()).collect()
}

#[test]
fn places_normals_and_strain_equal_those_of_the_cpu() {
    let (rest, shell) = cloth(Material::default());
    let triangles = shell.model.primitives[0].indices.clone();
    let wave = |p: &Vec3| Vec3::new(1.2 * p.x, 0.3 * (7.0 * p.x).sin() + 0.2 * (5.0 * p.z).cos(), p.z);
    let bent: Vec<Vec3> = rest.iter().map(wave).collect();
    let far: Vec<Vec3> = rest.iter().map(|p| Vec3::new(p.z, 3.0, p.x)).collect();
    let mut scene = Scene::default();
    add_particles(&mut scene, &[Vec3::ONE]);
    add_particles(&mut scene, &bent);
    add_particles(&mut scene, &far);
    let shell = Arc::new(shell);
    for first in [1, 1 + rest.len() as u32] {
        let first_particle = ParticleId(first);
        scene.add_surface(SurfaceMesh { shell: Arc::clone(&shell), first_particle, tint: Vec4::ONE }).unwrap();
    }
    let mut stage = Stage::new(scene);
    stage.draw(&DrawOptions::default());
    let found = placed(&stage, 0, 2 * rest.len());
    for (points, positions) in found.chunks_exact(rest.len()).zip([&bent, &far]) {
        let wanted = normals(positions, &triangles);
        for (i, row) in points.iter().enumerate() {
            assert!(Vec3::from_slice(&row[0..3]).distance(positions[i]) < 1e-6, "place of {i}");
            assert!(Vec3::from_slice(&row[4..7]).distance(wanted[i]) < 1e-5, "normal of {i}: {row:?} {}", wanted[i]);
            let edges = triangles.chunks_exact(3).filter(|t| t.contains(&(i as u32))).flatten();
            let strain = |j: &u32| {
                let j = *j as usize;
                positions[i].distance(positions[j]) / rest[i].distance(rest[j]) - 1.0
            };
            let wanted = edges.filter(|j| **j != i as u32).map(strain).fold(0.0_f32, |m, s| m.max(s.abs()));
            assert!((row[3].abs() - wanted).abs() < 1e-5, "strain of {i}: {} {wanted}", row[3]);
        }
    }
    assert!(found[rest.len()..].iter().all(|row| row[5] < -0.999), "x and z exchanged: it faces down");
}

#[test]
fn the_same_particles_give_the_same_bits() {
    let (rest, shell) = cloth(Material::default());
    let mut scene = Scene::default();
    let count = rest.len();
    add_particles(&mut scene, &rest.iter().map(|p| *p + Vec3::Y * (9.0 * p.x * p.z).sin()).collect::<Vec<_>>());
    let surface = SurfaceMesh { shell: Arc::new(shell), first_particle: ParticleId(0), tint: Vec4::ONE };
    scene.add_surface(surface).unwrap();
    let mut stage = Stage::new(scene);
    stage.draw(&DrawOptions::default());
    let first = placed(&stage, 0, count);
    stage.draw(&DrawOptions::default());
    assert_eq!(first, placed(&stage, 0, count));
}

/// A sheet 1.5 m above the ground between eye and sun, and what lies below it.
fn hung(material: Material) -> Scene {
    let mut scene =
        Scene { view: View { eye: Vec3::new(0.5, 1.0, 3.5), target: Vec3::new(0.5, 0.9, 0.0) }, ..Scene::default() };
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let (rest, shell) = cloth(material);
    add_particles(&mut scene, &rest.iter().map(|p| Vec3::new(p.x, 1.5 - p.z, 0.0)).collect::<Vec<_>>());
    let tint = Vec4::new(0.8, 0.04, 0.02, 1.0);
    scene.add_surface(SurfaceMesh { shell: Arc::new(shell), first_particle: ParticleId(0), tint }).unwrap();
    scene
}

fn red(picture: &RgbaImage) -> usize {
    picture.pixels().filter(|p| p.0[0] > 60 && p.0[1] < p.0[0] / 2).count()
}

#[test]
fn only_two_sided_cloth_is_seen_from_behind_and_its_shadow_falls() {
    let two_sided = Material { double_sided: true, ..Material::default() };
    let behind = View { eye: Vec3::new(0.5, 1.0, -3.5), target: Vec3::new(0.5, 0.9, 0.0) };
    let seen = |material: &Material, view: Option<View>| {
        let mut scene = hung(material.clone());
        scene.view = view.unwrap_or(scene.view);
        Stage::new(scene).draw(&DrawOptions::default())
    };
    let plain = Material::default();
    let front = red(&seen(&plain, None));
    assert!(front > 1000, "{front}");
    assert_eq!(red(&seen(&plain, Some(behind))), 0);
    let back = red(&seen(&two_sided, Some(behind)));
    assert!(back.abs_diff(front) < front / 5, "{back} {front}");

    let mut stage = Stage::new(hung(two_sided));
    let with = stage.draw(&DrawOptions { grid: false, ..DrawOptions::default() });
    let without = stage.draw(&DrawOptions { grid: false, shadows: false, ..DrawOptions::default() });
    // Light comes from (-0.52, 0.78, 0.34): the middle of the sheet, 1 m high, shades what is 0.67 m to the right.
    let camera = Camera::from(stage.scene.view);
    let at = camera.pixel(Vec3::new(1.17, 0.0, -0.44), (160, 120)).expect("in view");
    let luma =
        |p: &RgbaImage| p.get_pixel(at.x as u32, at.y as u32).0.iter().take(3).map(|c| i32::from(*c)).sum::<i32>();
    assert!(luma(&with) < luma(&without) - 60, "{} {}", luma(&with), luma(&without));
}

#[test]
fn the_strain_view_is_red_where_edges_are_long() {
    let (rest, shell) = cloth(Material { double_sided: true, ..Material::default() });
    let mut scene =
        Scene { view: View { eye: Vec3::new(0.5, 3.0, 0.6), target: Vec3::new(0.5, 0.0, 0.5) }, ..Scene::default() };
    add_particles(&mut scene, &rest.iter().map(|p| Vec3::new(p.x + p.x * p.x, 0.0, p.z)).collect::<Vec<_>>());
    scene.add_surface(SurfaceMesh { shell: Arc::new(shell), first_particle: ParticleId(0), tint: Vec4::ONE }).unwrap();
    let mut stage = Stage::new(scene);
    let camera = Camera::from(stage.scene.view);
    let mut color = |strain: bool, x: f32| {
        let picture = stage.draw(&DrawOptions { strain, ..DrawOptions::default() });
        let at = camera.pixel(Vec3::new(x, 0.0, 0.5), (160, 120)).expect("in view");
        picture.get_pixel(at.x as u32, at.y as u32).0.map(i32::from)
    };
    let ([r, g, b, _], [slack, ..]) = (color(true, 1.6), color(true, 0.02));
    assert!(r > g + 40 && r > b + 40, "{r} {g} {b}");
    let [plain, ground, ..] = color(false, 1.6);
    assert!((plain - ground).abs() < 30 && slack > 0, "without the view it is white");
}

#[test]
fn a_skin_follows_the_corners_of_its_tetrahedron() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let inside = [Vec3::new(0.2, 0.2, 0.2), Vec3::new(0.6, 0.2, 0.1), Vec3::new(0.1, 0.7, -0.1)];
    let part = Primitive {
        positions: inside.to_vec(),
        normals: vec![Vec3::Z; 3],
        uvs: vec![Vec2::ZERO; 3],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    let model = Model { primitives: vec![part], materials: vec![Material::default()], ..Model::default() };
    let shell =
        Shell::embedded(model, |p| Anchor { particles: [0, 1, 2, 3], weights: [1.0 - p.element_sum(), p.x, p.y, p.z] });
    // An affine motion of the corners moves everything inside, and beside, alike.
    let moved = |p: Vec3| Vec3::new(2.0 * p.x + p.y, 1.0 + p.y - 0.5 * p.z, p.z + 0.3 * p.x);
    let mut scene = Scene::default();
    add_particles(&mut scene, &corners.map(moved));
    scene.add_surface(SurfaceMesh { shell: Arc::new(shell), first_particle: ParticleId(0), tint: Vec4::ONE }).unwrap();
    let mut stage = Stage::new(scene);
    stage.draw(&DrawOptions::default());
    for (row, p) in placed(&stage, 0, 3).iter().zip(inside) {
        assert!(Vec3::from_slice(&row[..3]).distance(moved(p)) < 1e-6);
    }
}

#[test]
fn tubes_lie_around_their_particles_and_turn_with_their_ghosts() {
    use super::tubes::{CAP, PIECES, SIDES};
    let line = [[0.0, 1.0, 0.0], [0.2, 1.05, 0.0], [0.4, 1.0, 0.1], [0.6, 0.8, 0.1]].map(Vec3::from);
    let beside = [Vec3::Y, Vec3::Z, Vec3::Z, Vec3::NEG_Y];
    let mut scene = Scene::default();
    add_particles(&mut scene, &line);
    add_particles(&mut scene, &std::array::from_fn::<Vec3, 4, _>(|i| line[i] + 0.3 * beside[i]));
    let radius = 0.05;
    for first_ghost in [None, Some(ParticleId(4))] {
        scene
            .add_tube(Tube {
                first_particle: ParticleId(0),
                count: 4,
                first_ghost,
                radius,
                colors: [Vec4::ONE; 2],
                strands: Strands::default(),
            })
            .unwrap();
    }
    let far = Tube { first_ghost: Some(ParticleId(5)), ..scene.tubes[0] };
    assert!(scene.add_tube(far).unwrap_err().to_string().contains("particle 8 does not exist"));
    let mut stage = Stage::new(scene);
    stage.draw(&DrawOptions::default());
    let bytes = stage.context.read_buffer(stage.renderer.tubes.placed()).expect("read back");
    let rows: &[[f32; 8]] = bytemuck::cast_slice(&bytes);
    let rings = 3 * PIECES + 1 + 2 * CAP;
    for (tube, i) in [0, 1].into_iter().flat_map(|tube| (0..4).map(move |i| (tube, i))) {
        let ring = (tube * rings + CAP + i * PIECES) * SIDES;
        let tangent = (line[(i as usize + 1).min(3)] - line[(i as usize).max(1) - 1]).normalize();
        for row in &rows[ring as usize..(ring + SIDES) as usize] {
            let (at, normal) = (Vec3::from_slice(row), Vec3::from_slice(&row[4..]));
            assert!((at - line[i as usize] - radius * normal).length() < 1e-5, "{at} of ring {i}");
            assert!((normal.length() - 1.0).abs() < 1e-5 && normal.dot(tangent).abs() < 1e-4, "{normal} of ring {i}");
        }
        if tube == 1 {
            let wanted = beside[i as usize].reject_from_normalized(tangent).normalize();
            assert!(Vec3::from_slice(&rows[ring as usize][4..]).distance(wanted) < 1e-4, "frame {i}");
        }
    }
    // The tips close the ends.
    let tip = Vec3::from_slice(&rows[0]);
    assert!((tip.distance(line[0]) - radius).abs() < 1e-4);
}

#[test]
fn strands_wind_around_the_line() {
    use super::tubes::{CAP, PIECES};
    let line = [0.0, 0.2, 0.4].map(|x| Vec3::new(x, 1.0, 0.0));
    let mut scene = Scene::default();
    add_particles(&mut scene, &line);
    let (first_particle, radius, colors) = (ParticleId(0), 0.05, [Vec4::ONE; 2]);
    let strands = Strands { count: 3, turns: 1.25, spread: 2.0, taper: 0.5 };
    let tube = Tube { first_particle, count: 3, first_ghost: None, radius, colors, strands };
    scene.add_tube(tube).unwrap();
    let thin = Strands { spread: 0.0, ..strands };
    let told = scene.add_tube(Tube { strands: thin, ..tube }).unwrap_err().to_string();
    assert!(told.contains("spread is 0; it must be above 0 and at most 100"), "{told}");
    let mut stage = Stage::new(scene);
    stage.draw(&DrawOptions::default());
    let bytes = stage.context.read_buffer(stage.renderer.tubes.placed()).expect("read back");
    let rows: &[[f32; 8]] = bytemuck::cast_slice(&bytes);
    let rings = 2 * PIECES + 1 + 2 * CAP;
    let sides = rows.len() as u32 / 3 / rings;
    // Where a strand is at the first and at the last particle, and how thick it is there.
    let at = |strand: u32, particle: u32| {
        let first = (strand * rings + CAP + particle * PIECES) * sides;
        let points: Vec<Vec3> =
            rows[first as usize..(first + sides) as usize].iter().map(|row| Vec3::from_slice(row)).collect();
        let middle = points.iter().sum::<Vec3>() / sides as f32;
        (middle - line[particle as usize], points[0].distance(middle))
    };
    // Three circles that touch one another in a circle of radius 1 have a radius of 0.4641.
    let (own, beside) = (0.1 * 0.4641, 0.1 * 0.5359);
    for strand in 0..3 {
        let ((start, thick), (end, thin)) = (at(strand, 0), at(strand, 2));
        assert!((thick - own).abs() < 1e-5 && (thin - 0.5 * own).abs() < 1e-5, "{thick} {thin}");
        assert!((start.length() - beside).abs() < 1e-5 && (end.length() - 0.5 * beside).abs() < 1e-5, "{start} {end}");
        assert!(start.distance(at((strand + 1) % 3, 0).0) - 2.0 * own < 1e-5, "they touch");
        // Half a turn in 0.4 m.
        assert!((start + 2.0 * end).length() < 1e-4, "{start} {end}");
    }
    // To the right, along the line: from Y over Z.
    let quarter = at(0, 0).0.cross(at(0, 1).0);
    assert!(quarter.x > 0.0, "{quarter}");
}

#[test]
fn constraints_show_the_colors_by_which_they_are_solved() {
    let rest: Vec<Vec3> = (0..3).map(|i| Vec3::new(i as f32 - 1.0, 0.5, 0.0)).collect();
    let limp = RopeMaterial { bend: f32::INFINITY, ..RopeMaterial::default() };
    let chain = Deformable::rope("chain", rest, 0.01, &limp).unwrap();
    let view = View { eye: Vec3::new(0.0, 2.5, 0.1), target: Vec3::ZERO };
    let mut scene = Scene { view, ..Scene::default() };
    scene.add_deformable(&chain, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut stage = Stage::new(scene);
    let solver = crate::solver::Solver::new(&stage.context, &stage.scene).expect("solver");
    let camera = Camera::from(stage.scene.view);
    let mut color = |colors: bool, x: f32| {
        let options = DrawOptions { colors, ..DrawOptions::default() };
        let picture = image(&stage.context, &mut stage.renderer, (160, 120), &camera, &solver.view(), &options);
        let picture = picture.expect("picture");
        let at = camera.pixel(Vec3::new(x, 0.5, 0.0), (160, 120)).expect("in view");
        picture.get_pixel(at.x as u32, at.y as u32).0.map(i32::from)
    };
    let apart = |a: [i32; 4], b: [i32; 4]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<i32>();
    let (left, right, behind) = (color(true, -0.5), color(true, 0.5), color(false, -0.5));
    assert!(apart(left, right) > 80 && apart(left, behind) > 80, "{left:?} {right:?} {behind:?}");
    assert!(apart(behind, color(false, 0.5)) < 20);
}
