//! Partitions of constraints into groups that can be solved in parallel (papers 1 and 3). Where a partition has fewer colors than a
//! particle has constraints, the particle is split: copies of it, the phantom particles of paper 3, take part in some
//! constraints and are averaged afterwards.
//!
//! Algorithm 2 of paper 3 splits the particle of each clique larger than Q, then colors: [`Partition::Cliques`]. In
//! [`Partition::Phantom`] both happen together: each constraint takes the color that needs fewest new phantoms, so that exactly Q colors
//! always suffice.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use glam::Vec3;

use super::cliques::large_cliques;
use super::clusters::{cluster_rows, fit_clusters};
use super::coloring::{color_greedy, smallest_last};
use super::kind::{NO_PARTICLE, Row};
use super::user::{place_of, types_of};

/// Most particles of a cluster: [`crate::gpu::wgsl::constraints::clusters::CLUSTER_PARTICLES`].
const CLUSTER_ROOM: usize = 1024;
/// Largest Q.
const MOST_COLORS: u32 = 1024;

/// How constraints are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Partition {
    /// [`Clusters`](Self::Clusters) where every object fits one, which gives the same result as [`Colors`](Self::Colors); those
    /// else.
    #[default]
    Auto,
    /// Gauss-Seidel: as many colors as the greedy coloring of each type by itself needs.
    Colors,
    /// At most so many colors; particles are split where that is too few.
    Phantom(u32),
    /// The same by algorithm 2 of paper 3 as published: it splits a particle in all constraints of a clique, and what is left may need
    /// some colors more.
    Cliques(u32),
    /// Gauss-Seidel for so many colors; what they do not hold is averaged.
    Hybrid(u32),
    /// One color: every constraint has phantoms of its own.
    Jacobi,
    /// Gauss-Seidel within parts of at most 1024 particles, each solved by a workgroup in one dispatch; particles that parts share
    /// are averaged.
    Clusters,
}

impl Partition {
    /// What [`Partition::parse`] takes, in words.
    pub const ALLOWED: &'static str =
        "auto, colors, clusters, phantom:Q, cliques:Q, hybrid:Q or jacobi, with Q from 1 to 1024";

    /// A number for it, so that it fits into tables of numbers.
    pub fn code(self) -> f64 {
        match self {
            Self::Colors => 0.0,
            Self::Phantom(q) => 10_000.0 + f64::from(q),
            Self::Hybrid(q) => 20_000.0 + f64::from(q),
            Self::Jacobi => 30_000.0,
            Self::Clusters => 40_000.0,
            Self::Auto => 50_000.0,
            Self::Cliques(q) => 60_000.0 + f64::from(q),
        }
    }

    /// The partition of a [`code`](Self::code); `None` for other numbers.
    pub fn from_code(code: f64) -> Option<Self> {
        let q = (code % 10_000.0) as u32;
        let found = match code as u32 / 10_000 {
            0 => Self::Colors,
            1 => Self::Phantom(q),
            2 => Self::Hybrid(q),
            3 => Self::Jacobi,
            4 => Self::Clusters,
            6 => Self::Cliques(q),
            _ => Self::Auto,
        };
        (found.code() == code && q <= MOST_COLORS).then_some(found)
    }

    /// The partition written as [`ALLOWED`](Self::ALLOWED) says.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |q: &str| q.parse().ok().filter(|q| (1..=MOST_COLORS).contains(q));
        match text.trim().split_once(':') {
            None if text.trim() == "colors" => Some(Self::Colors),
            None if text.trim() == "jacobi" => Some(Self::Jacobi),
            None if text.trim() == "clusters" => Some(Self::Clusters),
            None if text.trim() == "auto" => Some(Self::Auto),
            Some(("phantom", q)) => number(q).map(Self::Phantom),
            Some(("cliques", q)) => number(q).map(Self::Cliques),
            Some(("hybrid", q)) => number(q).map(Self::Hybrid),
            _ => None,
        }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Colors => write!(f, "colors"),
            Self::Phantom(q) => write!(f, "phantom:{q}"),
            Self::Cliques(q) => write!(f, "cliques:{q}"),
            Self::Hybrid(q) => write!(f, "hybrid:{q}"),
            Self::Jacobi => write!(f, "jacobi"),
            Self::Clusters => write!(f, "clusters"),
            Self::Auto => write!(f, "auto"),
        }
    }
}

