//! Coarser and coarser particles and lengths over those of a scene, for the hierarchical solver (Müller 2008; paper 2, "Hierarchical Solver").
//!
//! The particles of a level are some of those of the finer one: no two of them are neighbors but where they must be, and every other
//! has k of them beside it, or all its neighbors. What is left out joins its nearest; a length between what two of them
//! stand for is a coarse one, as long as the shortest way between both. It acts only when stretched, so that cloth folds as before.
//! Each particle stands for the mass that follows it: P of its finer neighbors, which go where the mean of their coarse ones does.

use std::collections::BTreeMap;

use glam::Vec3;

use super::coloring::color_greedy;
use super::kind::{Row, UNBOUNDED};

/// k: how many coarse neighbors a particle has that is left out. With one it would be dragged along by it.
const COARSE_NEIGHBORS: usize = 2;
/// A particle so many times as heavy as its neighbors is kept: what it pulls would else be spread.
const HEAVY: f64 = 4.0;
/// A level that has more than this part of the particles of the finer one is not made.
const LEAST_GAIN: f64 = 0.9;
/// Ways that differ by less are as long [relative].
const ALIKE: f64 = 1e-6;
/// Compliance of what is rigid [m/N]: so little that it adds nothing to what is soft, and yet counts how many are in series and side by
/// side, should all be softened.
const RIGID: f64 = 1e-30;
/// Steps in which directions are told apart: the cosine of the angle between them, rounded.
const DIRECTIONS: f64 = 64.0;

/// A particle that is left out goes where the mean of these goes; one that is kept has itself alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// Node of the next coarser level.
    pub(crate) node: u32,
    /// Its part; those of a particle have the sum 1.
    pub(crate) weight: f32,
}

/// A particle of some level and what moves it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Node {
    /// The particle of the scene.
    pub(crate) particle: u32,
    /// Its own mass over all that it stands for.
    pub(crate) share: f32,
    /// Nodes of the next coarser level that it follows.
    pub(crate) links: Vec<Link>,
}

/// A length of a coarse level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CoarseLength {
    /// Nodes of its level.
    pub(crate) nodes: [u32; 2],
    /// At rest [m].
    pub(crate) length: f32,
    /// The constraint that says how far it gives way, and how many times as far: ways are soft in series, and side by side stiff.
    pub(crate) source: u32,
    pub(crate) factor: f32,
    /// The length of the next coarser level that goes the same way.
    pub(crate) parent: Option<u32>,
}

/// Nodes of a level, and lengths between them, color after color.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Level {
    pub(crate) nodes: Vec<Node>,
    pub(crate) lengths: Vec<CoarseLength>,
    /// First length of each color, then the end.
    pub(crate) color_starts: Vec<u32>,
}

/// All levels of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Levels {
    /// Particles of the scene with what moves them; those of no length are not among them.
    pub(crate) leaves: Vec<Node>,
    /// The coarse levels, the finest first.
    pub(crate) coarse: Vec<Level>,
    /// Constraints of the scene that have a length of the finest coarse level that goes the same way: both of them.
    pub(crate) handed: Vec<(u32, u32)>,
}

/// A length while levels are made.
#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [usize; 2],
    length: f64,
    /// Compliance [m/N] of the way.
    compliance: f64,
    /// Constraint of the scene that is as soft, and its compliance.
    source: u32,
    base: f64,
}

