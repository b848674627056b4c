//! Signed distance on a lattice, from a mesh or from a set of cubes.

use std::collections::HashSet;

use glam::{IVec3, UVec3, Vec3};
use rayon::prelude::*;

use super::triangles::TriangleTree;
use crate::scene::DistanceGrid;

/// Samples outside the solid on every side.
const MARGIN: i32 = 3;
/// Most samples along a side; a finer spacing is enlarged.
const MAX_SIDE: f32 = 96.0;

/// Samples `distance` [m] on a lattice of `spacing` [m] over the box from `low` to `high` and a margin of 3 samples. The
/// spacing grows if a side would have more than 96 samples.
pub fn sampled(low: Vec3, high: Vec3, spacing: f32, distance: impl Fn(Vec3) -> f32 + Sync) -> DistanceGrid {
    let size = high - low;
    let spacing = spacing.max(size.max_element() / (MAX_SIDE - 2.0 * MARGIN as f32)).max(f32::MIN_POSITIVE);
    let cells = (size / spacing).ceil();
    let origin = 0.5 * (low + high) - (0.5 * cells + MARGIN as f32) * spacing;
    let size = cells.as_uvec3() + 1 + 2 * MARGIN as u32;
    let at = |index: u32| {
        let (x, rest) = (index % size.x, index / size.x);
        origin + UVec3::new(x, rest % size.y, rest / size.y).as_vec3() * spacing
    };
    let distances = (0..size.element_product()).into_par_iter().map(|i| distance(at(i))).collect();
    DistanceGrid { origin, spacing, size: size.to_array(), distances }
}

/// Signed distance of a mesh: the nearest triangle's, negative where the surface winds around the sample.
pub fn from_mesh(tree: &TriangleTree, spacing: f32) -> DistanceGrid {
    let (low, high) = tree.bounds();
    sampled(low, high, spacing, |p| tree.distance(p))
}

/// Signed distance of a union of cubes of side `spacing` [m]; `origin` is the center of cell (0, 0, 0) [m].
///
/// Two samples per cube side, so that faces lie on samples and the distances are exact. They are then smoothed, because
/// the steps of a voxel surface would show in every contact normal, and shifted to keep the volume.
pub fn from_voxels(cells: &[IVec3], spacing: f32, origin: Vec3) -> DistanceGrid {
    let low = cells.iter().copied().reduce(IVec3::min).unwrap_or(IVec3::ZERO);
    let high = cells.iter().copied().reduce(IVec3::max).unwrap_or(IVec3::ZERO);
    let step = 0.5 * spacing;
    // Sample i lies at low + (i - 1 - MARGIN) / 2 cells: odd distances are faces, even ones centers.
    let size = 2 * (high - low) + 3 + 2 * MARGIN;
    let lattice = Lattice { size };
    let filled: HashSet<IVec3> = cells.iter().copied().collect();
    let (mut solid, mut empty) = (vec![f32::INFINITY; lattice.len()], vec![f32::INFINITY; lattice.len()]);
    for index in 0..lattice.len() {
        let place = lattice.place(index) - 1 - MARGIN;
        for corner in 0..8 {
            // Cells whose closed cube holds the sample: one at a center, up to eight on faces, edges and corners.
            let shift = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
            let cell = low + (place + shift).div_euclid(IVec3::splat(2));
            let side = if filled.contains(&cell) { &mut solid } else { &mut empty };
            side[index] = 0.0;
        }
    }
    lattice.squared_distances(&mut solid);
    lattice.squared_distances(&mut empty);
    let raw: Vec<f32> = solid.iter().zip(&empty).map(|(out, inside)| (out.sqrt() - inside.sqrt()) * step).collect();
    let volume = cells.len() * 8;
    let mut distances = lattice.smoothed(lattice.smoothed(raw));
    let shift = volume_level(&distances, volume);
    distances.iter_mut().for_each(|d| *d -= shift);
    let first = origin + low.as_vec3() * spacing - (1 + MARGIN) as f32 * step;
    DistanceGrid { origin: first, spacing: step, size: size.as_uvec3().to_array(), distances }
}

/// The level below which `count` samples lie.
fn volume_level(distances: &[f32], count: usize) -> f32 {
    let mut sorted = distances.to_vec();
    sorted.sort_by(f32::total_cmp);
    let next = count.clamp(1, sorted.len() - 1);
    let level = 0.5 * (sorted[next - 1] + sorted[next]);
    if level.is_finite() { level } else { 0.0 }
}

struct Lattice {
    size: IVec3,
}

impl Lattice {
    fn len(&self) -> usize {
        self.size.as_uvec3().element_product() as usize
    }

    fn place(&self, index: usize) -> IVec3 {
        let (x, rest) = (index as i32 % self.size.x, index as i32 / self.size.x);
        IVec3::new(x, rest % self.size.y, rest / self.size.y)
    }

    /// Runs `line` on every line of samples along each axis in turn.
    fn along_axes(&self, field: &mut [f32], line: impl Fn(&mut [f32])) {
        let strides = [1, self.size.x as usize, (self.size.x * self.size.y) as usize];
        for (axis, stride) in strides.into_iter().enumerate() {
            let count = self.size[axis] as usize;
            let mut samples = vec![0.0; count];
            let starts = (0..field.len()).filter(|i| self.place(*i)[axis] == 0);
            for start in starts {
                (0..count).for_each(|i| samples[i] = field[start + i * stride]);
                line(&mut samples);
                (0..count).for_each(|i| field[start + i * stride] = samples[i]);
            }
        }
    }

    /// Squared distance to the nearest zero, in samples, one axis after the other (Saito and Toriwaki 1994).
    fn squared_distances(&self, field: &mut [f32]) {
        self.along_axes(field, nearest_on_line);
    }