/// Constraints in solving order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partitioned {
    /// Constraint indices: by color, then type, shape [constraint_count].
    pub order: Vec<u32>,
    /// First place in `order` of each color, then the end, shape [color_count + 1].
    pub color_starts: Vec<u32>,
    /// For every constraint, the particles or phantoms that it moves; phantoms count on after the particles.
    pub slots: Vec<[u32; 4]>,
    /// First phantom and number of phantoms of each particle, shape [particle_count].
    pub phantoms: Vec<(u32, u32)>,
    /// The particle of each phantom, shape [phantom_count].
    pub originals: Vec<u32>,
    /// Whether phantoms belong to the last color alone, and start where the colors before it left their particles.
    pub hybrid: bool,
    /// The cluster of every constraint, shape [constraint_count], or nothing. No two clusters move the same particle or phantom.
    pub clusters: Vec<u32>,
}

impl Partitioned {
    /// Divides `rows`, where particles have these positions [m]: clusters are compact. `fixed` tells the particles that no constraint
    /// moves; only the others conflict.
    pub fn placed(rows: &[Row], positions: &[Vec3], fixed: impl Fn(u32) -> bool, partition: Partition) -> Self {
        match partition {
            Partition::Clusters => Self::clustered(rows, positions, fixed),
            Partition::Auto if fit_clusters(rows, positions.len(), CLUSTER_ROOM) => {
                Self::clustered(rows, positions, fixed)
            }
            _ => Self::new(rows, positions.len(), fixed, partition),
        }
    }

    /// The same without positions; clusters, which need them, are divided as colors.
    pub fn new(rows: &[Row], particle_count: usize, fixed: impl Fn(u32) -> bool, partition: Partition) -> Self {
        let moved: Vec<Vertices> = rows.iter().map(|row| Vertices::new(row, &fixed)).collect();
        let vertices = |i: usize| moved[i].list();
        let count = rows.len();
        let mut split = Split::new(rows, particle_count);
        let types = ByType::new(rows);
        let colors = match partition {
            Partition::Auto | Partition::Colors | Partition::Clusters => {
                types.colors(particle_count, vertices).of_all()
            }
            Partition::Phantom(most) => {
                let ranges = types.colors(particle_count, vertices).ranges(most);
                let order = smallest_last(count, particle_count, &vertices);
                split.fit_colors(order.into_iter().rev(), vertices, most, |i| ranges[types.kinds[i]].clone())
            }
            Partition::Cliques(most) => {
                let ranges = types.colors(particle_count, vertices).ranges(most);
                for (kind, range) in ranges.iter().enumerate() {
                    let own: Vec<usize> = (0..count).filter(|i| types.kinds[*i] == kind).collect();
                    split.part_cliques(&own, particle_count, vertices, range.len());
                }
                split.colors(rows, particle_count, &fixed)
            }
            Partition::Hybrid(most) => {
                let own = types.colors(particle_count, vertices);
                let ranges = own.ranges(most);
                let mut colors = own.colors.clone();
                for (i, color) in colors.iter_mut().enumerate() {
                    let range = &ranges[types.kinds[i]];
                    *color += range.start;
                    if *color >= range.end {
                        *color = most;
                        vertices(i).iter().for_each(|v| split.replace(i, *v));
                    }
                }
                colors
            }
            Partition::Jacobi => {
                let mut used = vec![false; particle_count];
                for i in 0..count {
                    for v in vertices(i).iter().filter(|v| std::mem::replace(&mut used[**v as usize], true)) {
                        split.replace(i, *v);
                    }
                }
                vec![0; count]
            }
        };
        let hybrid = matches!(partition, Partition::Hybrid(_)) && !split.counts.iter().all(|n| *n == 0);
        Partitioned { hybrid, ..split.finish(rows, &colors) }
    }

