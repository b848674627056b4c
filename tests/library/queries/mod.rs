//! Queries agree with brute force on the CPU, and say what cannot be asked.

mod random;
mod reference;
mod world;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use glam::{DQuat, DVec3, Quat, Vec3, vec3};
use random::Random;
use rayon::prelude::*;
use reference::{Form, Part, Probe, Solid};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, ColliderId, Kinds, Piece, Scene, Shape, Thing};
use sinew::solver::{Answers, Hit, Query, QueryKind, Solver, SolverError};
use world::{HIGH, WIDE, everything, solids, stone};

/// Cases of each kind.
const CASES: usize = 1000;
/// How well times and places agree [m].
const NEAR: f64 = 5e-4;

fn place(random: &mut Random) -> Vec3 {
    vec3(random.between(-WIDE, WIDE), random.between(0.0, HIGH), random.between(-WIDE, WIDE))
}

/// A ball, capsule or box.
fn shape(random: &mut Random, kind: usize) -> Shape {
    match kind % 3 {
        0 => Shape::Sphere(random.between(0.01, 0.2)),
        1 => Shape::Capsule { radius: random.between(0.01, 0.1), half_length: random.between(0.0, 0.3) },
        _ => Shape::Cuboid(vec3(random.between(0.02, 0.2), random.between(0.02, 0.2), random.between(0.02, 0.2))),
    }
}

/// A cylinder, a hull that its origin is not in the middle of, or a compound of all.
fn pieced(random: &mut Random, kind: usize) -> Shape {
    match kind % 3 {
        0 => Shape::Cylinder { radius: random.between(0.02, 0.2), half_length: random.between(0.02, 0.2) },
        1 => {
            let size = random.between(0.03, 0.15);
            stone(random, size)
        }
        _ => {
            let piece = |random: &mut Random, i: usize| {
                let own = if i < 3 { shape(random, i) } else { pieced(random, i) };
                Piece::new(own, random.between(0.0, 0.1) * random.direction()).rotated(random.rotation())
            };
            let first = kind / 3;
            Shape::Compound((first..first + 3).map(|i| piece(random, i % 5)).collect())
        }
    }
}

fn probe(shape: &Shape, origin: Vec3, rotation: Quat) -> Probe {
    let turn = rotation.as_dquat();
    let along = |turn: DQuat, half: f32| turn * DVec3::Y * f64::from(half);
    let part = |shape: &Shape, turn: DQuat| match shape {
        Shape::Sphere(radius) => (DVec3::ZERO, Part::capsule(DVec3::ZERO, f64::from(*radius))),
        Shape::Capsule { radius, half_length } => {
            (DVec3::ZERO, Part::capsule(along(turn, *half_length), f64::from(*radius)))
        }
        Shape::Cuboid(half) => (DVec3::ZERO, Part::cuboid(half.as_dvec3(), turn)),
        Shape::Cylinder { radius, half_length } => {
            (DVec3::ZERO, Part::cylinder(along(turn, *half_length), f64::from(*radius)))
        }
        Shape::Hull(hull) => {
            let corners: Vec<_> = hull.mesh().positions.iter().map(|p| turn * p.as_dvec3()).collect();
            (corners.iter().sum::<DVec3>() / corners.len() as f64, Part::hull(corners))
        }
        _ => unreachable!("no shape of a query"),
    };
    let parts = if let Shape::Compound(pieces) = shape {
        let placed = |piece: &Piece| {
            let (middle, part) = part(&piece.shape, turn * piece.rotation.as_dquat());
            let at = turn * piece.position.as_dvec3();
            (at + middle, part.moved(at))
        };
        pieces.iter().map(placed).collect()
    } else {
        vec![part(shape, turn)]
    };
    Probe { origin: origin.as_dvec3(), parts }
}

