//! Greedy graph coloring with smallest-last ordering (papers 1 and 3), then in better orders: constraints of one color
//! share no vertex, so one dispatch can solve them all without a race.

use thiserror::Error;

/// Two constraints of one color that touch the same vertex.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("constraints {first} and {second} both have color {color} and touch vertex {vertex}")]
pub struct ColoringError {
    /// One constraint.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Their color.
    pub color: u32,
    /// What they share.
    pub vertex: u32,
}

/// Most times that a coloring is made anew to save colors.
const RECOLORINGS: u64 = 40;

/// A color for every constraint. `vertices(i)` lists what constraint `i` writes, each below `vertex_count`.
///
/// Uses at most one color more than the degeneracy of the conflict graph, and at least [`largest_clique`] many.
pub fn color_greedy<'a>(count: usize, vertex_count: usize, vertices: impl Fn(usize) -> &'a [u32]) -> Vec<u32> {
    let order = smallest_last(count, vertex_count, &vertices);
    let fewest = largest_clique(count, vertex_count, &vertices);
    let last_first = order.into_iter().rev().map(|i| (i, vertices(i as usize)));
    let mut colors = first_fit(last_first, count, vertex_count);
    for pass in 0..RECOLORINGS {
        if color_count(&colors) <= fewest {
            break;
        }
        colors = recolored(&colors, pass, vertex_count, &vertices);
    }
    colors
}

/// Colors by first fit in another order: never more than before, and often fewer (iterated greedy, Culberson 1992).
fn recolored<'a>(colors: &[u32], pass: u64, vertex_count: usize, vertices: &impl Fn(usize) -> &'a [u32]) -> Vec<u32> {
    let sorted = Sorted::new(colors, order_of_classes(colors, pass), vertices);
    first_fit(sorted.all(), colors.len(), vertex_count)
}

/// The most constraints at one vertex. They all conflict, so no coloring has fewer colors.
pub fn largest_clique<'a>(count: usize, vertex_count: usize, vertices: impl Fn(usize) -> &'a [u32]) -> u32 {
    let mut at = vec![0; vertex_count];
    (0..count).flat_map(&vertices).for_each(|v| at[*v as usize] += 1);
    at.into_iter().max().unwrap_or(0)
}

fn color_count(colors: &[u32]) -> u32 {
    colors.iter().max().map_or(0, |most| most + 1)
}

/// The lowest color that is free, for one constraint with what it writes after the other.
fn first_fit<'a>(all: impl Iterator<Item = (u32, &'a [u32])>, count: usize, vertex_count: usize) -> Vec<u32> {
    let mut taken = Taken { first: vec![0; vertex_count], more: Vec::new() };
    let mut colors = vec![0; count];
    for (i, own) in all {
        let color = taken.lowest_free(own);
        own.iter().for_each(|v| taken.insert(*v as usize, color));
        colors[i as usize] = color;
    }
    colors
}

/// Colors in the order in which their constraints are colored anew: the last first, the largest first, or shuffled, in turn.
fn order_of_classes(colors: &[u32], pass: u64) -> Vec<u32> {
    let mut classes: Vec<u32> = (0..color_count(colors)).collect();
    match pass % 4 {
        0 | 2 => classes.reverse(),
        1 => {
            let mut sizes = vec![0_u64; classes.len()];
            colors.iter().for_each(|color| sizes[*color as usize] += 1);
            classes.sort_by_key(|color| std::cmp::Reverse(sizes[*color as usize]));
        }
        _ => classes.sort_by_key(|color| scrambled(pass << 32 | u64::from(*color))),
    }
    classes
}

/// Constraints color by color, with what they write side by side: looked up one by one, each would wait for memory.
struct Sorted {
    constraints: Vec<u32>,
    starts: Vec<u32>,
    vertices: Vec<u32>,
}