    fn clustered(rows: &[Row], positions: &[Vec3], fixed: impl Fn(u32) -> bool) -> Self {
        let clusters = cluster_rows(rows, positions, CLUSTER_ROOM);
        let mut split = Split::new(rows, positions.len());
        split.share(rows, &clusters, &fixed);
        let colors = split.colors(rows, positions.len(), &fixed);
        let mut out = split.finish(rows, &colors);
        out.order.sort_by_key(|i| (colors[*i as usize], clusters[*i as usize]));
        Partitioned { clusters, ..out }
    }

    /// Number of colors.
    pub fn colors(&self) -> u32 {
        self.color_starts.len().saturating_sub(1) as u32
    }
}

/// Rows by type: a color holds one type, so that one kernel solves all of it.
struct ByType {
    /// The type of each row, by its place in the types of all.
    kinds: Vec<usize>,
    /// How many types there are.
    count: usize,
}

/// Greedy colors of each type by itself.
struct TypeColors<'a> {
    types: &'a ByType,
    /// Of each row, counted within its type.
    colors: Vec<u32>,
    /// How many each type has.
    counts: Vec<u32>,
}

impl ByType {
    fn new(rows: &[Row]) -> Self {
        let types = types_of(rows);
        Self { kinds: rows.iter().map(|row| place_of(&types, row.kind)).collect(), count: types.len() }
    }

    fn colors<'a>(&self, particle_count: usize, vertices: impl Fn(usize) -> &'a [u32]) -> TypeColors<'_> {
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); self.count];
        self.kinds.iter().enumerate().for_each(|(i, kind)| own[*kind].push(i));
        let (mut colors, mut counts) = (vec![0; self.kinds.len()], vec![0; self.count]);
        for (own, count) in own.iter().zip(&mut counts).filter(|(own, _)| !own.is_empty()) {
            let found = color_greedy(own.len(), particle_count, |i| vertices(own[i]));
            own.iter().zip(&found).for_each(|(i, color)| colors[*i] = *color);
            *count = found.iter().max().map_or(0, |last| last + 1);
        }
        TypeColors { types: self, colors, counts }
    }
}

impl TypeColors<'_> {
    /// Colors counted over all types. Types take turns, each in proportion to its colors: what one type does wrong at a blow, another
    /// mends before it goes on.
    fn of_all(&self) -> Vec<u32> {
        let mut turns: Vec<(u32, u32, usize)> = Vec::new();
        for (kind, count) in self.counts.iter().enumerate() {
            turns.extend((0..*count).map(|color| ((2 * color + 1) * 0x8000 / count, color, kind)));
        }
        turns.sort_unstable_by_key(|(turn, _, kind)| (*turn, *kind));
        let mut places: Vec<Vec<u32>> = self.counts.iter().map(|count| vec![0; *count as usize]).collect();
        for ((_, color, kind), place) in turns.into_iter().zip(0..) {
            places[kind][color as usize] = place;
        }
        self.colors.iter().zip(&self.types.kinds).map(|(color, kind)| places[*kind][*color as usize]).collect()
    }

    /// Which of `most` colors each type may take: of its own, in proportion to what it needs; any where types are more than colors.
    fn ranges(&self, most: u32) -> Vec<Range<u32>> {
        let present = self.counts.iter().filter(|count| **count > 0).count() as u32;
        if most < present {
            return vec![0..most; self.counts.len()];
        }
        let (mut left, mut needed) = (most, self.counts.iter().sum::<u32>());
        let (mut others, mut first) = (present, 0);
        let mut ranges = Vec::new();
        for count in &self.counts {
            let mut share = 0;
            if *count > 0 {
                others -= 1;
                // The last one takes what is left, and every later one has a color.
                share = (left * count).div_ceil(needed).clamp(1, left - others);
            }
            ranges.push(first..first + share);
            (left, needed, first) = (left - share, needed - count, first + share);
        }
        ranges
    }
}