/// Its things, or all but some.
fn filtered(query: Query, random: &mut Random) -> Query {
    let query = if random.between(0.0, 1.0) < 0.5 { query.from_inside() } else { query };
    match random.between(0.0, 10.0) {
        x if x < 1.0 => query.only(Kinds::BODIES | Kinds::COLLIDERS),
        x if x < 2.0 => query.only(Kinds::DEFORMABLES | Kinds::LIQUIDS | Kinds::GRAINS),
        x if x < 3.0 => query.of_layers(if x < 2.5 { 1 } else { 2 }),
        x if x < 5.0 => query.ignoring([Thing::Collider(ColliderId(0)), Thing::Body(BodyId(x as u32))]),
        _ => query,
    }
}

fn asked(query: &Query, thing: Thing) -> bool {
    let kind = match thing {
        Thing::Body(_) => Kinds::BODIES,
        Thing::Collider(_) => Kinds::COLLIDERS,
        Thing::Deformable(_) => Kinds::DEFORMABLES,
        Thing::Liquid(_) => Kinds::LIQUIDS,
        Thing::Grains(_) => Kinds::GRAINS,
    };
    let is_of = query.layers == u32::MAX || world::layers(thing).of & query.layers != 0;
    is_of && (query.kinds | kind) == query.kinds && !query.ignored.contains(&thing)
}

/// A cast and the solids it may meet, against what was answered.
fn check_cast(query: &Query, solids: &[Solid], hits: &[Hit]) -> Result<bool, String> {
    let (probe, direction, length) = match &query.kind {
        QueryKind::Ray { origin, direction, length } => (Probe::point(origin.as_dvec3()), *direction, *length),
        QueryKind::Cast { shape, origin, rotation, direction, length } => {
            (probe(shape, *origin, *rotation), *direction, *length)
        }
        _ => unreachable!("no cast"),
    };
    let (way, length) = (direction.as_dvec3().normalize(), f64::from(length));
    let met = solids.iter().filter(|solid| asked(query, solid.thing));
    // A mesh or body is passed over as a whole, a compound piece by piece.
    let is_solid = |thing| matches!(thing, Thing::Body(_) | Thing::Collider(_));
    let begun = |i: usize| {
        let own = solids.iter().filter(|solid| !query.from_inside && is_solid(solid.thing));
        own.filter(|solid| solid.form.begins_in(&probe)[i]).map(|solid| (solid.thing, solid.piece)).collect()
    };
    let [surely, perhaps]: [BTreeSet<(Thing, usize)>; 2] = [0, 1].map(begun);
    let met = met.filter(|solid| !surely.contains(&(solid.thing, solid.piece)));
    let times = met.map(|solid| {
        let time = solid.form.arrival(&probe, way, length + NEAR, query.from_inside);
        let latest = if perhaps.contains(&(solid.thing, solid.piece)) { f64::INFINITY } else { time.latest };
        (solid, reference::Bracket { latest, ..time })
    });
    let times: Vec<_> = times.collect();
    let earliest = times.iter().fold(f64::INFINITY, |t, (_, b)| t.min(b.earliest));
    let latest = times.iter().fold(f64::INFINITY, |t, (_, b)| t.min(b.latest));
    let Some(hit) = hits.first() else {
        let missed = || times.iter().find(|(_, b)| b.latest == latest).map(|(solid, _)| solid.thing);
        return if latest > length - NEAR { Ok(false) } else { Err(format!("missed {:?} at {latest}", missed())) };
    };
    let at = f64::from(hit.distance);
    if at < earliest - NEAR || at > latest + NEAR || hits.len() > 1 {
        return Err(format!("{hit:?} is not from {earliest} to {latest}"));
    }
    let own = times.iter().filter(|(solid, _)| solid.thing == hit.thing);
    if !own.clone().any(|(_, b)| at >= b.earliest - NEAR && at <= b.latest + NEAR) {
        return Err(format!("{hit:?} is not where that thing is"));
    }
    if at > 0.0 {
        let (point, there) = (hit.point.as_dvec3(), probe.origin + way * at);
        let off = own.clone().map(|(solid, _)| solid.form.distance(point).abs() - solid.form.blur());
        let off = off.fold(f64::INFINITY, f64::min);
        let touching = Form::Capsule { middle: point, axis: DVec3::ZERO, radius: 0.0 };
        let apart = touching.apart(&Probe { origin: there, ..probe }).0;
        let against = hit.normal.as_dvec3().dot(way);
        if off > NEAR || apart > 2.0 * NEAR || against > 1e-3 || (hit.normal.length() - 1.0).abs() > 1e-4 {
            return Err(format!("{hit:?}: {off} off the surface, {apart} off the query, {against} along the way"));
        }
    }
    Ok(true)
}