impl Levels {
    /// At most `count` levels over the lengths among `rows`, the particles of the scene being the first one. `masses` [kg] are 0 where a
    /// particle is held; `torn` tells the rows that can break, over which nothing is built.
    pub(crate) fn new(
        rows: &[Row],
        positions: &[Vec3],
        masses: &[f32],
        torn: impl Fn(usize) -> bool,
        count: u32,
    ) -> Self {
        let mut levels = Self::default();
        let edges: Vec<Edge> =
            (0..rows.len()).filter(|i| !torn(*i)).filter_map(|i| Edge::new(i as u32, &rows[i])).collect();
        let (mut graph, rows) = Graph::new(edges, positions, masses);
        let mut finer: Vec<Node> = graph.nodes();
        for _ in 1..count {
            let Some(coarser) = graph.coarsen() else { break };
            for (node, links) in finer.iter_mut().zip(&coarser.links) {
                node.links.clone_from(links);
            }
            match levels.coarse.last_mut() {
                Some(level) => {
                    level.nodes = std::mem::take(&mut finer);
                    level.lengths.iter_mut().zip(&coarser.parents).for_each(|(own, parent)| own.parent = *parent);
                }
                None => {
                    levels.leaves = std::mem::take(&mut finer);
                    let parents = rows.iter().zip(&coarser.parents);
                    levels.handed = parents.filter_map(|(row, parent)| Some((*row, (*parent)?))).collect();
                }
            }
            graph = coarser.graph;
            finer = graph.nodes();
            levels.coarse.push(graph.level());
        }
        if let Some(last) = levels.coarse.last_mut() {
            last.nodes = finer;
        }
        levels
    }
}

impl Edge {
    /// The distance that a row keeps, if it keeps one.
    fn new(source: u32, row: &Row) -> Option<Self> {
        let kept = row.stretch().filter(|kept| !kept.tension_only && f64::from(kept.rest_length) < UNBOUNDED)?;
        let compliance = row.gives().next().map_or(0.0, |(k, _)| f64::from(row.values[k].abs())).max(RIGID);
        let ends = kept.particles.map(|p| p as usize);
        (ends[0] != ends[1] && kept.rest_length > 0.0).then_some(Self {
            ends,
            length: f64::from(kept.rest_length),
            compliance,
            source,
            base: compliance,
        })
    }
}

/// Particles of a level while coarser ones are made.
#[derive(Debug, Default)]
struct Graph {
    particles: Vec<u32>,
    places: Vec<Vec3>,
    /// What each stands for [kg]; 0 where it is held.
    masses: Vec<f64>,
    own: Vec<f64>,
    /// Number of what hangs together.
    objects: Vec<u32>,
    /// Color after color where they were colored.
    edges: Vec<Edge>,
    color_starts: Vec<u32>,
    /// Places in `edges` of those at each particle.
    at: Vec<Vec<u32>>,
}

/// What a coarser level is to the finer one.
struct Coarser {
    graph: Graph,
    links: Vec<Vec<Link>>,
    parents: Vec<Option<u32>>,
}

impl Graph {
    /// Over the particles that have edges; also returns the row of the scene of each edge.
    fn new(mut edges: Vec<Edge>, positions: &[Vec3], masses: &[f32]) -> (Self, Vec<u32>) {
        let mut places = vec![usize::MAX; positions.len()];
        edges.iter().flat_map(|edge| edge.ends).for_each(|i| places[i] = 0);
        let mut graph = Self::default();
        for (i, place) in places.iter_mut().enumerate().filter(|(_, place)| **place == 0) {
            *place = graph.particles.len();
            graph.particles.push(i as u32);
            graph.places.push(positions[i]);
            graph.masses.push(f64::from(masses[i]));
        }
        edges.iter_mut().for_each(|edge| edge.ends = edge.ends.map(|i| places[i]));
        let rows = edges.iter().map(|edge| edge.source).collect();
        graph.own = graph.masses.clone();
        graph.join(edges);
        graph.objects = graph.number_objects();
        (graph, rows)
    }

    fn join(&mut self, edges: Vec<Edge>) {
        self.at = vec![Vec::new(); self.particles.len()];
        for (edge, place) in edges.iter().zip(0..) {
            edge.ends.iter().for_each(|i| self.at[*i].push(place));
        }
        self.edges = edges;
    }

    fn number_objects(&self) -> Vec<u32> {
        let mut objects = vec![None; self.particles.len()];
        for (first, object) in (0..self.particles.len()).zip(0..) {
            let mut open = vec![first];
            while let Some(i) = open.pop() {
                if objects[i].is_none() {
                    objects[i] = Some(object);
                    open.extend(self.neighbors(i).map(|(other, _)| other));
                }
            }
        }
        objects.into_iter().flatten().collect()
    }

