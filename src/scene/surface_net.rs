//! The surface of a distance grid as triangles: surface nets (Gibson 1998). Every cell that the surface crosses has one
//! vertex, at the mean of the crossings of its edges; every crossed edge joins the cells around it by a quad.

use std::collections::HashMap;

use glam::{UVec3, Vec3};

use super::distance_grid::DistanceGrid;
use super::primitive::Primitive;

/// Triangles where the distance is zero, counter-clockwise seen from where it is positive. The surface is open where it
/// leaves the lattice.
pub(super) fn surface_net(grid: &DistanceGrid) -> Primitive {
    let mut part = Primitive::default();
    let mut vertex_of: HashMap<UVec3, u32> = HashMap::new();
    for cell in lattice(UVec3::from(grid.size) - 1) {
        if let Some(place) = vertex(grid, cell) {
            vertex_of.insert(cell, part.positions.len() as u32);
            part.positions.push(place);
            part.normals.push(slope(grid, place));
        }
    }
    for (axis, side, top) in
        [(UVec3::X, UVec3::Y, UVec3::Z), (UVec3::Y, UVec3::Z, UVec3::X), (UVec3::Z, UVec3::X, UVec3::Y)]
    {
        for start in lattice(UVec3::from(grid.size) - axis).filter(|s| s.dot(side) > 0 && s.dot(top) > 0) {
            let (below, above) = (at(grid, start), at(grid, start + axis));
            if (below < 0.0) == (above < 0.0) {
                continue;
            }
            let around = [start - side - top, start - top, start, start - side];
            let Some([a, b, c, d]) = all(around.map(|cell| vertex_of.get(&cell).copied())) else { continue };
            let outward = if below < 0.0 { [a, b, c, a, c, d] } else { [a, c, b, a, d, c] };
            part.indices.extend(outward);
        }
    }
    part
}

fn all(corners: [Option<u32>; 4]) -> Option<[u32; 4]> {
    let [Some(a), Some(b), Some(c), Some(d)] = corners else { return None };
    Some([a, b, c, d])
}

/// Points below `size`, x fastest.
fn lattice(size: UVec3) -> impl Iterator<Item = UVec3> {
    (0..size.z).flat_map(move |z| (0..size.y).flat_map(move |y| (0..size.x).map(move |x| UVec3::new(x, y, z))))
}

fn at(grid: &DistanceGrid, sample: UVec3) -> f32 {
    grid.distances[((sample.z * grid.size[1] + sample.y) * grid.size[0] + sample.x) as usize]
}

/// Mean of the crossings on the edges of a cell [m]; none if all its corners are on one side.
fn vertex(grid: &DistanceGrid, cell: UVec3) -> Option<Vec3> {
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for axis in [UVec3::X, UVec3::Y, UVec3::Z] {
        for corner in lattice(UVec3::splat(2) - axis) {
            let (a, b) = (at(grid, cell + corner), at(grid, cell + corner + axis));
            if (a < 0.0) != (b < 0.0) {
                sum += (cell + corner).as_vec3() + axis.as_vec3() * (a / (a - b));
                count += 1.0;
            }
        }
    }
    (count > 0.0).then(|| grid.origin + grid.spacing * sum / count)
}

/// Unit direction in which the distance grows.
fn slope(grid: &DistanceGrid, place: Vec3) -> Vec3 {
    let along = |axis: Vec3| {
        let step = 0.5 * grid.spacing * axis;
        grid.distance(place + step) - grid.distance(place - step)
    };
    Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)).normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_comes_out_round_closed_and_facing_outward() {
        let (size, spacing, origin) = ([12, 13, 14], 0.1, Vec3::splat(-0.6));
        let center = Vec3::new(-0.05, 0.01, 0.03);
        let distance = |s: UVec3| (origin + spacing * s.as_vec3()).distance(center) - 0.4;
        let distances = lattice(UVec3::from(size)).map(distance).collect();
        let part = surface_net(&DistanceGrid { origin, spacing, size, distances });
        for (place, normal) in part.positions.iter().zip(&part.normals) {
            let out = *place - center;
            assert!((out.length() - 0.4).abs() < 0.01, "{place}");
            assert!(normal.dot(out.normalize()) > 0.98, "{normal} at {place}");
        }
        let mut edges = std::collections::HashSet::new();
        for t in part.indices.chunks_exact(3) {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| part.positions[i as usize]);
            assert!((b - a).cross(c - a).dot(a - center) > 0.0);
            edges.extend([(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]);
        }
        assert_eq!(edges.len(), part.indices.len(), "an edge is used twice the same way");
        assert!(!edges.is_empty() && edges.iter().all(|(a, b)| edges.contains(&(*b, *a))), "not closed");
    }
}