/// Signed distance of a thing from a point, of its solids that may count at least and of those that must at most.
fn check_near(query: &Query, solids: &[Solid], hits: &[Hit], more: bool) -> Result<bool, String> {
    let (probe, overlap, length) = match &query.kind {
        QueryKind::Overlap { shape, origin, rotation, .. } => (probe(shape, *origin, *rotation), true, f64::INFINITY),
        QueryKind::Nearest { origin, length } => (Probe::point(origin.as_dvec3()), false, f64::from(*length)),
        _ => unreachable!("a cast"),
    };
    let is_ground = |thing| solids.iter().any(|solid| solid.thing == thing && matches!(solid.form, Form::Below(..)));
    // What has a piece below the ground overlaps with it, however far its triangles are.
    let is_below = |solid: &&Solid| matches!(solid.form, Form::Below(..)) && solid.form.apart(&probe).0 <= 0.0;
    let covered: BTreeSet<Thing> = solids.iter().filter(is_below).map(|solid| solid.thing).collect();
    let mut things: BTreeMap<Thing, [f64; 2]> = BTreeMap::new();
    for solid in solids.iter().filter(|solid| asked(query, solid.thing)) {
        let counts = overlap || matches!(solid.form, Form::Below(..));
        let (least, most) = if counts { solid.form.apart(&probe) } else { (-1.0, -1.0) };
        if least > 0.0 && !(overlap && covered.contains(&solid.thing)) {
            continue;
        }
        let entry = things.entry(solid.thing).or_insert([f64::INFINITY; 2]);
        let (mut distance, blur) = (solid.form.distance(probe.origin), solid.form.blur());
        if overlap && is_ground(solid.thing) {
            distance = distance.abs();
        }
        entry[0] = entry[0].min(distance - blur);
        // Of what is met by triangles only those count that touch, which may be farther than the nearest.
        let part = if overlap && solid.form.has_parts() { probe.reach() } else { 0.0 };
        entry[1] = if most <= 0.0 { entry[1].min(distance + blur + part) } else { entry[1] };
    }
    let agrees = |hit: &Hit| {
        // What reaches out of the ground may have its middle in it.
        let at = if overlap && is_ground(hit.thing) { hit.distance.abs() } else { hit.distance };
        let at = f64::from(at);
        let inside = things.get(&hit.thing).is_some_and(|[least, most]| at >= least - NEAR && at <= most + NEAR);
        let apart = (hit.point.as_dvec3() - probe.origin).length() - at.abs();
        inside && apart.abs() < NEAR && (hit.normal.length() - 1.0).abs() < 1e-4
    };
    if let Some(hit) = hits.iter().find(|hit| !agrees(hit)) {
        return Err(format!("{hit:?} but that thing is {:?} away", things.get(&hit.thing)));
    }
    if hits.windows(2).any(|pair| pair[0].distance > pair[1].distance) {
        return Err("not the nearest first".into());
    }
    let told = |thing: &Thing| hits.iter().any(|hit| hit.thing == *thing);
    if overlap {
        let lost = things.iter().find(|(thing, [_, most])| most.is_finite() && !told(thing));
        return lost.filter(|_| !more).map_or(Ok(!hits.is_empty()), |lost| Err(format!("lost {lost:?}")));
    }
    let nearest = things.values().fold(f64::INFINITY, |m, [_, most]| m.min(*most));
    match hits {
        [] if nearest < length - NEAR => Err(format!("missed what is {nearest} away")),
        [hit] if f64::from(hit.distance) > nearest + NEAR => Err(format!("{hit:?}, but something is {nearest} away")),
        _ => Ok(!hits.is_empty()),
    }
}

