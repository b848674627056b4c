//! What is written is read back, by the `gltf` crate and by our own importer, and is where the solver had it.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};

use super::Recording;
use super::recording::Bent;
use crate::animation::{Cast, Pose};
use crate::demos::{Stage, stage_for};
use crate::gpu::Context;
use crate::import;
use crate::scene::{
    Blade, Collider, ColliderId, Deformable, Material, Placement, RopeMaterial, Scene, Shape, SheetGrid, SheetMaterial,
    Shell,
};
use crate::solver::{BodyState, Solver};

/// Frames between two that are kept.
const STRIDE: u32 = 4;
/// How far what was read may be from where it was [m].
const NEAR: f32 = 1e-3;

/// A file as another program reads it.
struct Read {
    document: gltf::Document,
    bytes: Vec<u8>,
}

/// What the solver had in each kept frame.
struct Had {
    bodies: Vec<Vec<BodyState>>,
    positions: Vec<Vec<Vec3>>,
    triangles: Vec<Vec<[u32; 3]>>,
}

fn recorded(demo: &str, sets: &[(&str, &str)], kept: u32) -> (Scene, Had, Vec<u8>, Vec<&'static str>) {
    let sets: Vec<_> = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let Stage { scene, mut cast, .. } = stage_for(demo, &sets).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let mut recording = Recording::default();
    let mut had = Had { bodies: Vec::new(), positions: Vec::new(), triangles: Vec::new() };
    for frame in 0..kept {
        recording.frame(frame as f32 * STRIDE as f32 / 60.0, &scene, &cast, &solver).unwrap();
        had.bodies.push(solver.read_bodies().unwrap());
        had.positions.push(solver.read_positions().unwrap());
        had.triangles.push(solver.read_triangles().unwrap());
        for _ in 0..STRIDE {
            solver.direct(&mut cast).unwrap();
            solver.step();
        }
    }
    (scene, had, recording.glb().unwrap(), recording.left_out())
}

impl Read {
    fn new(glb: &[u8]) -> Self {
        // The crate checks every index and accessor of the file.
        let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(glb).unwrap();
        Self { document, bytes: blob.unwrap() }
    }

    fn floats<const N: usize>(&self, accessor: gltf::Accessor<'_>) -> Vec<[f32; N]>
    where
        [f32; N]: gltf::accessor::Item,
    {
        let get = |_: gltf::Buffer<'_>| Some(&*self.bytes);
        gltf::accessor::Iter::<[f32; N]>::new(accessor, get).unwrap().collect()
    }

    /// Placements of all nodes in the file's world at a key.
    fn worlds(&self, key: usize) -> HashMap<usize, Mat4> {
        let mut locals: HashMap<usize, (Vec3, Quat, Vec3)> = HashMap::new();
        for node in self.document.nodes() {
            let (translation, rotation, scale) = node.transform().decomposed();
            locals.insert(node.index(), (translation.into(), Quat::from_array(rotation), scale.into()));
        }
        let channels = self.document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>());
        for channel in channels {
            let local = locals.get_mut(&channel.target().node().index()).unwrap();
            let output = channel.sampler().output();
            match channel.target().property() {
                gltf::animation::Property::Translation => local.0 = self.floats::<3>(output)[key].into(),
                gltf::animation::Property::Rotation => local.1 = Quat::from_array(self.floats::<4>(output)[key]),
                gltf::animation::Property::Scale => local.2 = self.floats::<3>(output)[key].into(),
                gltf::animation::Property::MorphTargetWeights => {}
            }
        }
        let mut worlds = HashMap::new();
        let mut open: Vec<(gltf::Node<'_>, Mat4)> =
            self.document.default_scene().unwrap().nodes().map(|node| (node, Mat4::IDENTITY)).collect();
        while let Some((node, above)) = open.pop() {
            let (translation, rotation, scale) = locals[&node.index()];
            let world = above * Mat4::from_scale_rotation_translation(scale, rotation, translation);
            worlds.insert(node.index(), world);
            open.extend(node.children().map(|child| (child, world)));
        }
        worlds
    }

    /// Where the vertices of the mesh of a node are at a key [m], each primitive by itself.
    fn bent(&self, node: &gltf::Node<'_>, key: usize) -> Vec<Vec<Vec3>> {
        let channels = self.document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>());
        let weights: Vec<f32> = channels
            .filter(|channel| channel.target().node().index() == node.index())
            .find(|channel| channel.target().property() == gltf::animation::Property::MorphTargetWeights)
            .map_or(Vec::new(), |channel| {
                let get = |_: gltf::Buffer<'_>| Some(&*self.bytes);
                gltf::accessor::Iter::<f32>::new(channel.sampler().output(), get).unwrap().collect()
            });
        let places = |part: gltf::Primitive<'_>| {
            let mut places: Vec<Vec3> =
                self.floats::<3>(part.get(&gltf::Semantic::Positions).unwrap()).into_iter().map(Vec3::from).collect();
            let targets: Vec<_> = part.morph_targets().collect();
            for (i, target) in targets.iter().enumerate() {
                let weight = weights[key * targets.len() + i];
                let ways = self.floats::<3>(target.positions().unwrap());
                places.iter_mut().zip(ways).for_each(|(place, way)| *place += weight * Vec3::from(way));
            }
            places
        };
        node.mesh().unwrap().primitives().map(places).collect()
    }
}