/// The particles that a row moves.
struct Vertices([u32; 4]);

impl Vertices {
    fn new(row: &Row, fixed: &impl Fn(u32) -> bool) -> Self {
        Self::of(row.joined().iter().copied().filter(|particle| !fixed(*particle)))
    }

    /// The slots of those that it moves.
    fn of_slots(row: &Row, slots: [u32; 4], fixed: &impl Fn(u32) -> bool) -> Self {
        let moved = row.joined().iter().zip(slots).filter(|(particle, _)| !fixed(**particle));
        Self::of(moved.map(|(_, slot)| slot))
    }

    fn of(vertices: impl Iterator<Item = u32>) -> Self {
        let mut own = Self([NO_PARTICLE; 4]);
        own.0.iter_mut().zip(vertices).for_each(|(place, vertex)| *place = vertex);
        own
    }

    fn list(&self) -> &[u32] {
        let count = self.0.iter().position(|vertex| *vertex == NO_PARTICLE);
        &self.0[..count.unwrap_or(self.0.len())]
    }
}

/// The particle that is named most often, the lowest of several.
fn most_shared<'a>(particles: impl Iterator<Item = &'a u32>) -> u32 {
    let mut counts = BTreeMap::new();
    particles.for_each(|p| *counts.entry(*p).or_insert(0_u32) += 1);
    counts.into_iter().max_by_key(|(p, count)| (*count, Reverse(*p))).map_or(NO_PARTICLE, |(p, _)| p)
}

/// Colors in use at a phantom, one bit each. The first 64, which are mostly all, are where the set is.
#[derive(Clone, Debug, Default)]
struct ColorSet {
    first: u64,
    more: Vec<u64>,
}

impl ColorSet {
    fn contains(&self, color: u32) -> bool {
        let word = match color as usize / 64 {
            0 => self.first,
            word => self.more.get(word - 1).copied().unwrap_or(0),
        };
        word >> (color % 64) & 1 == 1
    }

    fn insert(&mut self, color: u32) {
        let bit = 1 << (color % 64);
        match color as usize / 64 {
            0 => self.first |= bit,
            word => {
                self.more.resize(self.more.len().max(word), 0);
                self.more[word - 1] |= bit;
            }
        }
    }
}

/// Phantoms being made: per particle they are numbered from 1; 0 is the particle itself.
struct Split {
    /// Which phantom each place of each constraint uses.
    chosen: Vec<[u32; 4]>,
    particles: Vec<[u32; 4]>,
    counts: Vec<u32>,
}

impl Split {
    fn new(rows: &[Row], particle_count: usize) -> Self {
        let particles = rows.iter().map(|r| r.particles).collect();
        Self { chosen: vec![[0; 4]; rows.len()], particles, counts: vec![0; particle_count] }
    }

    /// Lets constraint `i` use a new phantom of `particle`.
    fn replace(&mut self, i: usize, particle: u32) {
        self.counts[particle as usize] += 1;
        self.choose(i, particle, self.counts[particle as usize]);
    }

    fn choose(&mut self, i: usize, particle: u32, phantom: u32) {
        for (place, p) in self.chosen[i].iter_mut().zip(self.particles[i]) {
            if p == particle {
                *place = phantom;
            }
        }
    }