/// Asks the queries in one batch and compares all answers with brute force; so many meet something.
fn check(solver: &mut Solver, queries: &[Query], least_met: usize) {
    let wrong = wrong_answers(solver, queries, least_met);
    let told = wrong[..wrong.len().min(5)].join("\n");
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{told}", wrong.len(), queries.len());
}

/// What is wrong with the answers to these queries, of which so many meet something.
fn wrong_answers(solver: &mut Solver, queries: &[Query], least_met: usize) -> Vec<String> {
    let answers = solver.ask_now(queries).unwrap();
    assert_eq!(answers.len(), queries.len());
    let solids = solids(solver);
    let verdicts: Vec<_> = (0..queries.len())
        .into_par_iter()
        .map(|i| match &queries[i].kind {
            QueryKind::Ray { .. } | QueryKind::Cast { .. } => check_cast(&queries[i], &solids, answers.of(i)),
            _ => check_near(&queries[i], &solids, answers.of(i), answers.has_more(i)),
        })
        .collect();
    let met = verdicts.iter().filter(|v| **v == Ok(true)).count();
    assert!(met >= least_met, "only {met} of {} met anything", queries.len());
    let wrong = verdicts.iter().enumerate().filter_map(|(i, v)| Some((i, v.as_ref().err()?)));
    wrong.map(|(i, why)| format!("{i}: {:?}\n   {why}", queries[i])).collect()
}

#[test]
fn rays_meet_what_brute_force_says() {
    let mut random = Random::new(1);
    let ray = |random: &mut Random| {
        let towards = random.between(0.1, 9.0) * random.direction();
        Query::ray(place(random), towards, random.between(0.2, 5.0))
    };
    let queries: Vec<_> = (0..CASES).map(|_| filtered(ray(&mut random), &mut random)).collect();
    check(&mut everything(), &queries, CASES / 4);
}

#[test]
fn casts_meet_what_brute_force_says() {
    let mut random = Random::new(2);
    let cast = |random: &mut Random, i| {
        let way = random.between(0.2, 3.0);
        Query::cast(shape(random, i), place(random), random.direction(), way).rotated(random.rotation())
    };
    let queries: Vec<_> = (0..3 * CASES).map(|i| filtered(cast(&mut random, i), &mut random)).collect();
    check(&mut everything(), &queries, CASES);
}

#[test]
fn overlaps_find_what_brute_force_says() {
    let mut random = Random::new(3);
    let overlap = |random: &mut Random, i| Query::overlap(shape(random, i), place(random)).rotated(random.rotation());
    let queries: Vec<_> = (0..3 * CASES).map(|i| filtered(overlap(&mut random, i), &mut random)).collect();
    check(&mut everything(), &queries, CASES / 2);
}

/// Casts and overlaps by turns, with shapes of pieces.
fn pieced_queries(count: usize) -> Vec<Query> {
    let mut random = Random::new(7);
    let query = |random: &mut Random, i: usize| {
        let shape = pieced(random, i / 2);
        let query = if i.is_multiple_of(2) {
            Query::cast(shape, place(random), random.direction(), random.between(0.2, 3.0))
        } else {
            Query::overlap(shape, place(random))
        };
        query.rotated(random.rotation())
    };
    (0..count).map(|i| filtered(query(&mut random, i), &mut random)).collect()
}