    /// Who is at the other end of its edges, and how far [m].
    fn neighbors(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        self.at[i].iter().map(move |place| {
            let Edge { ends: [a, b], length, .. } = self.edges[*place as usize];
            (if a == i { b } else { a }, length)
        })
    }

    fn nodes(&self) -> Vec<Node> {
        let share = |(own, all): (&f64, &f64)| if *all > 0.0 { (own / all) as f32 } else { 0.0 };
        let shares = self.own.iter().zip(&self.masses).map(share);
        self.particles.iter().zip(shares).map(|(p, share)| Node { particle: *p, share, links: Vec::new() }).collect()
    }

    /// Its lengths, color after color.
    fn level(&self) -> Level {
        let length = |edge: &Edge| CoarseLength {
            nodes: edge.ends.map(|i| i as u32),
            length: edge.length as f32,
            source: edge.source,
            factor: (edge.compliance / edge.base) as f32,
            parent: None,
        };
        Level {
            lengths: self.edges.iter().map(length).collect(),
            color_starts: self.color_starts.clone(),
            ..Level::default()
        }
    }

    /// The coarser level; none where it would hardly be smaller, or would have no lengths.
    fn coarsen(&self) -> Option<Coarser> {
        let ids = self.choose();
        let kept: Vec<usize> = (0..ids.len()).filter(|i| ids[*i].is_some()).collect();
        if kept.len() as f64 > LEAST_GAIN * ids.len() as f64 {
            return None;
        }
        let links: Vec<Vec<(usize, f64)>> = (0..ids.len()).map(|i| self.follow(i, &ids)).collect();
        let mut graph = Self {
            particles: kept.iter().map(|i| self.particles[*i]).collect(),
            places: kept.iter().map(|i| self.places[*i]).collect(),
            own: kept.iter().map(|i| self.own[*i]).collect(),
            masses: vec![0.0; kept.len()],
            objects: kept.iter().map(|i| self.objects[*i]).collect(),
            ..Self::default()
        };
        for (own, mass) in links.iter().zip(&self.masses) {
            let moving = own.iter().filter(|(node, _)| self.masses[kept[*node]] > 0.0);
            moving.for_each(|(node, weight)| graph.masses[*node] += weight * mass);
        }
        let edges = self.coarse_edges(&ids);
        if edges.is_empty() {
            return None;
        }
        graph.color(edges);
        self.soften(&mut graph);
        let parents = self.edges.iter().map(|edge| self.parent(edge, &links, &graph)).collect();
        let link = |(node, weight): &(usize, f64)| Link { node: *node as u32, weight: *weight as f32 };
        let links = links.iter().map(|own| own.iter().map(link).collect()).collect();
        Some(Coarser { graph, links, parents })
    }

    /// Which particles the coarser level keeps, by their number there.
    fn choose(&self) -> Vec<Option<usize>> {
        let heavy = |i: usize| {
            let others = self.neighbors(i).map(|(other, _)| self.masses[other]).fold(0.0, f64::max);
            self.masses[i] == 0.0 || self.masses[i] > HEAVY * others
        };
        let mut order: Vec<usize> = (0..self.at.len()).filter(|i| !self.at[*i].is_empty()).collect();
        order.sort_by_key(|i| !heavy(*i));
        let mut kept = vec![false; self.at.len()];
        let mut beside = vec![0; self.at.len()];
        let mut keep = |i: usize, beside: &mut Vec<usize>| {
            kept[i] = true;
            self.neighbors(i).for_each(|(other, _)| beside[other] += 1);
        };
        for i in &order {
            if beside[*i] == 0 {
                keep(*i, &mut beside);
            }
        }
        order.sort_unstable();
        for i in order {
            if beside[i] > 0 && beside[i] < COARSE_NEIGHBORS.min(self.at[i].len()) {
                keep(i, &mut beside);
            }
        }
        let mut next = 0..;
        kept.into_iter().map(|kept| kept.then(|| next.next()).flatten()).collect()
    }

