//! A blade parts what was not made to tear: what it cuts off falls as anything does, and what is left hangs.

use glam::{Quat, Vec3};
use sinew::gpu::Context;
use sinew::import::tets::{Resolution, SoftPlan, soft_body};
use sinew::scene::{
    Blade, Collider, Deformable, DeformableId, ParticleId, Regions, RodMaterial, RopeMaterial, Scene, Shape, SheetGrid,
    SheetMaterial, SoftMaterial, SoftModel, Surface, SurfaceMesh, Thing, primitive_model,
};
use sinew::solver::Solver;
use sinew::spawn::balloon;

const FRAMES: u32 = 24;

/// A level blade at a height [m], from `x` to the right [m].
fn level(height: f32, x: f32) -> Blade {
    let edge = |x: f32| [Vec3::new(x, height, -2.0), Vec3::new(x, height + 1e-4, 2.0)];
    Blade::swept(edge(x), edge(2.0))
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

/// A curtain 0.5 m wide and high that hangs by its upper edge at 3 m, without air.
fn curtain(scene: &mut Scene, tearing: Option<f32>) -> DeformableId {
    let grid = SheetGrid::square(16, 0.5);
    let mut sheet =
        Deformable::sheet("curtain", grid.positions(), &grid.triangles(), 0.012, &SheetMaterial::default()).unwrap();
    sheet.air_surfaces.clear();
    sheet.pin(|at| at.z < -0.249);
    sheet.tearing = tearing;
    // The edge with z < 0 is up.
    let upright = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    scene.add_deformable(&sheet, Vec3::Y * 2.75, upright, Vec3::ZERO).unwrap()
}

/// A bar of flesh 0.6 m high that hangs by its top at 3 m.
fn bar(scene: &mut Scene, model: SoftModel) -> DeformableId {
    let shape = primitive_model(&Shape::Cuboid(Vec3::new(0.1, 0.3, 0.1)));
    let material = SoftMaterial { density: 500.0, model };
    let mut plan: SoftPlan = soft_body(&shape, Resolution::Count(220), &material).unwrap();
    plan.object.pin(|at| at.y > 0.22);
    plan.object = plan.object.damped(5.0);
    plan.add_to(scene, Vec3::Y * 2.7, Quat::IDENTITY, glam::Vec4::ONE).unwrap()
}

fn rope(scene: &mut Scene, is_rod: bool) -> DeformableId {
    let points: Vec<Vec3> = (0..21).map(|i| Vec3::Y * (3.0 - 0.03 * i as f32)).collect();
    let mut rope = if is_rod {
        Deformable::rod("rod", points, 0.012, &RodMaterial::round(0.006, 1000.0, 1e7, 4e6)).unwrap()
    } else {
        Deformable::rope("rope", points, 0.012, &RopeMaterial::default()).unwrap()
    };
    rope.pin(|at| at.y > 2.96);
    let id = scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene.draw_rope(id, [glam::Vec4::ONE; 2]).unwrap();
    id
}

/// Cuts what hangs at this height, and measures that what is below falls freely while the rest stays.
fn falls_when_cut(name: &str, scene: &Scene, height: f32) -> Solver {
    let mut solver = solver(scene);
    (0..4).for_each(|_| solver.step());
    let mass = |solver: &Solver| solver.scene().particles.iter().map(|p| f64::from(p.mass)).sum::<f64>();
    let whole = mass(&solver);
    let cut = solver.cut(&level(height, -2.0)).unwrap();
    assert_eq!(cut.parted, [DeformableId(0)], "{name}: {cut:?}");
    assert!((mass(&solver) / whole - 1.0).abs() < 1e-5, "{name}: {whole} kg and then {}", mass(&solver));
    solver.scene().validate().unwrap();
    let (before, speeds) = (solver.read_positions().unwrap(), solver.read_particle_velocities().unwrap());
    // Copies of a vertex are where it is: which of them fell is known by where they end.
    (0..FRAMES).for_each(|_| solver.step());
    let now = solver.read_positions().unwrap();
    let fell: Vec<bool> = before.iter().zip(&now).map(|(from, to)| from.y - to.y > 0.3).collect();
    let mean = |fallen: bool, of: &dyn Fn(usize) -> f32| {
        let own = || (0..now.len()).filter(|i| fell[*i] == fallen && solver.scene().particles[*i].mass > 0.0);
        let mass: f32 = own().map(|i| solver.scene().particles[i].mass).sum();
        own().map(|i| solver.scene().particles[i].mass * of(i)).sum::<f32>() / mass
    };
    let [down, stayed] = [true, false].map(|fallen| mean(fallen, &|i| before[i].y - now[i].y));
    // It swung a little before.
    let time = FRAMES as f32 / 60.0;
    let free = 0.5 * solver.params().gravity.length() * time * time - time * mean(true, &|i| speeds[i][1]);
    println!("{name}: {down:.3} m fallen, freely {free:.3}; what hangs moved by {stayed:.3} m");
    assert!((down / free - 1.0).abs() < 0.02, "{name} fell by {down} m in place of {free}");
    assert!(stayed.abs() < 0.06, "{name}: what hangs moved by {stayed} m");
    let wrong = before.iter().zip(&fell).filter(|(at, fell)| (at.y < height - 0.06) != **fell && at.y < height + 0.06);
    assert_eq!(wrong.filter(|(at, _)| (at.y - height).abs() > 0.06).count(), 0, "{name}: other parts fell");
    assert!(solver.read_health().unwrap().is_good(), "{name}: {:?}", solver.read_health().unwrap());
    solver
}

#[test]
fn what_is_cut_off_falls_freely() {
    let mut scene = Scene::default();
    curtain(&mut scene, None);
    let solver = falls_when_cut("cloth", &scene, 2.71);
    // Triangles are all there, and none of them goes across.
    assert_eq!(solver.scene().triangles.len(), scene.triangles.len());
    let places = solver.read_positions().unwrap();
    let long = |[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a, b, c].map(|i| places[*i as usize]);
        a.distance(b).max(b.distance(c)).max(c.distance(a))
    };
    let longest = solver.scene().triangles.iter().map(long).fold(0.0, f32::max);
    assert!(longest < 0.06, "a triangle {longest} m long");
    // Edges on both sides of the cut: one more for each that it went along.
    assert!(solver.scene().constraints.iter().filter(|row| row.stretch().is_some()).count() > edges(&scene));

    let mut scene = Scene::default();
    curtain(&mut scene, Some(2.0));
    let solver = falls_when_cut("cloth that could tear", &scene, 2.71);
    assert_eq!(solver.scene().particles.len(), scene.particles.len(), "it has spares");
    assert!(solver.read_torn().unwrap().iter().any(|torn| *torn));

    for is_rod in [false, true] {
        let mut scene = Scene::default();
        rope(&mut scene, is_rod);
        let solver = falls_when_cut(if is_rod { "rod" } else { "rope" }, &scene, 2.71);
        assert_eq!(solver.scene().tubes.iter().map(|tube| tube.count).collect::<Vec<_>>(), [10, 11]);
    }
}