#[test]
fn cylinders_hulls_and_compounds_meet_what_brute_force_says() {
    let mut solver = everything();
    let scene = solver.scene();
    let is_fine = |shape: &Shape| matches!(shape, Shape::Grid(_) | Shape::Mesh(_) | Shape::Heightfield(_));
    let bodies = (0..).zip(&scene.bodies).filter(|(_, body)| is_fine(&scene.shapes[body.shape]));
    let colliders = (0..).zip(&scene.colliders).filter(|(_, collider)| is_fine(&collider.shape));
    let fine: Vec<Thing> = bodies
        .map(|(i, _)| Thing::Body(BodyId(i)))
        .chain(colliders.map(|(i, _)| Thing::Collider(ColliderId(i))))
        .collect();
    let queries: Vec<Query> = pieced_queries(CASES + CASES / 2).into_iter().map(|q| q.ignoring(fine.clone())).collect();
    check(&mut solver, &queries, CASES / 3);
}

#[test]
fn cylinders_hulls_and_compounds_meet_fine_triangles_too() {
    let context = Context::shared().expect("adapter");
    // Mesa's software driver of 2022 ends the loops of a thread after 65 535 rounds, of which thousands of triangles take more.
    let most_wrong = if context.info().driver.contains("Mesa 22.") { 10 } else { 0 };
    let wrong = wrong_answers(&mut everything(), &pieced_queries(6 * CASES), 2 * CASES);
    println!("{} of {} are wrong", wrong.len(), 6 * CASES);
    assert!(wrong.len() <= most_wrong, "{} are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}

#[test]
fn the_nearest_point_is_that_of_brute_force() {
    let mut random = Random::new(4);
    let nearest = |random: &mut Random| Query::nearest(place(random), random.between(0.02, 1.0));
    let queries: Vec<_> = (0..CASES).map(|_| filtered(nearest(&mut random), &mut random)).collect();
    check(&mut everything(), &queries, CASES / 2);
}

/// Not run by itself: what it prints depends on the machine. `cargo test --release --test library -- --ignored --nocapture queries::`.
#[test]
#[ignore = "measures; prints what rays cost beside a step"]
fn ten_thousand_rays_beside_a_step() {
    let context = Context::shared().expect("adapter");
    println!("on {}", context.info().name);
    for (demo, frames) in [("flood", 40), ("dancer", 10), ("pairs", 60)] {
        let scene = sinew::demos::stage_for(demo, &[]).unwrap().scene;
        let mut solver = Solver::new(&context, &scene).unwrap();
        (0..frames).for_each(|_| solver.step());
        let mut random = Random::new(6);
        let ray = |random: &mut Random| Query::ray(place(random) + 0.5 * Vec3::Y, random.direction(), 20.0);
        let queries: Vec<_> = (0..10_000).map(|_| ray(&mut random)).collect();
        solver.ask_now(&queries).unwrap();
        let mut times = [const { Vec::new() }; 7];
        let mut tickets = VecDeque::new();
        for round in 0..32 {
            let mut timed = |kind: usize, run: &mut dyn FnMut(&mut Solver)| {
                solver.wait().unwrap();
                let begun = Instant::now();
                run(&mut solver);
                solver.wait().unwrap();
                times[kind].push(1e3 * begun.elapsed().as_secs_f64());
            };
            // Steps that search do not come always at the same one.
            if round % 3 == 0 {
                timed(0, &mut |solver| solver.step());
            }
            let mut hosts = [0.0; 2];
            timed(1, &mut |solver| {
                solver.step();
                let begun = Instant::now();
                tickets.push_back(solver.ask(&queries).unwrap());
                hosts[0] = 1e3 * begun.elapsed().as_secs_f64();
                let begun = Instant::now();
                if let Some(Some(answers)) = tickets.front().map(|ticket| solver.take_answers(ticket).unwrap()) {
                    assert_eq!(answers.len(), queries.len());
                    tickets.pop_front();
                    hosts[1] = 1e3 * begun.elapsed().as_secs_f64();
                }
            });
            if round % 3 != 0 {
                timed(0, &mut |solver| solver.step());
            }
            timed(2, &mut |solver| drop(solver.ask_now(&queries[..1]).unwrap()));
            timed(3, &mut |solver| drop(solver.ask_now(&queries[..1]).unwrap()));
            timed(4, &mut |solver| drop(solver.ask_now(&queries).unwrap()));
            times[5].push(hosts[0]);
            times[6].push(hosts[1]);
        }
        times.iter_mut().for_each(|list| list.sort_by(f64::total_cmp));
        let [step, asking, build, trip, walk, asked, taken] = times.map(|list| list[16]);
        let counts = solver.counts();
        println!(
            "{demo}: {} particles, {} bodies; step {step:.2} ms, asking 10 000 rays {asking:.2} ms ({:+.1} %), of which the host asked for \
             {asked:.2} ms and took for {taken:.2} ms; at once: tree and a ray {build:.2} ms, a ray {trip:.2} ms, 10 000 rays {walk:.2} ms",
            counts.particles,
            counts.bodies,
            100.0 * (asking / step - 1.0),
        );
    }
}

/// A row of balls on the x axis, 1 m apart, from 0 on.
fn balls(count: u32) -> (Scene, Solver) {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    for i in 0..count {
        scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::X * i as f32)).unwrap();
    }
    let solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (scene, solver)
}

