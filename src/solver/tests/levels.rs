//! Coarse levels on the GPU against plain references in `f64`.

use glam::{DVec3, Vec3};

use super::kernels::{Random, dispatch};
use crate::constraints::{Constraint, Distance, Levels, Row};
use crate::gpu::Buffers;
use crate::gpu::Context;
use crate::gpu::wgsl::constraints::phantoms::Start;
use crate::scene::{Particle, Phase, Scene};
use crate::solver::stages::constraints::levels::{
    HeirRow, LeafRow, LengthRow, LevelTables, LinkRow, NodeRow, PullRow, Seat, SoftnessRow,
};
use crate::solver::stages::ground::NONE;
use crate::solver::stages::rows::{Batch, ParamsRow, vec4};

const SIZES: [usize; 6] = [0, 1, 63, 64, 65, 100_003];
/// Power of two, so that its square is exact [s].
const SUBSTEP: f32 = 1.0 / 512.0;
const STIFFNESS: f32 = 0.75;

fn xyz(v: [f32; 4]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}

/// Numbers from 0 to 1.
fn part(random: &mut Random) -> f32 {
    0.5 + 0.5 * random.vector(1.0).x
}

/// `count` nodes, after half as many of the next coarser level that they follow, and `count` particles that follow them; nothing but
/// numbers.
struct Numbers {
    coarser: usize,
    nodes: Vec<NodeRow>,
    links: Vec<LinkRow>,
    leaves: Vec<LeafRow>,
    places: Vec<[f32; 4]>,
    moves: Vec<[f32; 4]>,
    particles: Vec<[f32; 4]>,
}

impl Numbers {
    fn random(count: usize, random: &mut Random) -> Self {
        let coarser = count / 2 + 1;
        let mut own = Self {
            coarser,
            nodes: vec![NodeRow::default(); coarser],
            links: Vec::new(),
            leaves: Vec::new(),
            places: Vec::new(),
            moves: (0..coarser + count).map(|_| vec4(random.vector(0.1), 0.0)).collect(),
            particles: Vec::new(),
        };
        for i in 0..count {
            let (first, count) = own.follow(0, coarser, random);
            let share = 0.1 + part(random);
            own.nodes.push(NodeRow { particle: i as u32, share, first, count });
        }
        // Every seventh is held.
        let weight = |i: usize, random: &mut Random| if i % 7 == 6 { 0.0 } else { 0.2 + part(random) };
        own.places = (0..own.nodes.len()).map(|i| vec4(random.vector(2.0), weight(i, random))).collect();
        for i in 0..count {
            let (first, links) = own.follow(coarser, count, random);
            // Every fifth has two phantoms.
            let (first_phantom, phantoms) = ((count + 2 * (i / 5)) as u32, if i.is_multiple_of(5) { 2 } else { 0 });
            own.leaves.push(LeafRow { particle: i as u32, first, count: links, first_phantom, phantoms });
        }
        let phantoms = 2 * count.div_ceil(5);
        own.particles = (0..count + phantoms).map(|i| vec4(random.vector(0.1), weight(i, random))).collect();
        own
    }

    /// Links to up to four of `count` nodes from `first` on, with weights whose sum is 1.
    fn follow(&mut self, first: usize, count: usize, random: &mut Random) -> (u32, u32) {
        let at = self.links.len();
        let links = 1 + (4.0 * part(random)) as usize % 4;
        for _ in 0..links {
            let node = (first + (part(random) * count as f32) as usize % count) as u32;
            self.links.push(LinkRow { node, weight: 0.1 + part(random) });
        }
        let sum: f32 = self.links[at..].iter().map(|link| link.weight).sum();
        self.links[at..].iter_mut().for_each(|link| link.weight /= sum);
        (at as u32, links as u32)
    }

    /// Where links lead in `f64`.
    fn followed(&self, first: u32, count: u32, moves: &[[f32; 4]]) -> DVec3 {
        let own = &self.links[first as usize..(first + count) as usize];
        own.iter().map(|link| f64::from(link.weight) * xyz(moves[link.node as usize])).sum()
    }

