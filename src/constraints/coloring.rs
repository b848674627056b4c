//! Greedy graph coloring with smallest-last ordering (papers 1 and 3): constraints of one color share no vertex, so
//! one dispatch can solve them all without a race.

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

/// A color for every constraint. `vertices(i)` lists what constraint `i` writes, each below `vertex_count`.
///
/// Uses at most one color more than the degeneracy of the conflict graph.
pub fn color_greedy<'a>(count: usize, vertex_count: usize, vertices: impl Fn(usize) -> &'a [u32]) -> Vec<u32> {
    let mut touching = vec![Vec::new(); vertex_count];
    for i in 0..count {
        for v in vertices(i) {
            touching[*v as usize].push(i as u32);
        }
    }
    let neighbors =
        |i: usize| vertices(i).iter().flat_map(|v| &touching[*v as usize]).filter(move |j| **j as usize != i);
    let order = smallest_last(count, &neighbors);
    let mut colors = vec![u32::MAX; count];
    let mut used = Vec::new();
    for i in order.into_iter().rev() {
        used.clear();
        used.extend(neighbors(i).map(|j| colors[*j as usize]).filter(|c| *c != u32::MAX));
        used.sort_unstable();
        used.dedup();
        // The colors in use are sorted and distinct: the first that differs from its place leaves a gap there.
        let free = used.iter().zip(0..).take_while(|(c, k)| **c == *k).count();
        colors[i] = free as u32;
    }
    colors
}

/// Constraints in the order in which the one with fewest remaining neighbors is taken away.
fn smallest_last<'a, N: Iterator<Item = &'a u32>>(count: usize, neighbors: &impl Fn(usize) -> N) -> Vec<usize> {
    let mut degree: Vec<usize> = (0..count).map(|i| neighbors(i).count()).collect();
    let mut buckets = vec![Vec::new(); degree.iter().max().map_or(0, |d| d + 1)];
    for (i, d) in degree.iter().enumerate().rev() {
        buckets[*d].push(i);
    }
    let mut removed = vec![false; count];
    let mut order = Vec::with_capacity(count);
    let mut least = 0;
    while order.len() < count {
        let Some(i) = buckets[least].pop() else {
            least += 1;
            continue;
        };
        // An entry is stale once its constraint moved to a lower bucket.
        if removed[i] || degree[i] != least {
            continue;
        }
        removed[i] = true;
        order.push(i);
        for j in neighbors(i).map(|j| *j as usize).filter(|j| !removed[*j]) {
            degree[j] -= 1;
            buckets[degree[j]].push(j);
            least = least.min(degree[j]);
        }
    }
    order
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
        let grid: Vec<_> =
            (0..900).flat_map(|i| [[i, i + 1], [i, i + 30]]).filter(|e| e[0] % 30 != 29 || e[1] != e[0] + 1).collect();
        check(&grid, 931, 7);
    }

    #[test]
    fn clashes_are_found() {
        let edges = [[0, 1], [1, 2]];
        let error = validate_coloring(&[0, 0], 3, |i| &edges[i]).unwrap_err();
        assert_eq!((error.first, error.second, error.vertex), (0, 1, 1));
    }
}