    /// Nodes of the coarser level that a particle follows, the nearer the more.
    fn follow(&self, i: usize, ids: &[Option<usize>]) -> Vec<(usize, f64)> {
        if let Some(id) = ids[i] {
            return vec![(id, 1.0)];
        }
        // What no length joins any more follows nothing.
        let mut own: Vec<(usize, f64)> =
            self.neighbors(i).filter_map(|(other, far)| Some((ids[other]?, 1.0 / far))).collect();
        let sum: f64 = own.iter().map(|(_, weight)| weight).sum();
        own.iter_mut().for_each(|(_, weight)| *weight /= sum);
        own
    }

    /// For each two coarse nodes whose surroundings meet, the shortest way from one to the other.
    fn coarse_edges(&self, ids: &[Option<usize>]) -> Vec<Edge> {
        let nearest: Vec<Option<(usize, f64, u32)>> = (0..ids.len()).map(|i| self.nearest(i, ids)).collect();
        let mut found: BTreeMap<[usize; 2], Edge> = BTreeMap::new();
        for edge in &self.edges {
            let [Some(a), Some(b)] = edge.ends.map(|i| nearest[i]) else { continue };
            if a.0 == b.0 {
                continue;
            }
            let mut way = Edge { ends: [a.0.min(b.0), a.0.max(b.0)], ..*edge };
            for part in [a, b].iter().filter(|part| part.1 > 0.0).map(|part| self.edges[part.2 as usize]) {
                way.length += part.length;
                way.compliance += part.compliance;
                if part.base > way.base {
                    (way.source, way.base) = (part.source, part.base);
                }
            }
            let best = found.entry(way.ends).or_insert(way);
            if way.length < best.length * (1.0 - ALIKE) {
                *best = way;
            }
        }
        found.into_values().collect()
    }

    /// The coarse node nearest to a particle, how far that is [m], and the edge there.
    fn nearest(&self, i: usize, ids: &[Option<usize>]) -> Option<(usize, f64, u32)> {
        if let Some(id) = ids[i] {
            return Some((id, 0.0, 0));
        }
        let mut best: Option<(usize, f64, u32)> = None;
        for ((other, far), edge) in self.neighbors(i).zip(&self.at[i]) {
            let Some(id) = ids[other] else { continue };
            if best.is_none_or(|(_, least, _)| far < least * (1.0 - ALIKE)) {
                best = Some((id, far, *edge));
            }
        }
        best
    }

    /// Takes these edges, color after color: no two of one color move the same node.
    fn color(&mut self, edges: Vec<Edge>) {
        let moved: Vec<Vec<u32>> = edges
            .iter()
            .map(|edge| edge.ends.iter().filter(|i| self.masses[**i] > 0.0).map(|i| *i as u32).collect())
            .collect();
        let colors = color_greedy(edges.len(), self.particles.len(), |i| &moved[i]);
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by_key(|i| colors[*i]);
        let count = colors.iter().max().map_or(0, |last| last + 1);
        let start = |color: u32| order.partition_point(|i| colors[*i] < color) as u32;
        self.color_starts = (0..=count).map(start).collect();
        self.join(order.iter().map(|i| edges[*i]).collect());
    }

    /// Where fewer lengths go side by side each is as stiff as those that it stands for: under one strain all of an object
    /// has the energy that it has on the finer level, Σ d² / 2α with α that grows with d.
    fn soften(&self, coarse: &mut Self) {
        let mut lengths: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        for (place, graph) in [self, &*coarse].into_iter().enumerate() {
            for edge in &graph.edges {
                lengths.entry(graph.objects[edge.ends[0]]).or_default()[place] += edge.length;
            }
        }
        for edge in &mut coarse.edges {
            let [fine, own] = lengths[&coarse.objects[edge.ends[0]]];
            edge.compliance *= own / fine;
        }
    }