    fn buffers(&self, context: &Context) -> Buffers {
        let mut b = Buffers::new(context);
        let batch = Batch { first: self.coarser as u32, count: self.leaves.len() as u32, ..Batch::default() };
        b.create_uniform("params", &[ParamsRow { substep_dt: SUBSTEP, ..ParamsRow::default() }]).unwrap();
        b.create_uniform("batch", &[batch]).unwrap();
        b.create_with("level_nodes", &self.nodes).unwrap();
        b.create_with("level_links", &self.links).unwrap();
        b.create_with("level_leaves", &self.leaves).unwrap();
        b.create_with("level_places", &self.places).unwrap();
        b.create_with("level_moves", &self.moves).unwrap();
        b.create_with("particle_moves", &self.particles).unwrap();
        b.create_with::<HeirRow>("level_heirs", &[]).unwrap();
        b.create_with::<PullRow>("level_pulls", &[]).unwrap();
        b.create_with::<u32>("constraint_words", &[]).unwrap();
        b.create_with("constraint_multipliers", &[[0.0_f32; 4]]).unwrap();
        b
    }
}

#[test]
fn nodes_are_where_their_particles_are() {
    let context = Context::shared().expect("adapter");
    for count in SIZES {
        let mut random = Random(11 + count as u32);
        let numbers = Numbers::random(count, &mut random);
        let starts: Vec<Start> =
            (0..count.max(1)).map(|i| Start { place: random.vector(9.0).to_array(), particle: i as u32 }).collect();
        let mut b = numbers.buffers(&context);
        b.create_with("particle_starts", &starts).unwrap();
        dispatch(&context, &b, "constraints/level_restrict", if count > 0 { numbers.nodes.len() as u32 } else { 0 });
        let places: Vec<[f32; 4]> = b.read("level_places").unwrap();
        for (node, place) in numbers.nodes.iter().zip(&places).skip(numbers.coarser) {
            let at = node.particle as usize;
            let expected = numbers.particles[at][3] * node.share;
            assert_eq!((&place[..3], place[3]), (&starts[at].place[..], expected), "{count}: {node:?}");
        }
    }
}

#[test]
fn what_follows_goes_where_the_mean_does() {
    let context = Context::shared().expect("adapter");
    for count in SIZES {
        let mut random = Random(5 + count as u32);
        let numbers = Numbers::random(count, &mut random);
        let b = numbers.buffers(&context);
        dispatch(&context, &b, "constraints/level_prolong", count as u32);
        let moves: Vec<[f32; 4]> = b.read("level_moves").unwrap();
        for (i, node) in numbers.nodes.iter().enumerate().skip(numbers.coarser) {
            let held = numbers.places[i][3] == 0.0;
            let expected = if held { DVec3::ZERO } else { numbers.followed(node.first, node.count, &numbers.moves) };
            assert!(xyz(moves[i]).distance(expected) < 1e-7, "{count}: node {i}");
        }
        dispatch(&context, &b, "constraints/level_inherit", count as u32);
        let particles: Vec<[f32; 4]> = b.read("particle_moves").unwrap();
        for leaf in &numbers.leaves {
            let weight = numbers.particles[leaf.particle as usize][3];
            let all = std::iter::once(leaf.particle).chain(leaf.first_phantom..leaf.first_phantom + leaf.phantoms);
            for slot in all.map(|slot| slot as usize) {
                let followed = numbers.followed(leaf.first, leaf.count, &moves);
                let expected = if weight == 0.0 { xyz(numbers.particles[slot]) } else { followed };
                assert!(xyz(particles[slot]).distance(expected) < 1e-7, "{count}: slot {slot}");
                assert_eq!(particles[slot][3], numbers.particles[slot][3], "{count}: mass of slot {slot}");
            }
        }
    }
}