#[test]
fn what_has_passed_one_another_is_met_where_it_went() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    // The lowest starts at the left, the highest at the right; a fifth of a second later it is the other way round.
    let (count, wide) = (64, 6.0);
    for i in 0..count {
        let x = wide * i as f32 / count as f32;
        let velocity = (wide - 2.0 * x) / 0.2 * Vec3::X;
        scene.add_body(BodyDesc { velocity, ..BodyDesc::sphere(0.1, 0.1).at(vec3(x, 0.3 * i as f32, 0.0)) }).unwrap();
    }
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let mut places = Vec::new();
    for frames in [0, 6, 6, 6] {
        (0..frames).for_each(|_| solver.step());
        places.push(solver.read_bodies().unwrap().iter().map(|body| Vec3::from(body.center)).collect::<Vec<Vec3>>());
        let rays: Vec<_> =
            places.last().unwrap().iter().map(|p| Query::ray(*p - 5.0 * Vec3::Z, Vec3::Z, 9.0)).collect();
        let answers = solver.ask_now(&rays).unwrap();
        for i in 0..count {
            let hit = answers.of(i).first().unwrap();
            assert_eq!(hit.thing, Thing::Body(BodyId(i as u32)));
            assert!((hit.distance - 4.9).abs() < 1e-4, "{i}: {}", hit.distance);
        }
    }
    assert!(places[0][0].x < places[0][count - 1].x && places[3][0].x > places[3][count - 1].x, "they have passed");
}

#[test]
fn batches_of_awkward_sizes_are_answered_in_order() {
    let (_, mut solver) = balls(70);
    for count in [0_u32, 1, 63, 64, 65] {
        let above = |i: u32| Vec3::new(i as f32, 1.0, 0.0);
        let queries: Vec<Query> = (0..count)
            .map(|i| match i % 3 {
                0 => Query::overlap(Shape::Sphere(0.05), Vec3::X * i as f32),
                1 => Query::ray(above(i), Vec3::NEG_Y, 2.0),
                _ => Query::nearest(above(i), 2.0),
            })
            .collect();
        let answers = solver.ask_now(&queries).unwrap();
        assert_eq!(answers.len(), count as usize);
        for (i, hits) in answers.iter().enumerate() {
            assert_eq!(hits.iter().map(|hit| hit.thing).collect::<Vec<_>>(), [Thing::Body(BodyId(i as u32))]);
            let wanted = if i % 3 == 0 { -0.1 } else { 0.9 };
            assert!((hits[0].distance - wanted).abs() < 1e-4, "{hits:?}");
        }
    }
}