fn edges(scene: &Scene) -> usize {
    scene.constraints.iter().filter(|row| row.stretch().is_some()).count()
}

/// The longest edge of what is drawn [m].
fn longest_drawn(surface: &SurfaceMesh, places: &[Vec3]) -> f32 {
    let own = &places[surface.first_particle.0 as usize..];
    let shell = &surface.shell;
    let mut longest: f32 = 0.0;
    for (part, points) in shell.model.primitives.iter().zip(&shell.vertex_points) {
        let at = |vertex: u32| shell.points[points[vertex as usize] as usize].position(own);
        for [a, b, c] in part.indices.as_chunks::<3>().0.iter().map(|t| t.map(at)) {
            longest = longest.max(a.distance(b)).max(b.distance(c)).max(c.distance(a));
        }
    }
    longest
}

#[test]
fn flesh_is_cut_through_its_skin() {
    for (name, model) in [
        ("elastic flesh", SoftModel::NeoHookean { young: 3e5, poisson: 0.4 }),
        ("flesh of springs", SoftModel::Springs { stretch: 1e-5, bulk: 1e5 }),
    ] {
        let mut scene = Scene::default();
        bar(&mut scene, model);
        let solver = falls_when_cut(name, &scene, 2.71);
        let surface = &solver.scene().surfaces[0];
        let longest = longest_drawn(surface, &solver.read_positions().unwrap());
        assert!(longest < 0.2, "{name}: drawn over {longest} m");
        let inside = surface.shell.model.primitives.last().unwrap();
        let area = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|i| inside.positions[i as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        let open: f32 = inside.indices.as_chunks::<3>().0.iter().map(|t| area(*t)).sum();
        println!("{name}: {open:.4} m² laid open");
        // Both sides of a section of 0.2 m by 0.2 m; along the faces of tetrahedra it is larger.
        assert!((0.08..0.2).contains(&open), "{name}: {open} m² laid open");
    }
}

#[test]
fn a_slit_lets_nothing_fall() {
    let mut scene = Scene::default();
    curtain(&mut scene, None);
    let mut solver = solver(&scene);
    let cut = solver.cut(&level(2.71, 0.0)).unwrap();
    assert_eq!(cut.parted, [DeformableId(0)]);
    let copies = solver.scene().particles.len() - scene.particles.len();
    assert!((5..=9).contains(&copies), "{copies} vertices split over half the width");
    assert_eq!(solver.scene().deformables[0].copies.iter().map(ExactSizeIterator::len).sum::<usize>(), copies);
    // Another blade over the rest, and it comes off.
    (0..10).for_each(|_| solver.step());
    let lowest = |solver: &Solver| solver.read_positions().unwrap().iter().map(|p| p.y).fold(f32::MAX, f32::min);
    assert!(lowest(&solver) > 2.3, "{} m", lowest(&solver));
    let edge = |x: f32| [Vec3::new(x, 2.71, -2.0), Vec3::new(x, 2.71, 2.0)];
    assert_eq!(solver.cut(&Blade::swept(edge(-2.0), edge(0.06))).unwrap().parted, [DeformableId(0)]);
    (0..30).for_each(|_| solver.step());
    assert!(lowest(&solver) < 2.0, "{} m", lowest(&solver));
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn a_balloon_loses_its_air() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let (object, shell) = balloon(0.3, 1.2).unwrap();
    let id = scene.add_deformable(&object, Vec3::Y * 0.5, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene.draw_shell(id, &shell, glam::Vec4::ONE).unwrap();
    let mut solver = solver(&scene);
    (0..5).for_each(|_| solver.step());
    assert_eq!(solver.pressure(id).unwrap(), 1.0);
    assert_eq!(solver.cut(&level(0.45, 0.0)).unwrap().parted, [id]);
    assert!(solver.scene().global_constraints.is_empty() && solver.pressure(id).is_err());
    (0..40).for_each(|_| solver.step());
    let highest = solver.read_positions().unwrap().iter().map(|p| p.y).fold(0.0, f32::max);
    assert!(highest < 0.55, "it sinks to {highest} m");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn what_no_blade_parts_is_told_and_stays() {
    let mut scene = Scene::default();
    let regions = bar(&mut scene, SoftModel::Regions(Regions::default()));
    let mut solver = solver(&scene);
    let revision = solver.revision();
    let cut = solver.cut(&level(2.71, -2.0)).unwrap();
    assert!(
        cut.parted.is_empty() && matches!(cut.whole[..], [(id, why)] if id == regions && why.contains("regions")),
        "{cut:?}"
    );
    assert_eq!(solver.cut(&level(9.0, -2.0)).unwrap(), sinew::scene::Cut::default(), "through the air");
    let error = solver.cut(&Blade { triangles: vec![[Vec3::NAN; 3]] }).unwrap_err().to_string();
    assert!(error.contains("blade: corner"), "{error}");
    assert_eq!(solver.revision(), revision, "nothing was made anew");
}

#[test]
fn flesh_is_blown_up() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let model = primitive_model(&Shape::Cuboid(Vec3::splat(0.15)));
    let material = SoftMaterial { model: SoftModel::NeoHookean { young: 3e4, poisson: 0.4 }, density: 500.0 };
    let plan = soft_body(&model, Resolution::Count(200), &material).unwrap();
    let id = plan.add_to(&mut scene, Vec3::Y * 0.16, Quat::IDENTITY, glam::Vec4::ONE).unwrap();
    let mut solver = solver(&scene);
    (0..5).for_each(|_| solver.step());
    assert!(solver.set_pressure(id, 1.5).is_err(), "it has none yet");
    solver.add_pressure(id).unwrap();
    solver.add_pressure(id).unwrap();
    assert_eq!((solver.pressure(id).unwrap(), solver.scene().global_constraints.len()), (1.0, 1));
    let volume = |solver: &Solver| {
        let places = solver.read_positions().unwrap();
        plan.mesh
            .surface()
            .iter()
            .map(|(t, _)| t.map(|i| places[i as usize]))
            .map(|[a, b, c]| a.cross(b).dot(c) / 6.0)
            .sum::<f32>()
    };
    for times in [1.0, 1.6, 0.7] {
        solver.set_pressure(id, times).unwrap();
        (0..40).for_each(|_| solver.step());
        let rest: f32 = plan
            .mesh
            .tets
            .iter()
            .map(|t| t.map(|i| plan.mesh.positions[i as usize]))
            .map(|[a, b, c, d]| (b - a).cross(c - a).dot(d - a).abs() / 6.0)
            .sum();
        println!("at pressure {times} it is {:.3} of its volume at rest", volume(&solver) / rest);
        assert!((volume(&solver) / rest / times - 1.0).abs() < 0.03, "{} of {rest} m³", volume(&solver));
    }
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn what_is_pinned_while_it_is_cut_has_its_share_of_the_mass_once_it_is_let_go_of() {
    let mut scene = Scene::default();
    curtain(&mut scene, Some(10.0));
    let mut solver = solver(&scene);
    let mass = |solver: &Solver| {
        let velocities = solver.read_particle_velocities().unwrap();
        velocities.iter().filter(|v| v[3] > 0.0).map(|v| 1.0 / f64::from(v[3])).sum::<f64>()
    };
    let (before, places) = (mass(&solver), solver.read_positions().unwrap());
    let near = (0_u32..).zip(places).filter(|(_, at)| (at.y - 2.71).abs() < 0.04).map(|(i, _)| ParticleId(i));
    let pins: Vec<_> = near.map(|particle| solver.pin(particle, None).unwrap()).collect();
    assert_eq!(solver.cut(&level(2.71, -1.0)).unwrap().parted, [DeformableId(0)]);
    solver.step();
    pins.into_iter().for_each(|pin| solver.unpin(pin).unwrap());
    let after = mass(&solver);
    assert!((after / before - 1.0).abs() < 1e-5, "{after} kg of {before} kg");
}

#[test]
fn what_a_cut_has_added_is_as_rough_as_the_whole_is_made() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::new(0.0, -9.0, 3.0);
    let mut ground = Collider::ground(0.0);
    ground.surface.friction = 1.0;
    scene.add_collider(ground).unwrap();
    let grid = SheetGrid::square(8, 0.5);
    let mut sheet =
        Deformable::sheet("rug", grid.positions(), &grid.triangles(), 0.012, &SheetMaterial::default()).unwrap();
    sheet.friction = Some(1.0);
    sheet.air_surfaces.clear();
    let rug = scene.add_deformable(&sheet, Vec3::Y * 0.02, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let edge = |y: f32| [Vec3::new(0.02, y, -2.0), Vec3::new(0.02, y, 2.0)];
    assert_eq!(solver.cut(&Blade::swept(edge(1.0), edge(-1.0))).unwrap().parted, [rug]);
    let copies = solver.scene().deformables[0].copies.clone();
    solver.set_surface(Thing::Deformable(rug), Surface { friction: 0.0, restitution: 0.0 }).unwrap();
    (0..40).for_each(|_| solver.step());
    let places = solver.read_positions().unwrap();
    // In the middle of the cut, on its two sides.
    let gained = |i: usize| places[i].z - solver.scene().particles[i].position.z;
    let most = |range: std::ops::Range<usize>| range.map(gained).fold(f32::MIN, f32::max);
    let (own, added) = (most(0..64), copies.iter().map(|c| most(c.start as usize..c.end as usize)).fold(0.0, f32::max));
    assert!(own > 0.1 && added > 0.9 * own, "the whole slid {own} m, what was added {added} m");
}