/// A node has the mass of all that follows it: by whatever way nodes go, what follows them has the same momentum.
#[test]
fn what_follows_has_the_momentum_of_its_nodes() {
    let context = Context::shared().expect("adapter");
    let mut random = Random(23);
    let (rows, positions, _) = sheet();
    let particle = |at: &Vec3| Particle {
        position: *at,
        velocity: Vec3::ZERO,
        radius: 0.01,
        mass: 0.2 + part(&mut random),
        phase: Phase::default(),
    };
    let mut scene = Scene { particles: positions.iter().map(particle).collect(), ..Scene::default() };
    (scene.constraints, scene.params.levels) = (rows, 16);
    let soft = SoftnessRow { word: NONE, row: 0, factor: 1.0 };
    let phantoms = vec![[0; 2]; positions.len()];
    let tables = LevelTables::new(&scene, &phantoms, &[], |row| Seat { row, soft }, |_| 1.0);
    // Of each level, the coarsest first, its nodes.
    let levels: Vec<_> = tables.steps.iter().filter(|s| s.nodes > 0).map(|s| [s.first_node, s.nodes]).collect();
    assert!(levels.len() > 3, "{} levels", levels.len());
    let starts: Vec<Start> =
        (0..).zip(&positions).map(|(particle, at)| Start { place: at.to_array(), particle }).collect();
    let weights: Vec<[f32; 4]> = scene.particles.iter().map(|p| [0.0, 0.0, 0.0, 1.0 / p.mass]).collect();
    let mut b = Buffers::new(&context);
    b.create_uniform("params", &[ParamsRow { substep_dt: SUBSTEP, ..ParamsRow::default() }]).unwrap();
    b.create_uniform("batch", &[Batch::default()]).unwrap();
    b.create_with("level_nodes", &tables.nodes).unwrap();
    b.create_with("level_links", &tables.links).unwrap();
    b.create_with("level_leaves", &tables.leaves).unwrap();
    b.create_with("level_places", &vec![[0.0_f32; 4]; tables.nodes.len()]).unwrap();
    let moves: Vec<[f32; 4]> = tables.nodes.iter().map(|_| vec4(random.vector(0.1), 0.0)).collect();
    b.create_with("level_moves", &moves).unwrap();
    b.create_with("particle_starts", &starts).unwrap();
    b.create_with("particle_moves", &weights).unwrap();
    b.create_with::<HeirRow>("level_heirs", &[]).unwrap();
    b.create_with::<PullRow>("level_pulls", &[]).unwrap();
    b.create_with::<u32>("constraint_words", &[]).unwrap();
    b.create_with("constraint_multipliers", &[[0.0_f32; 4]]).unwrap();
    let rows = |b: &Buffers, name| b.read::<[f32; 4]>(name).unwrap();
    dispatch(&context, &b, "constraints/level_restrict", tables.nodes.len() as u32);
    let places = rows(&b, "level_places");
    let momentum = |moves: &[[f32; 4]], weights: &[[f32; 4]]| {
        moves.iter().zip(weights).map(|(moved, weight)| xyz(*moved) / f64::from(weight[3])).sum::<DVec3>()
    };
    let of_level = |b: &Buffers, [first, count]: [u32; 2]| {
        let own = first as usize..(first + count) as usize;
        momentum(&rows(b, "level_moves")[own.clone()], &places[own])
    };
    let same = |what: &str, fine: DVec3, coarse: DVec3| {
        assert!(fine.distance(coarse) <= 2e-6 * coarse.length(), "{what}: {fine} of {coarse}");
    };
    dispatch(&context, &b, "constraints/level_inherit", tables.leaves.len() as u32);
    let moved = rows(&b, "particle_moves");
    same("particles", momentum(&moved, &weights), of_level(&b, levels[levels.len() - 1]));
    for pair in levels.windows(2).rev() {
        let [first, count] = pair[1];
        b.create_uniform("batch", &[Batch { first, count, ..Batch::default() }]).unwrap();
        dispatch(&context, &b, "constraints/level_prolong", count);
        same(&format!("{count} nodes"), of_level(&b, pair[1]), of_level(&b, pair[0]));
    }
}

/// λ after and before, and what both ends move by, of C = |x_b - x_a| - d ≤ 0.
fn solved(
    length: &LengthRow,
    soft: f64,
    gained: f64,
    before: f64,
    at: [[f32; 4]; 2],
    moved: [DVec3; 2],
) -> (f64, [DVec3; 2]) {
    let rest = f64::from(length.length);
    let lambda = if soft > 0.0 { (before - gained * rest / soft).min(0.0) } else { before };
    let weights = at.map(|place| f64::from(place[3]));
    let way = xyz(at[1]) - xyz(at[0]) + moved[1] - moved[0];
    let sum = weights[0] + weights[1];
    if sum == 0.0 {
        return (lambda, moved);
    }
    let off = way.length() - rest;
    if off <= 0.0 {
        return (0.0, moved);
    }
    let wanted = -off - soft * lambda;
    let next = (lambda + f64::from(STIFFNESS) * wanted / (sum + soft)).min(0.0);
    let step = (next - lambda) * way.normalize();
    (next, [moved[0] - weights[0] * step, moved[1] + weights[1] * step])
}

