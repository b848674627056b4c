//! Isosurface stuffing (Labelle and Shewchuk 2007): cells of a body-centered cubic lattice are cut at a surface; lattice
//! corners near it move onto it first, so that no cell ends up thin.

use std::collections::BTreeMap;

use glam::Vec3;
use rayon::prelude::*;

use super::grid::Grid;
use super::stencil::{Side, cut};
use super::{TetMesh, volume};

/// Cuts nearer to a corner than this share of a long or a short edge draw the corner onto the surface (paper, table 1).
const NEAR_LONG: f32 = 0.249_99;
const NEAR_SHORT: f32 = 0.411_89;

/// A lattice of neighbors `spacing` [m] apart where `distance` is below 0 within the box from the first to the second of
/// `bounds` [m]. The distance [m] should be about linear across a cell; it need not be exact.
///
/// # Errors
/// A sentence for a spacing that needs too many cells.
pub fn fill(bounds: (Vec3, Vec3), spacing: f32, distance: impl Fn(Vec3) -> f32 + Sync) -> Result<TetMesh, String> {
    let grid = Grid::around(bounds, spacing)?;
    let values: Vec<f32> = (0..grid.len()).into_par_iter().map(|i| distance(grid.place(i))).collect();
    let none = vec![0.0; values.len()];
    Ok(fill_grid(&grid, &values, &none, distance))
}

/// The lattice where `values` + `shifts` [m] is below 0; `distance` is what `values` samples, and shifts change linearly
/// between places.
pub(super) fn fill_grid(grid: &Grid, values: &[f32], shifts: &[f32], distance: impl Fn(Vec3) -> f32 + Sync) -> TetMesh {
    let levels: Vec<f32> = values.iter().zip(shifts).map(|(value, shift)| value + shift).collect();
    let mut cells = Vec::new();
    grid.each_tet(|tet| {
        if tet.iter().any(|c| levels[*c as usize] < 0.0) {
            cells.push(tet);
        }
    });
    let crossing = |a: u32, b: u32| {
        let (p, q) = (grid.place(a), grid.place(b));
        let (near, far) = (levels[a as usize], levels[b as usize]);
        let mut at = near / (near - far);
        // The distance is no line along the edge: one more look between the ends.
        let shift = shifts[a as usize] + at * (shifts[b as usize] - shifts[a as usize]);
        let middle = distance(p.lerp(q, at)) + shift;
        at = if (middle < 0.0) == (near < 0.0) {
            at + (1.0 - at) * middle / (middle - far)
        } else {
            at * near / (near - middle)
        };
        p.lerp(q, if at.is_finite() { at.clamp(0.01, 0.99) } else { 0.5 })
    };
    stuff(grid, &levels, &cells, crossing)
}

/// Moves corners onto the surface where it passes near them, then cuts `cells` at what is left.
fn stuff(grid: &Grid, values: &[f32], cells: &[[u32; 4]], crossing: impl Fn(u32, u32) -> Vec3 + Sync) -> TetMesh {
    let mut crossed: Vec<[u32; 2]> = Vec::new();
    for tet in cells {
        for [a, b] in super::EDGES {
            let (a, b) = (tet[a].min(tet[b]), tet[a].max(tet[b]));
            if (values[a as usize] < 0.0) != (values[b as usize] < 0.0) {
                crossed.push([a, b]);
            }
        }
    }
    crossed.par_sort_unstable();
    crossed.dedup();
    let cuts: Vec<Vec3> = crossed.par_iter().map(|[a, b]| crossing(*a, *b)).collect();
    let mut sides: Vec<Side> = values.iter().map(|v| if *v < 0.0 { Side::Inside } else { Side::Outside }).collect();
    let moved = warped(grid, &crossed, &cuts, &mut sides);

    let mut positions: Vec<Vec3> = (0..grid.len()).map(|i| grid.place(i)).collect();
    moved.into_iter().for_each(|(corner, place)| positions[corner as usize] = place);
    let first = positions.len() as u32;
    positions.extend(&cuts);
    let index = |a: u32, b: u32| {
        let found = crossed.binary_search(&[a.min(b), a.max(b)]);
        first + found.expect("an edge from inside to outside is crossed") as u32
    };
    let mut tets = Vec::new();
    for tet in cells {
        cut(*tet, tet.map(|c| sides[c as usize]), index, &mut tets);
    }
    for tet in &mut tets {
        if volume(tet.map(|c| positions[c as usize])) < 0.0 {
            tet.swap(2, 3);
        }
    }
    TetMesh { positions, tets }.packed()
}

/// Corners that move onto the surface, with their new places; their sides become [`Side::On`].
fn warped(grid: &Grid, crossed: &[[u32; 2]], cuts: &[Vec3], sides: &mut [Side]) -> Vec<(u32, Vec3)> {
    let mut around: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (edge, ends) in crossed.iter().enumerate() {
        ends.iter().for_each(|end| around.entry(*end).or_default().push(edge));
    }
    let mut moved = Vec::new();
    for (corner, edges) in around {
        let place = grid.place(corner);
        // A cut counts only while both ends of its edge still stand where they were.
        let live = edges.iter().filter(|e| crossed[**e].iter().all(|end| sides[*end as usize] != Side::On));
        let nearness = |e: &usize| {
            let [a, b] = crossed[*e];
            let limit = if grid.alike(a, b) { NEAR_LONG } else { NEAR_SHORT };
            cuts[*e].distance(place) / (grid.place(a).distance(grid.place(b)) * limit)
        };
        let nearest = live.map(|e| (nearness(e), *e)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, edge)) = nearest.filter(|(near, _)| *near < 1.0) {
            sides[corner as usize] = Side::On;
            moved.push((corner, cuts[edge]));
        }
    }
    moved
}