    /// Binomial smoothing over one sample on each side.
    fn smoothed(&self, mut field: Vec<f32>) -> Vec<f32> {
        self.along_axes(&mut field, |line| {
            let before = line.to_vec();
            let last = before.len() - 1;
            for (i, out) in line.iter_mut().enumerate() {
                // Beyond the ends the distance goes on as it came.
                let left = if i == 0 { 2.0 * before[0] - before[1] } else { before[i - 1] };
                let right = if i == last { 2.0 * before[last] - before[last - 1] } else { before[i + 1] };
                *out = 0.25 * left + 0.5 * before[i] + 0.25 * right;
            }
        });
        field
    }
}

/// Least sum of a sample's number and the squared way to it, from each sample of a line: the lower envelope of a parabola over each
/// (Felzenszwalb and Huttenlocher 2012). Whole numbers stay exact.
fn nearest_on_line(line: &mut [f32]) {
    let before = line.to_vec();
    let height = |i: usize| f64::from(before[i]) + (i * i) as f64;
    // From there on the later one is lower.
    let meet = |j: usize, i: usize| (height(i) - height(j)) / (2 * (i - j)) as f64;
    let mut lowest: Vec<(usize, f64)> = Vec::new();
    for i in (0..before.len()).filter(|i| before[*i].is_finite()) {
        while lowest.last().is_some_and(|(j, from)| meet(*j, i) <= *from) {
            lowest.pop();
        }
        lowest.push((i, lowest.last().map_or(f64::NEG_INFINITY, |(j, _)| meet(*j, i))));
    }
    let mut at = 0;
    for (i, out) in line.iter_mut().enumerate() {
        while lowest.get(at + 1).is_some_and(|(_, from)| *from <= i as f64) {
            at += 1;
        }
        if let Some((j, _)) = lowest.get(at) {
            *out = before[*j] + (i as f32 - *j as f32).powi(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::sphere;
    use crate::import::voxels::Voxels;

    /// Worst error of a ball's grid, and worst angle of its normals, at points near the surface.
    fn ball_errors(grid: &DistanceGrid, radius: f32) -> (f32, f32) {
        let mut worst = (0.0_f32, 0.0_f32);
        for i in 0..400 {
            let (a, b) = (i as f32 * 0.731, i as f32 * 0.417);
            let direction = Vec3::new(a.sin() * b.cos(), a.cos(), a.sin() * b.sin());
            let p = direction * radius * (0.9 + 0.2 * (i % 7) as f32 / 6.0);
            worst.0 = worst.0.max((grid.distance(p) - (p.length() - radius)).abs());
            let e = 0.5 * grid.spacing;
            let slope = |axis: Vec3| grid.distance(p + axis * e) - grid.distance(p - axis * e);
            let normal = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize();
            worst.1 = worst.1.max(normal.angle_between(direction));
        }
        worst
    }

    #[test]
    fn a_ball_from_its_mesh() {
        let tree = TriangleTree::new(&sphere(0.5, 48, 32));
        let (error, angle) = ball_errors(&from_mesh(&tree, 0.05), 0.5);
        assert!(error < 0.006 && angle < 0.1, "{error} m, {angle} rad");
    }

    #[test]
    fn a_ball_from_its_voxels_is_smooth() {
        let tree = TriangleTree::new(&sphere(0.5, 48, 32));
        let voxels = Voxels::fill(&tree, 0.1).unwrap();
        let (error, angle) = ball_errors(&from_voxels(&voxels.cells, 0.1, voxels.origin), 0.5);
        assert!(error < 0.05 && angle < 0.45, "{error} m, {angle} rad");
    }

    #[test]
    fn one_cube_and_one_layer_have_an_inside_and_a_margin() {
        let layer: Vec<IVec3> = (0..25).map(|i| IVec3::new(i % 5, 0, i / 5)).collect();
        for cells in [vec![IVec3::new(3, -2, 1)], layer] {
            let grid = from_voxels(&cells, 0.1, Vec3::splat(0.2));
            for cell in &cells {
                let center = Vec3::splat(0.2) + cell.as_vec3() * 0.1;
                let d = grid.distance(center);
                assert!((-0.06..-0.003).contains(&d), "{d} at a centre");
                assert!(grid.distance(center + Vec3::Y * 0.12) > 0.03);
            }
            let border = grid.distances[0];
            assert!(border > 2.0 * grid.spacing, "{border}");
        }
    }
    #[test]
    fn distances_on_a_line_are_those_of_a_look_at_all_of_it() {
        for seed in 0..200_u32 {
            let word = |i: u32| (seed * 977 + i).wrapping_mul(2_654_435_761) >> 16;
            let value =
                |i| [f32::INFINITY, 0.0, (word(i) % 400) as f32, f32::INFINITY][(word(i) % (2 + seed % 3)) as usize];
            let before: Vec<f32> = (0..1 + seed).map(value).collect();
            let sum = |i: usize, j: usize| before[j] + (i as f32 - j as f32).powi(2);
            let least = |i: usize| (0..before.len()).map(|j| sum(i, j)).fold(f32::INFINITY, f32::min);
            let mut line = before.clone();
            nearest_on_line(&mut line);
            assert_eq!(line, (0..before.len()).map(least).collect::<Vec<_>>(), "{before:?}");
        }
    }

    #[test]
    fn a_long_line_is_as_a_short_one() {
        // A look at all of it for each sample would take minutes.
        let mut line = vec![f32::INFINITY; 400_000];
        line[7] = 0.0;
        nearest_on_line(&mut line);
        assert!(line.iter().enumerate().take(4000).all(|(i, d)| *d == (i as f32 - 7.0).powi(2)));
    }
}