#[test]
fn coarse_lengths_only_pull_and_go_on_with_what_they_bear() {
    let context = Context::shared().expect("adapter");
    for (count, iteration) in SIZES.into_iter().flat_map(|count| [(count, 0), (count, 1)]) {
        let mut random = Random(77 + count as u32 + iteration);
        let numbers = Numbers::random(2 * count, &mut random);
        let words: Vec<u32> = (0..4).map(|i| (1e-6 * i as f32).to_bits()).collect();
        let length = |i: usize| {
            let [a, b] = [0, 1].map(|k| (numbers.coarser + 2 * i + k) as u32);
            let soft = SoftnessRow { word: if i % 5 == 4 { NONE } else { i as u32 % 4 }, row: 0, factor: 1.5 };
            let parent = if i.is_multiple_of(3) { NONE } else { (count + i) as u32 };
            LengthRow { a, b, parent, soft, length: 2.0 }
        };
        let lengths: Vec<LengthRow> = (0..count).map(length).collect();
        let mut pull = || PullRow { multiplier: -part(&mut random), gained: 0.01 * part(&mut random) - 0.002 };
        let pulls: Vec<PullRow> = (0..2 * count).map(|_| pull()).collect();
        let mut b = numbers.buffers(&context);
        let params = ParamsRow { substep_dt: SUBSTEP, stiffness: STIFFNESS, ..ParamsRow::default() };
        b.create_uniform("params", &[params]).unwrap();
        b.create_uniform("batch", &[Batch { count: count as u32, iteration, ..Batch::default() }]).unwrap();
        b.create_with("constraint_words", &words).unwrap();
        b.create_with("level_lengths", &lengths).unwrap();
        b.create_with("level_pulls", &pulls).unwrap();
        dispatch(&context, &b, "constraints/level_project", count as u32);
        let (moves, found): (Vec<[f32; 4]>, Vec<PullRow>) =
            (b.read("level_moves").unwrap(), b.read("level_pulls").unwrap());
        let mut pulled = 0;
        for (i, own) in lengths.iter().enumerate() {
            let ends = [own.a, own.b].map(|node| node as usize);
            let alpha = words.get(own.soft.word as usize).map_or(0.0, |word| f64::from(f32::from_bits(*word)));
            let soft = f64::from(own.soft.factor) * alpha / f64::from(SUBSTEP).powi(2);
            let gained = if own.parent == NONE { 0.0 } else { f64::from(pulls[own.parent as usize].gained) };
            let before = if iteration == 0 { 0.0 } else { f64::from(pulls[i].multiplier) };
            let at = ends.map(|node| numbers.places[node]);
            let (lambda, moved) = solved(own, soft, gained, before, at, ends.map(|node| xyz(numbers.moves[node])));
            for (node, expected) in ends.into_iter().zip(moved) {
                assert!(xyz(moves[node]).distance(expected) < 2e-6, "{count}, {iteration}: length {i}, node {node}");
            }
            let scale = lambda.abs().max(1.0);
            assert!((f64::from(found[i].multiplier) - lambda).abs() < 1e-5 * scale, "{count}, {iteration}: λ of {i}");
            let strain = soft * (before - lambda) / 2.0;
            assert!((f64::from(found[i].gained) - strain).abs() < 1e-5 * scale, "{count}, {iteration}: strain of {i}");
            pulled += usize::from(lambda < 0.0);
        }
        assert!(count < 60 || (pulled > count / 9 && pulled < count), "{pulled} of {count} pull");
    }
}

/// Lengths of a hanging sheet of 23 x 23, each a bit too long, and where its particles are.
fn sheet() -> (Vec<Row>, Vec<Vec3>, Vec<f32>) {
    const SIDE: u32 = 23;
    let at = |i: u32| 0.1 * Vec3::new((i % SIDE) as f32, -((i / SIDE) as f32), 0.0);
    let steps = |i: u32| [(1, i % SIDE + 1 < SIDE), (SIDE, i / SIDE + 1 < SIDE)];
    let rows =
        (0..SIDE * SIDE).flat_map(|i| steps(i).into_iter().filter(|step| step.1).map(move |step| [i, i + step.0]));
    let row = |particles: [u32; 2]| {
        Distance { particles, rest_length: 0.1, compliance: 0.0, tension_only: false }.row().unwrap()
    };
    let rows = rows.map(row).collect();
    let places = (0..SIDE * SIDE).map(|i| at(i) * 1.02).collect();
    (rows, places, (0..SIDE * SIDE).map(|i| if i < SIDE { 0.0 } else { 1.0 }).collect())
}