#[test]
fn overlaps_say_when_there_is_more() {
    let (_, mut solver) = balls(9);
    let long = Shape::Cuboid(vec3(20.0, 0.01, 0.01));
    let all = Query::overlap(long.clone(), Vec3::X * 3.2);
    let answers = solver.ask_now(&[all.clone().at_most(3), all.clone().at_most(9), all.at_most(8)]).unwrap();
    let things = |i: usize| answers.of(i).iter().map(|hit| hit.thing).collect::<Vec<_>>();
    assert_eq!(things(0), [3, 4, 2].map(|i| Thing::Body(BodyId(i))), "the nearest three");
    assert_eq!([0, 1, 2].map(|i| answers.has_more(i)), [true, false, true]);
    assert_eq!([1, 2].map(|i| answers.of(i).len()), [9, 8]);
}

#[test]
fn answers_come_late_once_and_tell_their_frame() {
    let (mut scene, mut solver) = balls(2);
    scene.set_user_data(Thing::Body(BodyId(1)), 7).unwrap();
    solver.spawn(&scene).unwrap();
    solver.step();
    let ray = Query::ray(Vec3::X * 0.5, Vec3::X, 9.0);
    let ticket = solver.ask(std::slice::from_ref(&ray)).unwrap();
    // Asked before: what happens now is not in it.
    solver.remove_body(BodyId(1)).unwrap();
    let mut waited = 0;
    let answers = loop {
        if let Some(answers) = solver.take_answers(&ticket).unwrap() {
            break answers;
        }
        solver.step();
        waited += 1;
    };
    assert_eq!((waited, answers.frame), (3, 1));
    assert!((answers.time - 1.0 / 60.0).abs() < 1e-6);
    let hit = answers.first(0).unwrap();
    assert_eq!((hit.thing, hit.user_data), (Thing::Body(BodyId(1)), 7));
    assert_eq!(hit.surface, scene.body(BodyId(1)).surface);
    assert_eq!(solver.take_answers(&ticket), Err(SolverError::StaleTicket), "they come once");
    assert!(solver.ask_now(&[ray]).unwrap().of(0).is_empty(), "what was removed is not met");
    let other = balls(1).1.ask(&[]).unwrap();
    assert_eq!(solver.take_answers(&other), Err(SolverError::StaleTicket), "another solver's");
}

#[test]
fn nobody_waits_in_a_paused_world_and_what_is_not_taken_is_dropped() {
    let (_, mut solver) = balls(1);
    solver.set_params(sinew::scene::Params { dt: 0.0, ..*solver.params() }).unwrap();
    let nearest = [Query::nearest(Vec3::Y, f32::INFINITY)];
    let first = solver.ask(&nearest).unwrap();
    solver.step();
    assert_eq!(solver.take_answers(&first).unwrap().unwrap().of(0).len(), 1);
    let first = solver.ask(&nearest).unwrap();
    let second = solver.ask(&nearest).unwrap();
    for _ in 0..255 {
        solver.ask(&[]).unwrap();
    }
    assert_eq!(solver.take_answers(&first), Err(SolverError::StaleTicket));
    assert!(solver.take_answers(&second).unwrap().is_some());
}