fn place(state: &BodyState) -> Placement {
    Placement { position: state.center.into(), rotation: Quat::from_array(state.rotation).normalize() }
}

#[test]
fn characters_and_their_clothes_are_where_the_solver_has_them() {
    let (scene, had, glb, _) = recorded("dancer", &[("count", "1")], 4);
    let read = Read::new(&glb);
    let dancer = scene.instances.iter().position(|instance| instance.bones.len() > 10).expect("a skinned character");
    let instance = &scene.instances[dancer];
    let skin = read.document.skins().find(|skin| skin.joints().count() == instance.bones.len()).expect("her skin");
    let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
    assert!(read.document.images().count() > 0 || instance.model.images.is_empty());
    let names: Vec<_> = skin.joints().map(|joint| joint.name().unwrap_or_default().to_owned()).collect();
    let bodies = instance.bones.iter().filter_map(|bone| bone.body).map(|body| &scene.body(body).name);
    assert!(bodies.clone().count() > 10 && bodies.clone().all(|name| names.contains(name)), "{names:?}");

    let folder = std::env::temp_dir().join(format!("sinew-export-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("dancer.glb");
    std::fs::write(&file, &glb).unwrap();
    let asset = import::load_scaled(&file, Some(1.0)).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let mut moved: f32 = 0.0;
    for key in 0..had.bodies.len() {
        let worlds = read.worlds(key);
        let pose = Pose::sample(&asset, &asset.clips[0], key as f32 * STRIDE as f32 / 60.0, false).joints(&asset);
        for (bone, joint) in instance.bones.iter().zip(&joints) {
            let own = asset.joints.iter().position(|other| other.node == *joint).expect("the joint again");
            let ours = asset.model_from_world.inverse() * pose[own];
            let apart = ours.w_axis.truncate().distance(worlds[joint].w_axis.truncate());
            assert!(apart < NEAR, "our importer has joint {joint} {apart} m away at key {key}");
            let Some(body) = bone.body else { continue };
            let there = place(&had.bodies[key][body.0 as usize]);
            let center = worlds[joint].transform_point3(bone.rest_center - bone.pivot);
            assert!(center.distance(there.position) < NEAR, "{key}: {center} and {}", there.position);
            let turned = Quat::from_mat4(&worlds[joint]).angle_between(there.rotation);
            assert!(turned < 2e-3, "{key}: turned by {turned}");
            moved = moved.max(there.position.distance(place(&had.bodies[0][body.0 as usize]).position));
        }
    }
    assert!(moved > 0.03, "nothing moved: {moved} m");
    let (count, moved) = surfaces_are_there(&scene, &had, &read);
    assert!(count == scene.surfaces.len() && moved > 0.02, "{count} surfaces, moved by {moved} m");
}

/// Compares the vertices of all surfaces whose points are particles or hang on them; how many there are, and how far they moved [m].
fn surfaces_are_there(scene: &Scene, had: &Had, read: &Read) -> (usize, f32) {
    let bent: Vec<_> = read.document.nodes().filter(|node| node.mesh().is_some() && node.skin().is_none()).collect();
    let (mut count, mut moved) = (0, 0.0_f32);
    let named = |name: &str| bent.iter().filter(|node| node.name() == Some(name)).collect::<Vec<_>>();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for surface in &scene.surfaces {
        let name = surface.shell.model.name.as_str();
        let nth = seen.entry(name).or_default();
        let node = named(name)[*nth];
        *nth += 1;
        for key in 0..had.positions.len() {
            let particles = &had.positions[key][surface.first_particle.0 as usize..];
            for (places, points) in read.bent(node, key).iter().zip(&surface.shell.vertex_points) {
                for (place, point) in places.iter().zip(points) {
                    let expected = surface.shell.points[*point as usize].position(particles);
                    assert!(place.distance(expected) < NEAR, "{name} at {key}: {place} and {expected}");
                    let start = &had.positions[0][surface.first_particle.0 as usize..];
                    moved = moved.max(expected.distance(surface.shell.points[*point as usize].position(start)));
                }
            }
        }
        count += 1;
    }
    (count, moved)
}

#[test]
fn what_tears_parts_and_what_has_no_word_is_named() {
    let sets = [("rings", "4"), ("fine", "5"), ("tear", "0.3"), ("speed", "14")];
    let (scene, had, glb, left_out) = recorded("curtain", &sets, 8);
    assert_eq!(left_out, ["planes, which have no end"]);
    let read = Read::new(&glb);
    let last = had.positions.len() - 1;
    let torn = had.triangles[last].iter().zip(&scene.triangles).filter(|(now, before)| now != before).count();
    assert!(torn > 0, "nothing tears");
    let node = read
        .document
        .nodes()
        .find(|node| node.mesh().is_some_and(|mesh| mesh.primitives().any(|part| part.morph_targets().count() > 0)));
    let corners: Vec<Vec3> = read.bent(&node.expect("the cloth"), last).concat();
    // Every corner of a torn triangle is a vertex of the file.
    let mut checked = 0;
    for (now, _) in had.triangles[last].iter().zip(&scene.triangles).filter(|(now, before)| now != before) {
        for particle in now {
            let place = had.positions[last][*particle as usize];
            let nearest = corners.iter().map(|corner| corner.distance(place)).fold(f32::MAX, f32::min);
            assert!(nearest < NEAR, "{nearest} m");
            checked += 1;
        }
    }
    println!("{torn} triangles torn, {checked} corners");
    // The ball moves as a node.
    let ball = scene.instances.iter().find_map(|instance| instance.bones[0].body).expect("the ball");
    let at = Vec3::from(had.bodies[last][ball.0 as usize].center);
    let near = read.worlds(last).values().map(|world| world.w_axis.truncate().distance(at)).fold(f32::MAX, f32::min);
    assert!(near < NEAR, "the ball is {near} m away");
}

#[test]
fn ropes_are_tubes_around_their_particles() {
    let (scene, had, glb, _) = recorded("ropes", &[], 3);
    let read = Read::new(&glb);
    let ropes: Vec<_> =
        read.document.nodes().filter(|node| node.name() == Some("rope") && node.mesh().is_some()).collect();
    assert_eq!(ropes.len(), scene.tubes.len());
    for (node, tube) in ropes.iter().zip(&scene.tubes) {
        for key in 0..had.positions.len() {
            let places = read.bent(node, key).concat();
            let line = &had.positions[key][tube.first_particle.0 as usize..][..tube.count as usize];
            for (ring, center) in places.chunks_exact(8).zip(line) {
                let mean = ring.iter().sum::<Vec3>() / 8.0;
                assert!(mean.distance(*center) < NEAR, "{key}: {mean} and {center}");
                assert!(ring.iter().all(|place| (place.distance(*center) - tube.radius).abs() < NEAR));
            }
        }
    }
}

#[test]
fn files_that_no_viewer_loads_are_refused_before_they_are_simulated() {
    let scene = stage_for("flag", &[]).unwrap().scene;
    assert!(Recording::check(&scene, 100).is_ok());
    let error = Recording::check(&scene, 1_000_000).unwrap_err().to_string();
    assert!(error.contains("MB") && error.contains("--fps"), "{error}");
    // Each shape has a weight in each frame, however small it is.
    let mut ropes = Scene::default();
    let line = Deformable::rope("rope", vec![Vec3::ZERO, Vec3::X * 0.1], 0.01, &RopeMaterial::default()).unwrap();
    for i in 0..40 {
        let id = ropes.add_deformable(&line, Vec3::Z * i as f32, Quat::IDENTITY, Vec3::ZERO).unwrap();
        ropes.draw_rope(id, [Vec4::ONE; 2]).unwrap();
    }
    assert!(Recording::check(&ropes, 1_000).is_ok() && Recording::check(&ropes, 2_000).is_err());
    let mut sand = stage_for("bath", &[]).unwrap().scene;
    sand.instances.clear();
    assert!(super::recording::left_out(&sand).any(|what| what == "liquids"));
}

/// A sheet that lies at a height [m], and a rope under it.
fn sheet_and_rope(points: u32, rope: bool) -> Scene {
    let mut scene = Scene::default();
    let grid = SheetGrid::square(points, 0.4);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default()).unwrap();
    let id = scene.add_deformable(&sheet, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let shell = Shell::on_particles(&sheet.rest, &grid.triangles(), &[], Material::default());
    scene.draw_shell(id, &Arc::new(shell), Vec4::ONE).unwrap();
    if rope {
        let line = (0..9).map(|i| Vec3::new(0.05 * i as f32 - 0.2, 0.5, 0.0)).collect();
        let line = Deformable::rope("rope", line, 0.01, &RopeMaterial::default()).unwrap();
        let id = scene.add_deformable(&line, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        scene.draw_rope(id, [Vec4::ONE; 2]).unwrap();
    }
    scene
}

/// Names of what bends and the frames in which it is seen.
fn seen(recording: &Recording) -> Vec<(String, std::ops::Range<usize>)> {
    let range = |bent: &Bent| (bent.form.name.clone(), bent.born..bent.born + bent.frames.len());
    recording.bent.iter().map(range).collect()
}

#[test]
fn what_is_cut_or_comes_in_the_place_of_another_is_another_mesh() {
    let scene = sheet_and_rope(9, true);
    let context = Context::shared().expect("adapter");
    let mut solver = Solver::new(&context, &scene).unwrap();
    let (mut recording, cast) = (Recording::default(), Cast::default());
    let mut frame = |solver: &Solver, at: usize| {
        recording.frame(at as f32, solver.scene(), &cast, solver).unwrap();
    };
    frame(&solver, 0);
    frame(&solver, 1);
    let edge = |y: f32| [Vec3::new(0.013, y, -2.0), Vec3::new(0.0131, y, 2.0)];
    solver.cut(&Blade::swept(edge(2.0), edge(-2.0))).unwrap();
    frame(&solver, 2);
    // Undone, and something else is put there.
    frame(&Solver::new(&context, &sheet_and_rope(5, false)).unwrap(), 3);
    let named = |name: &str, frames| (name.to_owned(), frames);
    let expected = [
        named("cloth", 0..2),
        named("rope", 0..2),
        named("cloth", 2..3),
        named("rope", 2..3),
        named("rope", 2..3),
        named("cloth", 3..4),
    ];
    assert_eq!(seen(&recording), expected);
    let points = |track: usize| recording.bent[track].frames[0].as_ref().unwrap().len();
    assert!(points(2) > points(0), "the cut sheet is whole");
    assert_eq!(points(5), 25);
    // Both parts have two ends.
    assert_eq!(points(3) + points(4), points(1) + 2, "the rope has more or less of itself");
    recording.glb().unwrap();
}

#[test]
fn colliders_are_as_large_and_as_hidden_as_in_the_scene() {
    let block = |x: f32, half: f32| Collider::new(Shape::Cuboid(Vec3::splat(half)), Vec3::X * x);
    let scene_of = |half: f32| {
        let mut scene = Scene::default();
        for collider in [Collider::ground(-1.0), block(0.0, half), block(3.0, 0.2)] {
            scene.add_collider(collider).unwrap();
        }
        scene
    };
    let context = Context::shared().expect("adapter");
    let (mut recording, cast) = (Recording::default(), Cast::default());
    let mut solver = Solver::new(&context, &scene_of(0.1)).unwrap();
    recording.frame(0.0, &scene_of(0.1), &cast, &solver).unwrap();
    solver = Solver::new(&context, &scene_of(0.3)).unwrap();
    recording.frame(1.0, &scene_of(0.3), &cast, &solver).unwrap();
    solver.set_collider_present(ColliderId(2), false).unwrap();
    recording.frame(2.0, &scene_of(0.3), &cast, &solver).unwrap();
    solver.set_collider_present(ColliderId(2), true).unwrap();
    recording.frame(3.0, &scene_of(0.3), &cast, &solver).unwrap();
    let frames: Vec<_> = recording.jointed.iter().map(|track| (track.born, track.frames.len())).collect();
    assert_eq!(frames, [(0, 1), (0, 4), (1, 3)]);
    let read = Read::new(&recording.glb().unwrap());
    let [_, still, large] = read.document.nodes().map(|node| node.index()).collect::<Vec<_>>()[..] else {
        panic!("{} nodes", read.document.nodes().len())
    };
    for (key, size) in [1.0, 1.0, 0.0, 1.0].into_iter().enumerate() {
        let world = read.worlds(key)[&still];
        assert_eq!((world.w_axis.truncate(), world.x_axis.x), (Vec3::X * 3.0, size), "{key}");
    }
    assert_eq!([0, 1, 2].map(|key| read.worlds(key)[&large].x_axis.x), [0.0, 1.0, 1.0]);
}

#[test]
fn who_is_hidden_whole_has_no_mesh() {
    let Stage { scene, mut cast, .. } = stage_for("dancer", &[("count".into(), "1".into())]).unwrap();
    let solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let meshes = |cast: &Cast| {
        let mut recording = Recording::default();
        recording.frame(0.0, &scene, cast, &solver).unwrap();
        Read::new(&recording.glb().unwrap()).document.meshes().map(|mesh| mesh.primitives().count()).collect::<Vec<_>>()
    };
    let shown = meshes(&cast);
    let performer = &mut cast.performers[0];
    let nodes: Vec<String> =
        scene.instances[performer.hidden().0].model.primitives.iter().map(|part| part.name.clone()).collect();
    nodes.iter().for_each(|node| performer.show(node, false).unwrap());
    let hidden = meshes(&cast);
    assert!(hidden.len() < shown.len() && !hidden.contains(&0), "{shown:?} and {hidden:?}");
}