/// One workgroup and a dispatch for each color come to the same bits, and to what the plain reference says.
#[test]
fn all_levels_from_the_coarsest_are_their_twin() {
    let context = Context::shared().expect("adapter");
    let (rows, positions, masses) = sheet();
    let levels = Levels::new(&rows, &positions, &masses, |_| false, 16);
    assert!(levels.coarse.len() > 3, "{} levels", levels.coarse.len());
    let none = SoftnessRow { word: NONE, row: 0, factor: 1.0 };
    let mut tables = LevelTables::default();
    tables.lay(&levels, &|row| Seat { row, soft: none }, |_| 1.0);
    let place = |node: &NodeRow| {
        let (at, mass) = (positions[node.particle as usize], masses[node.particle as usize]);
        vec4(at, if mass > 0.0 { node.share / mass } else { 0.0 })
    };
    let places: Vec<[f32; 4]> = tables.nodes.iter().map(place).collect();
    let buffers = || {
        let mut b = Buffers::new(&context);
        let params = ParamsRow { substep_dt: SUBSTEP, stiffness: STIFFNESS, ..ParamsRow::default() };
        b.create_uniform("params", &[params]).unwrap();
        b.create_uniform("batch", &[Batch::default()]).unwrap();
        b.create_with::<u32>("constraint_words", &[]).unwrap();
        b.create_with("level_nodes", &tables.nodes).unwrap();
        b.create_with("level_links", &tables.links).unwrap();
        b.create_with("level_lengths", &tables.lengths).unwrap();
        b.create_with("level_steps", &tables.steps).unwrap();
        b.create_with("level_places", &places).unwrap();
        b.create_with("level_moves", &vec![[0.0_f32; 4]; places.len()]).unwrap();
        b.create_with("level_pulls", &vec![PullRow::default(); tables.lengths.len()]).unwrap();
        b
    };
    let together = buffers();
    dispatch(&context, &together, "constraints/level_coarse", 32);
    let mut apart = buffers();
    let mut expected = vec![DVec3::ZERO; places.len()];
    for step in &tables.steps {
        let mut run = |kernel, first, count| {
            apart.create_uniform("batch", &[Batch { first, count, ..Batch::default() }]).unwrap();
            dispatch(&context, &apart, kernel, count);
        };
        run("constraints/level_prolong", step.first_node, step.nodes);
        run("constraints/level_project", step.first_length, step.lengths);
        for i in step.first_node as usize..(step.first_node + step.nodes) as usize {
            let NodeRow { first, count, .. } = tables.nodes[i];
            let own = &tables.links[first as usize..(first + count) as usize];
            let followed = own.iter().map(|link| f64::from(link.weight) * expected[link.node as usize]).sum();
            expected[i] = if places[i][3] > 0.0 { followed } else { DVec3::ZERO };
        }
        for length in &tables.lengths[step.first_length as usize..(step.first_length + step.lengths) as usize] {
            let ends = [length.a, length.b].map(|node| node as usize);
            let (at, moved) = (ends.map(|node| places[node]), ends.map(|node| expected[node]));
            let (_, moved) = solved(length, 0.0, 0.0, 0.0, at, moved);
            ends.into_iter().zip(moved).for_each(|(node, moved)| expected[node] = moved);
        }
    }
    let of = |b: &Buffers| b.read::<[f32; 4]>("level_moves").unwrap();
    let (together, apart) = (of(&together), of(&apart));
    assert!(together == apart, "one workgroup and many dispatches differ");
    let far = expected.iter().map(|moved| moved.length()).fold(0.0, f64::max);
    assert!(far > 0.02, "nodes move by {far} m");
    for (i, (found, expected)) in together.iter().zip(&expected).enumerate() {
        assert!(xyz(*found).distance(*expected) < 1e-5, "node {i}: {found:?} for {expected}");
    }
}