#[test]
fn what_moves_between_two_batches_of_a_frame_is_met_where_it_is() {
    let (_, mut solver) = balls(1);
    let ray = [Query::ray(vec3(5.0, 1.0, 0.0), Vec3::NEG_Y, 2.0)];
    let meets = |solver: &mut Solver| !solver.ask_now(&ray).unwrap().of(0).is_empty();
    assert!(!meets(&mut solver));
    solver.set_body_pose(BodyId(0), Vec3::X * 5.0, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    assert!(meets(&mut solver));
}

#[test]
fn queries_change_nothing() {
    let mut quiet = everything();
    let mut asked = everything();
    for frame in 0..4 {
        let ray = Query::ray(Vec3::Y * 2.0, vec3(0.1, -1.0, 0.1 * frame as f32), 9.0);
        asked.ask(&[ray, Query::overlap(Shape::Sphere(1.0), Vec3::Y)]).unwrap();
        asked.step();
        quiet.step();
    }
    assert_eq!(asked.read_particles().unwrap(), quiet.read_particles().unwrap());
    assert_eq!(asked.read_bodies().unwrap(), quiet.read_bodies().unwrap());
}

#[test]
fn directions_of_any_length_are_one_direction() {
    let (_, mut solver) = balls(1);
    let rays: Vec<Query> =
        [1e-38, 1e-3, 1.0, 1e30].map(|length| Query::ray(Vec3::Y * 2.0, Vec3::NEG_Y * length, 5.0)).to_vec();
    let answers = solver.ask_now(&rays).unwrap();
    assert!(answers.iter().all(|hits| (hits[0].distance - 1.9).abs() < 1e-5), "{answers:?}");
}

#[test]
fn what_cannot_be_asked_is_named() {
    let (_, mut solver) = balls(1);
    let good = Query::ray(Vec3::Y, Vec3::NEG_Y, 1.0);
    let ball = || Shape::Sphere(0.1);
    let bad = [
        (Query::ray(Vec3::NAN, Vec3::Y, 1.0), "origin"),
        (Query::ray(Vec3::ZERO, Vec3::ZERO, 1.0), "direction"),
        (Query::ray(Vec3::ZERO, vec3(0.0, f32::INFINITY, 0.0), 1.0), "direction"),
        (Query::ray(Vec3::ZERO, Vec3::Y, 0.0), "length"),
        (Query::ray(Vec3::ZERO, Vec3::Y, f32::NAN), "length"),
        (Query::nearest(Vec3::ZERO, -1.0), "length"),
        (Query::cast(ball(), Vec3::ZERO, Vec3::NAN, 1.0), "direction"),
        (Query::cast(ball(), Vec3::ZERO, Vec3::Y, 1.0).rotated(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)), "rotation"),
        (Query::overlap(Shape::Sphere(-0.1), Vec3::ZERO), "size of the shape"),
        (Query::overlap(Shape::Capsule { radius: 0.1, half_length: f32::NAN }, Vec3::ZERO), "half length"),
        (Query::overlap(Shape::Cuboid(vec3(1.0, 0.0, 1.0)), Vec3::ZERO), "size of the shape"),
        (Query::overlap(ball(), Vec3::ZERO).at_most(0), "most things"),
        (Query::overlap(Shape::Plane, Vec3::ZERO), "Shape::Sphere"),
        (Query::overlap(Shape::Cylinder { radius: 0.1, half_length: 0.0 }, Vec3::ZERO), "size of the shape"),
        (Query::overlap(Shape::Compound(vec![]), Vec3::ZERO), "number of pieces"),
        (Query::overlap(Shape::Compound(vec![Piece::new(ball(), Vec3::NAN)]), Vec3::ZERO), "position of a piece"),
        (Query::overlap(Shape::Compound(vec![Piece::new(Shape::Plane, Vec3::ZERO)]), Vec3::ZERO), "Compound"),
        (good.clone().ignoring([Thing::Body(BodyId(3))]), "body 3"),
    ];
    for (query, word) in bad {
        let told = solver.ask(&[good.clone(), query.clone()]).unwrap_err().to_string();
        assert!(told.contains(word), "{query:?}: {told}");
        assert!(solver.ask_now(&[query]).is_err());
    }
    assert_eq!(solver.ask_now(&[good]).unwrap().of(0).len(), 1);
}

#[test]
fn an_empty_world_answers_too() {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &Scene::default()).unwrap();
    let answers: Answers = solver.ask_now(&[Query::nearest(Vec3::ZERO, 1.0)]).unwrap();
    assert_eq!((answers.len(), answers.of(0).len()), (1, 0));
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.5)).unwrap();
    solver.spawn(&scene).unwrap();
    let answers = solver.ask_now(&[Query::nearest(Vec3::ZERO, 1.0)]).unwrap();
    assert!((answers.first(0).unwrap().distance + 0.5).abs() < 1e-6, "half a metre below the ground");
}