    /// The coarse edge around that goes most nearly the way of an edge, one between what its ends follow rather than another.
    fn parent(&self, edge: &Edge, links: &[Vec<(usize, f64)>], coarse: &Self) -> Option<u32> {
        let along = |graph: &Self, [a, b]: [usize; 2]| (graph.places[b] - graph.places[a]).normalize_or_zero();
        let own = along(self, edge.ends);
        let around: Vec<usize> = edge.ends.iter().flat_map(|i| &links[*i]).map(|(node, _)| *node).collect();
        let mut best: Option<((i64, bool), u32)> = None;
        for place in around.iter().flat_map(|node| &coarse.at[*node]) {
            let ends = coarse.edges[*place as usize].ends;
            let cosine = f64::from(own.dot(along(coarse, ends)).abs());
            let rank = ((cosine * DIRECTIONS).round() as i64, ends.iter().all(|i| around.contains(i)));
            if best.is_none_or(|(least, found)| rank > least || (rank == least && *place < found)) {
                best = Some((rank, *place));
            }
        }
        best.map(|(_, place)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::{Constraint, Distance};

    /// A chain of so many links of 0.1 m from a held particle.
    fn chain(links: u32) -> (Vec<Row>, Vec<Vec3>, Vec<f32>) {
        let places: Vec<Vec3> = (0..=links).map(|i| -0.1 * i as f32 * Vec3::Y).collect();
        let row = |i: u32| Distance { particles: [i, i + 1], rest_length: 0.1, compliance: 1e-6, tension_only: false };
        let masses = (0..=links).map(|i| if i == 0 { 0.0 } else { 1.0 }).collect();
        ((0..links).map(|i| row(i).row().unwrap()).collect(), places, masses)
    }

    /// A square sheet with one diagonal in each cell, its first row held if `held`.
    fn sheet(side: u32, held: bool) -> (Vec<Row>, Vec<Vec3>, Vec<f32>) {
        let id = |x: u32, y: u32| y * side + x;
        let places: Vec<Vec3> =
            (0..side * side).map(|i| 0.1 * Vec3::new((i % side) as f32, 0.0, (i / side) as f32)).collect();
        let mut rows = Vec::new();
        for (x, y) in (0..side * side).map(|i| (i % side, i / side)) {
            for (u, v) in [(x + 1, y), (x, y + 1), (x + 1, y + 1)].into_iter().filter(|(u, v)| *u < side && *v < side) {
                let particles = [id(x, y), id(u, v)];
                let at = particles.map(|p| places[p as usize]);
                rows.push(Distance::between(particles, at, 1e-6).row().unwrap());
            }
        }
        let masses = (0..side * side).map(|i| if held && i < side { 0.0 } else { 0.5 }).collect();
        (rows, places, masses)
    }

    fn check(levels: &Levels, masses: &[f32]) {
        let mut finer = &levels.leaves;
        for level in &levels.coarse {
            let kept: Vec<u32> = level.nodes.iter().map(|node| node.particle).collect();
            for node in finer.iter().filter(|node| !node.links.is_empty()) {
                let sum: f32 = node.links.iter().map(|link| link.weight).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{node:?}");
                let itself = node.links.iter().any(|link| kept[link.node as usize] == node.particle);
                assert_eq!(itself, node.links.len() == 1 && kept.contains(&node.particle), "{node:?}");
            }
            for range in level.color_starts.windows(2) {
                let mut moved: Vec<u32> = level.lengths[range[0] as usize..range[1] as usize]
                    .iter()
                    .flat_map(|length| length.nodes)
                    .filter(|node| masses[kept[*node as usize] as usize] > 0.0)
                    .collect();
                let count = moved.len();
                moved.sort_unstable();
                moved.dedup();
                assert_eq!(moved.len(), count, "a color moves a node twice");
            }
            assert_eq!(level.color_starts.last(), Some(&(level.lengths.len() as u32)));
            finer = &level.nodes;
        }
        assert!(finer.iter().all(|node| node.links.is_empty()), "the coarsest follows nothing");
    }

    #[test]
    fn every_second_link_of_a_chain_is_left_out_and_ways_are_as_long() {
        let (rows, places, masses) = chain(64);
        let levels = Levels::new(&rows, &places, &masses, |_| false, 32);
        check(&levels, &masses);
        assert_eq!(levels.coarse.iter().map(|level| level.nodes.len()).collect::<Vec<_>>(), [33, 17, 9, 5, 3, 2]);
        for (level, links) in levels.coarse.iter().zip([2, 4, 8, 16, 32, 64]) {
            let links = f64::from(links);
            for length in &level.lengths {
                assert!((f64::from(length.length) - 0.1 * links).abs() < 1e-5, "{length:?}");
                // Springs in series.
                assert!((f64::from(length.factor) - links).abs() < 1e-3, "{length:?}");
            }
        }
        // Mass is parted between the nodes, all but half a link at the held end.
        let last = &levels.coarse[5].nodes[1];
        assert!((1.0 / last.share - 32.5).abs() < 1e-3, "{last:?}");
        assert_eq!(levels.handed.len(), 64);
    }

    #[test]
    fn levels_of_a_sheet_are_sheets() {
        let (rows, places, masses) = sheet(33, false);
        let levels = Levels::new(&rows, &places, &masses, |_| false, 5);
        check(&levels, &masses);
        for (level, side) in levels.coarse.iter().zip([17, 9, 5, 3]) {
            let (coarse, ..) = sheet(side, false);
            assert_eq!((level.nodes.len() as u32, level.lengths.len()), (side * side, coarse.len()));
            // Two in series, and half as many side by side.
            let apart = level.lengths.iter().map(|length| (length.factor - 1.0).abs()).fold(0.0, f32::max);
            assert!(apart < 0.35, "{apart}");
            let mass: f32 = level.nodes.iter().map(|node| 0.5 / node.share).sum();
            assert!((mass / (0.5 * 33.0 * 33.0) - 1.0).abs() < 1e-5, "{mass} kg");
        }
    }

    #[test]
    fn what_is_left_out_has_coarse_neighbors_and_what_is_held_or_heavy_stays() {
        let (rows, places, mut masses) = sheet(20, true);
        masses[399] = 40.0;
        let levels = Levels::new(&rows, &places, &masses, |_| false, 4);
        check(&levels, &masses);
        let mut neighbors = vec![0; 400];
        rows.iter().flat_map(|row| row.joined()).for_each(|p| neighbors[*p as usize] += 1);
        for leaf in levels.leaves.iter().filter(|leaf| leaf.links.len() == 1) {
            let itself = levels.coarse[0].nodes[leaf.links[0].node as usize].particle == leaf.particle;
            assert!(itself || neighbors[leaf.particle as usize] == 1, "{leaf:?}");
        }
        for level in &levels.coarse {
            assert!(level.nodes.iter().any(|node| node.particle == 399), "the weight is kept");
            assert!(level.nodes.iter().any(|node| node.particle < 20), "some of the held row are kept");
        }
    }

    #[test]
    fn nothing_is_built_over_what_can_break_or_is_slack() {
        let (rows, places, masses) = chain(20);
        assert_eq!(Levels::new(&rows, &places, &masses, |_| true, 4), Levels::default());
        assert_eq!(Levels::new(&rows, &places, &masses, |_| false, 1), Levels::default());
        let mut slack = rows.clone();
        slack.iter_mut().for_each(Row::slacken);
        assert_eq!(Levels::new(&slack, &places, &masses, |_| false, 4), Levels::default());
        let part = Levels::new(&rows, &places, &masses, |i| i == 10, 8);
        check(&part, &masses);
        let crossing = |length: &CoarseLength, level: &Level| {
            let [a, b] = length.nodes.map(|node| level.nodes[node as usize].particle);
            (a <= 10) != (b <= 10)
        };
        assert!(part.coarse.iter().all(|level| !level.lengths.iter().any(|length| crossing(length, level))));
    }
}