impl Sorted {
    fn new<'a>(colors: &[u32], classes: Vec<u32>, vertices: &impl Fn(usize) -> &'a [u32]) -> Self {
        // Of each color how many constraints there are and how much they write, then where the next of it goes.
        let mut next = vec![(0, 0); classes.len()];
        for (i, color) in colors.iter().enumerate() {
            let (constraints, written) = &mut next[*color as usize];
            (*constraints, *written) = (*constraints + 1, *written + vertices(i).len());
        }
        let mut end = (0, 0);
        for color in classes {
            let (constraints, written) = std::mem::replace(&mut next[color as usize], end);
            end = (end.0 + constraints, end.1 + written);
        }
        let mut sorted =
            Self { constraints: vec![0; end.0], starts: vec![end.1 as u32; end.0 + 1], vertices: vec![0; end.1] };
        for (i, color) in colors.iter().enumerate() {
            let (own, (place, start)) = (vertices(i), &mut next[*color as usize]);
            sorted.constraints[*place] = i as u32;
            sorted.starts[*place] = *start as u32;
            sorted.vertices[*start..*start + own.len()].copy_from_slice(own);
            (*place, *start) = (*place + 1, *start + own.len());
        }
        sorted
    }

    fn all(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let lists = self.starts.windows(2).map(|ends| &self.vertices[ends[0] as usize..ends[1] as usize]);
        self.constraints.iter().copied().zip(lists)
    }
}

/// A number that looks random, the same in every run (splitmix64, Steele et al. 2014).
fn scrambled(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Colors in use at each vertex, one bit each. The first 64, which are mostly all, lie side by side.
struct Taken {
    first: Vec<u64>,
    /// For each vertex, once there is one with more colors.
    more: Vec<Vec<u64>>,
}

impl Taken {
    fn insert(&mut self, vertex: usize, color: u32) {
        let bit = 1 << (color % 64);
        match color as usize / 64 {
            0 => self.first[vertex] |= bit,
            word => {
                self.more.resize(self.first.len(), Vec::new());
                let more = &mut self.more[vertex];
                more.resize(more.len().max(word), 0);
                more[word - 1] |= bit;
            }
        }
    }

    /// The lowest color that none of these vertices has.
    fn lowest_free(&self, vertices: &[u32]) -> u32 {
        let first = vertices.iter().fold(0, |all, v| all | self.first[*v as usize]);
        if first != u64::MAX {
            return first.trailing_ones();
        }
        for word in 0.. {
            let used = vertices.iter().fold(0, |all, v| all | self.more_of(*v as usize, word));
            if used != u64::MAX {
                return 64 + word as u32 * 64 + used.trailing_ones();
            }
        }
        unreachable!("finite lists leave a color free")
    }

    fn more_of(&self, vertex: usize, word: usize) -> u64 {
        self.more.get(vertex).and_then(|more| more.get(word)).copied().unwrap_or(0)
    }
}

/// Constraints in the order in which the one with fewest remaining neighbors is taken away (Matula and Beck 1983), by
/// bucket sort (Batagelj and Zaversnik 2003). Neighbors are found through the cliques that a shared vertex makes; who
/// shares two vertices counts twice.
pub(super) fn smallest_last<'a>(count: usize, vertex_count: usize, vertices: &impl Fn(usize) -> &'a [u32]) -> Vec<u32> {
    let cliques = Cliques::new(count, vertex_count, vertices);
    let degree_of = |i: usize| vertices(i).iter().map(|v| cliques.of(*v).len() - 1).sum::<usize>();
    let mut degree: Vec<usize> = (0..count).map(degree_of).collect();
    let most = degree.iter().max().copied().unwrap_or(0);
    let mut bin = vec![0; most + 2];
    degree.iter().for_each(|d| bin[d + 1] += 1);
    for d in 0..=most {
        bin[d + 1] += bin[d];
    }
    let (mut order, mut place) = (vec![0_u32; count], vec![0; count]);
    let mut next = bin.clone();
    for i in 0..count {
        place[i] = next[degree[i]];
        order[place[i]] = i as u32;
        next[degree[i]] += 1;
    }
    for at in 0..count {
        let i = order[at] as usize;
        for j in vertices(i).iter().flat_map(|v| cliques.of(*v)).map(|j| *j as usize) {
            // What is not yet taken away moves to the front of its bucket, and the bucket shrinks past it.
            if degree[j] > degree[i] {
                let first = bin[degree[j]];
                let moved = order[first] as usize;
                order.swap(place[j], first);
                place[moved] = place[j];
                place[j] = first;
                bin[degree[j]] += 1;
                degree[j] -= 1;
            }
        }
    }
    order
}