    /// Algorithm 2 of paper 3, until no clique of the constraints `own` is larger than `most`.
    fn part_cliques<'a>(
        &mut self,
        own: &[usize],
        particle_count: usize,
        vertices: impl Fn(usize) -> &'a [u32],
        most: usize,
    ) {
        // What constraints share; a phantom is of one alone.
        let mut shared: Vec<Vec<u32>> = own.iter().map(|i| vertices(*i).to_vec()).collect();
        loop {
            let cliques = large_cliques(own.len(), particle_count, |i| &shared[i], most);
            if cliques.is_empty() {
                return;
            }
            for clique in cliques {
                // Those that an earlier one has parted are found again, if they are still too large.
                let touch = |a: &u32, b: &u32| shared[*a as usize].iter().any(|v| shared[*b as usize].contains(v));
                if !clique.iter().all(|a| clique.iter().all(|b| touch(a, b))) {
                    continue;
                }
                let particle = most_shared(clique.iter().flat_map(|i| &shared[*i as usize]));
                let holds = |i: &usize| shared[*i].contains(&particle);
                let parted: Vec<usize> = clique.into_iter().map(|i| i as usize).filter(holds).collect();
                for i in parted {
                    shared[i].retain(|v| *v != particle);
                    self.replace(own[i], particle);
                }
            }
        }
    }

    /// Greedy colors of constraints that move their phantoms.
    fn colors(&self, rows: &[Row], particle_count: usize, fixed: &impl Fn(u32) -> bool) -> Vec<u32> {
        let slots = self.slots();
        let count = particle_count + self.counts.iter().sum::<u32>() as usize;
        let moved: Vec<Vertices> = (0..rows.len()).map(|i| Vertices::of_slots(&rows[i], slots[i], fixed)).collect();
        ByType::new(rows).colors(count, |i| moved[i].list()).of_all()
    }

    /// Gives each cluster but the first its own phantom of a particle that it moves.
    fn share(&mut self, rows: &[Row], clusters: &[u32], fixed: &impl Fn(u32) -> bool) {
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        order.sort_by_key(|i| clusters[*i as usize]);
        // Of each particle the last cluster that has it.
        let mut last = vec![u32::MAX; self.counts.len()];
        for i in order.into_iter().map(|i| i as usize) {
            for particle in rows[i].joined().iter().filter(|p| !fixed(**p)) {
                let (own, last) = (clusters[i], &mut last[*particle as usize]);
                if *last != own {
                    self.counts[*particle as usize] += u32::from(*last != u32::MAX);
                    *last = own;
                }
                self.choose(i, *particle, self.counts[*particle as usize]);
            }
        }
    }

    /// The particles or phantoms of each constraint; phantoms count on after the particles.
    fn slots(&self) -> Vec<[u32; 4]> {
        let mut firsts = Vec::with_capacity(self.counts.len());
        let mut next = self.counts.len() as u32;
        for count in &self.counts {
            firsts.push(next);
            next += count;
        }
        let slot = |particle: u32, phantom: u32| match phantom {
            0 => particle,
            phantom => firsts[particle as usize] + phantom - 1,
        };
        let places = |i: usize| std::array::from_fn(|k| slot(self.particles[i][k], self.chosen[i][k]));
        (0..self.chosen.len()).map(places).collect()
    }

    /// Colors below `most` for all constraints in this order, each out of its range, with phantoms where a color is taken.
    fn fit_colors<'a>(
        &mut self,
        order: impl Iterator<Item = u32>,
        vertices: impl Fn(usize) -> &'a [u32],
        most: u32,
        range: impl Fn(usize) -> Range<u32>,
    ) -> Vec<u32> {
        let mut colors = vec![0; self.chosen.len()];
        let mut taken: Vec<Vec<ColorSet>> = vec![vec![ColorSet::default()]; self.counts.len()];
        let mut sizes = vec![0_u32; most as usize];
        for i in order.map(|i| i as usize) {
            let full = |v: &u32, color: u32| taken[*v as usize].iter().all(|set| set.contains(color));
            let cost = |color: u32| vertices(i).iter().filter(|v| full(v, color)).count();
            // Among equals the emptiest color, which balances them.
            let color = range(i).min_by_key(|c| (cost(*c), sizes[*c as usize])).unwrap_or(0);
            for v in vertices(i) {
                let sets = &mut taken[*v as usize];
                let phantom = sets.iter().position(|set| !set.contains(color)).unwrap_or_else(|| {
                    sets.push(ColorSet::default());
                    sets.len() - 1
                });
                sets[phantom].insert(color);
                self.counts[*v as usize] = sets.len() as u32 - 1;
                self.choose(i, *v, phantom as u32);
            }
            sizes[color as usize] += 1;
            colors[i] = color;
        }
        colors
    }

    fn finish(self, rows: &[Row], colors: &[u32]) -> Partitioned {
        let mut out = Partitioned::default();
        let mut next = self.counts.len() as u32;
        for (particle, count) in self.counts.iter().enumerate() {
            out.phantoms.push((next, *count));
            out.originals.extend(std::iter::repeat_n(particle as u32, *count as usize));
            next += count;
        }
        out.slots = self.slots();
        let ByType { kinds, .. } = ByType::new(rows);
        out.order = (0..rows.len() as u32).collect();
        out.order.sort_by_key(|i| (colors[*i as usize], kinds[*i as usize]));
        for (place, i) in out.order.iter().enumerate() {
            if place == 0 || colors[*i as usize] != colors[out.order[place - 1] as usize] {
                out.color_starts.push(place as u32);
            }
        }
        out.color_starts.push(rows.len() as u32);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    use crate::constraints::{Constraint, Distance, Particles, Solving, Stiffness, Sweep, validate_coloring};

    fn grid(side: u32) -> Vec<Row> {
        let edge = |a, b| {
            Distance { particles: [a, b], rest_length: 1.0, compliance: 0.0, tension_only: false }.row().unwrap()
        };
        let at = |x, y| y * side + x;
        let mut rows = Vec::new();
        for (x, y) in (0..side * side).map(|i| (i % side, i / side)) {
            rows.extend((x + 1 < side).then(|| edge(at(x, y), at(x + 1, y))));
            rows.extend((y + 1 < side).then(|| edge(at(x, y), at(x, y + 1))));
            rows.extend((x + 1 < side && y + 1 < side).then(|| edge(at(x, y), at(x + 1, y + 1))));
        }
        rows
    }

    #[test]
    fn clusters_have_room_and_share_nothing_that_moves() {
        // A net of several clusters, and small ones that fit one.
        let mut rows = grid(60);
        let net = rows.len();
        for i in 0..200 {
            let mut row = rows[0];
            row.particles[..2].copy_from_slice(&[3600 + 2 * i, 3601 + 2 * i]);
            rows.push(row);
        }
        let positions: Vec<Vec3> = (0..4000).map(|i| Vec3::new((i % 60) as f32, (i / 60) as f32, 0.0)).collect();
        let p = Partitioned::placed(&rows, &positions, |i| i == 0, Partition::Clusters);
        let count = p.clusters.iter().max().unwrap() + 1;
        assert!((5..=7).contains(&count), "{count} clusters for 4000 particles");
        let mut owner = std::collections::HashMap::new();
        let mut members = vec![std::collections::HashSet::new(); count as usize];
        for (i, cluster) in p.clusters.iter().enumerate() {
            for slot in &p.slots[i][..2] {
                assert!(*slot == 0 || *owner.entry(*slot).or_insert(*cluster) == *cluster, "{slot} is in two clusters");
                members[*cluster as usize].insert(*slot);
            }
        }
        assert!(members.iter().all(|own| own.len() <= CLUSTER_ROOM));
        assert!(p.originals.len() < 3600 / 5, "{} phantoms", p.originals.len());
        let small: std::collections::HashSet<u32> = p.clusters[net..].iter().copied().collect();
        assert_eq!(small.len(), 1);
    }

    #[test]
    fn every_partition_holds_every_constraint_once_without_clashes() {
        let rows = grid(12);
        for (partition, most) in [
            (Partition::Colors, 7),
            (Partition::Phantom(3), 3),
            (Partition::Phantom(1), 1),
            (Partition::Cliques(3), 4),
            (Partition::Cliques(1), 1),
            (Partition::Hybrid(4), 5),
            (Partition::Jacobi, 1),
        ] {
            let p = Partitioned::new(&rows, 144, |i| i == 0, partition);
            assert!(p.colors() <= most, "{partition}: {} colors", p.colors());
            let mut colors = vec![u32::MAX; rows.len()];
            for (color, range) in p.color_starts.windows(2).enumerate() {
                p.order[range[0] as usize..range[1] as usize].iter().for_each(|i| colors[*i as usize] = color as u32);
            }
            assert!(!colors.contains(&u32::MAX), "{partition}: a constraint is lost");
            // Particle 0 is fixed, so it may be in several constraints of a color.
            let slots: Vec<Vec<u32>> =
                p.slots.iter().map(|s| s[..2].iter().copied().filter(|s| *s != 0).collect()).collect();
            validate_coloring(&colors, 144 + p.originals.len(), |i| &slots[i]).unwrap();
            for (row, slots) in rows.iter().zip(&p.slots) {
                for (particle, slot) in row.joined().iter().zip(slots) {
                    let original = slot.checked_sub(144).map(|c| p.originals[c as usize]);
                    assert_eq!(original.unwrap_or(*slot), *particle);
                }
            }
            assert_eq!(p.originals.is_empty(), partition == Partition::Colors);
        }
    }

    #[test]
    fn a_star_is_parted_as_published() {
        // Fig. 4 of paper 3: five spokes and a rim of five around particle 0 are made of two colors by five phantoms and their mean.
        let edge = |a: u32, b: u32| {
            Distance { particles: [a, b], rest_length: 1.0, compliance: 0.0, tension_only: false }.row().unwrap()
        };
        let rows: Vec<Row> = (1..6).flat_map(|i| [edge(0, i), edge(i, i % 5 + 1)]).collect();
        let p = Partitioned::new(&rows, 6, |_| false, Partition::Cliques(3));
        assert_eq!((p.originals.as_slice(), p.colors()), ([0; 5].as_slice(), 3));
        assert!(rows.iter().zip(&p.slots).all(|(row, slots)| row.particles[0] != 0 || slots[0] >= 6));
        let whole = Partitioned::new(&rows, 6, |_| false, Partition::Cliques(5));
        assert_eq!((whole.originals.len(), whole.colors()), (0, 5));
    }

    #[test]
    fn a_hybrid_converges_faster_than_jacobi() {
        let rows: Vec<Row> = grid(12).into_iter().filter(|row| row.particles[1] != row.particles[0] + 13).collect();
        let residual = |partition| {
            let divided = Partitioned::new(&rows, 144, |_| false, partition);
            let position = (0..144).map(|i| 1.3 * DVec3::new(f64::from(i % 12), f64::from(i / 12), 0.0)).collect();
            let still = vec![DVec3::ZERO; 144];
            let mut particles = Particles { position, velocity: still, inverse_mass: vec![1.0; 144] };
            let solving = Solving { h: 1.0, iterations: 12, stiffness: Stiffness::of_all(1.0), threaded: false };
            Sweep::new(&rows, &divided).solve(&mut particles, solving);
            let length = |row: &Row| {
                particles.position[row.particles[0] as usize].distance(particles.position[row.particles[1] as usize])
            };
            rows.iter().map(|row| (length(row) - 1.0).powi(2)).sum::<f64>().sqrt()
        };
        let [colors, hybrid, jacobi] = [Partition::Colors, Partition::Hybrid(2), Partition::Jacobi].map(residual);
        assert!(colors < hybrid && hybrid < 0.9 * jacobi, "colors {colors}, hybrid {hybrid}, jacobi {jacobi}");
    }

    #[test]
    fn names_read_back() {
        for name in ["auto", "colors", "clusters", "phantom:6", "cliques:5", "hybrid:12", "jacobi"] {
            let partition = Partition::parse(name).unwrap();
            assert_eq!((partition.to_string(), Partition::from_code(partition.code())), (name.into(), Some(partition)));
        }
        for name in ["phantom", "phantom:0", "hybrid:x", "colours", "phantom:2000"] {
            assert_eq!(Partition::parse(name), None, "{name}");
        }
    }

    #[test]
    fn large_meshes_are_colored_in_seconds() {
        let rows = grid(520);
        let begun = std::time::Instant::now();
        let p = Partitioned::new(&rows, 520 * 520, |_| false, Partition::Colors);
        assert!(rows.len() > 800_000 && p.colors() <= 11, "{} colors", p.colors());
        assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    }
}