/// The constraints at each vertex.
struct Cliques {
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl Cliques {
    fn new<'a>(count: usize, vertex_count: usize, vertices: &impl Fn(usize) -> &'a [u32]) -> Self {
        let mut starts = vec![0; vertex_count + 1];
        (0..count).flat_map(vertices).for_each(|v| starts[*v as usize + 1] += 1);
        for v in 0..vertex_count {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts[vertex_count]];
        for i in 0..count {
            for v in vertices(i) {
                members[next[*v as usize]] = i as u32;
                next[*v as usize] += 1;
            }
        }
        Self { starts, members }
    }

    fn of(&self, vertex: u32) -> &[u32] {
        &self.members[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }
}

/// Checks that no two constraints of one color share a vertex.
///
/// # Errors
/// The first clash found.
pub fn validate_coloring<'a>(
    colors: &[u32],
    vertex_count: usize,
    vertices: impl Fn(usize) -> &'a [u32],
) -> Result<(), ColoringError> {
    let mut owners: Vec<Vec<(u32, usize)>> = vec![Vec::new(); vertex_count];
    for (second, color) in colors.iter().enumerate() {
        for vertex in vertices(second) {
            let here = &mut owners[*vertex as usize];
            if let Some((_, first)) = here.iter().find(|(c, _)| c == color) {
                return Err(ColoringError { first: *first, second, color: *color, vertex: *vertex });
            }
            here.push((*color, second));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edges: &[[u32; 2]], vertex_count: usize, most: u32) {
        let colors = color_greedy(edges.len(), vertex_count, |i| &edges[i]);
        validate_coloring(&colors, vertex_count, |i| &edges[i]).unwrap();
        let used = colors.iter().max().map_or(0, |c| c + 1);
        assert!(used <= most, "{used} colors, at most {most}");
    }

    #[test]
    fn few_colors_for_simple_graphs() {
        check(&[], 0, 0);
        let chain: Vec<_> = (0..100).map(|i| [i, i + 1]).collect();
        check(&chain, 101, 2);
        let star: Vec<_> = (1..9).map(|i| [0, i]).collect();
        check(&star, 9, 8);
        let many: Vec<_> = (1..=200).map(|i| [0, i]).collect();
        check(&many, 201, 200);
        let grid: Vec<_> =
            (0..900).flat_map(|i| [[i, i + 1], [i, i + 30]]).filter(|e| e[0] % 30 != 29 || e[1] != e[0] + 1).collect();
        check(&grid, 931, 7);
    }

    #[test]
    fn recoloring_never_takes_more_colors() {
        // Every vertex has the same number of rows, so where first fit begins decides how well it goes.
        let row = |i: u32, [a, b]: [u32; 2]| [i, (i + a) % 300, (i + b) % 300];
        let rows: Vec<[u32; 3]> =
            [[1, 17], [5, 40], [7, 90], [23, 131]].into_iter().flat_map(|o| (0..300).map(move |i| row(i, o))).collect();
        let vertices = |i: usize| &rows[i][..];
        let order = smallest_last(rows.len(), 300, &vertices);
        let last_first = order.into_iter().rev().map(|i| (i, vertices(i as usize)));
        let mut colors = first_fit(last_first, rows.len(), 300);
        let first = color_count(&colors);
        for pass in 0..12 {
            let before = color_count(&colors);
            colors = recolored(&colors, pass, 300, &vertices);
            validate_coloring(&colors, 300, vertices).unwrap();
            assert!(color_count(&colors) <= before);
        }
        assert!(color_count(&colors) < first, "{first} colors at first");
        assert!(color_count(&color_greedy(rows.len(), 300, vertices)) >= largest_clique(rows.len(), 300, vertices));
    }

    #[test]
    fn clashes_are_found() {
        let edges = [[0, 1], [1, 2]];
        let error = validate_coloring(&[0, 0], 3, |i| &edges[i]).unwrap_err();
        assert_eq!((error.first, error.second, error.vertex), (0, 1, 1));
    }
}
