//! The inside of a character as cubes, each owned by the region whose skin is nearest.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::regions::Regions;
use crate::import::voxels::{VoxelError, Voxels};
use crate::import::{Asset, Hold, TriangleTree};
use crate::scene::TriangleMesh;

/// Cubes of a character and their owners.
pub(super) struct Volume {
    pub(super) voxels: Voxels,
    /// Cells of each region, in lattice order, shape [region_count].
    pub(super) cells: Vec<Vec<IVec3>>,
    /// The surface they fill.
    pub(super) surface: TriangleTree,
}

/// Shares of the regions in one vertex, largest first.
type Shares = Vec<(usize, f32)>;

impl Volume {
    /// Fills the character with cubes of side `spacing` [m], or larger ones to keep at most `most`.
    pub(super) fn new(asset: &Asset, regions: &Regions, spacing: f32, most: usize) -> Result<Self, VoxelError> {
        let (mesh, shares) = surface(asset, regions);
        let surface = TriangleTree::new(&mesh);
        let mut voxels = Voxels::fill(&surface, spacing)?;
        let mut wider = spacing;
        while voxels.cells.len() > most {
            wider *= (voxels.cells.len() as f32 / most as f32).cbrt().max(1.02);
            voxels = Voxels::fill(&surface, wider)?;
        }
        let first: Vec<usize> =
            voxels.cells.par_iter().map(|cell| owner(voxels.center(*cell), &mesh, &shares, &surface)).collect();
        let mut owners: HashMap<IVec3, usize> = voxels.cells.iter().copied().zip(first).collect();
        for _ in 0..2 {
            smooth(&voxels.cells, &mut owners);
        }
        gather_islands(&voxels.cells, &mut owners, regions.list.len());
        let mut cells = vec![Vec::new(); regions.list.len()];
        for cell in &voxels.cells {
            cells[owners[cell]].push(*cell);
        }
        Ok(Self { voxels, cells, surface })
    }
}

/// Triangles of everything that a joint holds, and the regions each vertex follows.
fn surface(asset: &Asset, regions: &Regions) -> (TriangleMesh, Vec<Shares>) {
    let (mut mesh, mut shares) = (TriangleMesh::default(), Vec::new());
    let parts = asset.model.primitives.iter().zip(&asset.weights).zip(&asset.holds);
    for ((part, weights), _) in parts.filter(|(_, hold)| **hold != Hold::Loose) {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(&part.positions);
        mesh.triangles.extend(part.indices.chunks_exact(3).map(|t| [first + t[0], first + t[1], first + t[2]]));
        shares.extend((0..part.positions.len()).map(|vertex| region_shares(weights.of(vertex), regions)));
    }
    (mesh, shares)
}

/// Joint weights of a vertex as region weights, largest first; they sum to 1 unless no joint has a region.
pub(super) fn region_shares(weights: &[(u32, f32)], regions: &Regions) -> Shares {
    let mut shares: Shares = Vec::with_capacity(weights.len());
    for &(joint, weight) in weights {
        let Some(region) = regions.of_joint[joint as usize] else { continue };
        match shares.iter_mut().find(|(r, _)| *r == region) {
            Some((_, sum)) => *sum += weight,
            None => shares.push((region, weight)),
        }
    }
    shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let sum: f32 = shares.iter().map(|(_, w)| w).sum();
    shares.iter_mut().for_each(|(_, w)| *w /= sum);
    shares
}

/// The region with most weight at the nearest point of the surface.
fn owner(p: Vec3, mesh: &TriangleMesh, shares: &[Shares], surface: &TriangleTree) -> usize {
    let Some(nearest) = surface.nearest(p) else { return 0 };
    let corners = mesh.triangles[nearest.triangle];
    let [a, b, c] = corners.map(|i| mesh.positions[i as usize]);
    let area = |u: Vec3, v: Vec3, w: Vec3| (v - u).cross(w - u).length();
    let q = nearest.point;
    let barycentric = [area(q, b, c), area(a, q, c), area(a, b, q)];
    let mut sums: Vec<(usize, f32)> = Vec::new();
    for (corner, part) in corners.iter().zip(barycentric) {
        for &(region, weight) in &shares[*corner as usize] {
            match sums.iter_mut().find(|(r, _)| *r == region) {
                Some((_, sum)) => *sum += part * weight,
                None => sums.push((region, part * weight)),
            }
        }
    }
    sums.into_iter().max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0))).map_or(0, |(region, _)| region)
}

fn neighbors(cell: IVec3) -> impl Iterator<Item = IVec3> {
    (0..27).filter(|i| *i != 13).map(move |i| cell + IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1))
}

/// The region that most neighbours belong to, with its count; the smallest index of equal ones.
fn majority(cell: IVec3, owners: &HashMap<IVec3, usize>, skip: Option<usize>) -> Option<(usize, usize)> {
    let mut counts: Vec<(usize, usize)> = Vec::new();
    for region in neighbors(cell).filter_map(|n| owners.get(&n)).filter(|r| Some(**r) != skip) {
        match counts.iter_mut().find(|(r, _)| r == region) {
            Some((_, count)) => *count += 1,
            None => counts.push((*region, 1)),
        }
    }
    counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
}

/// Gives every cell to the region of most of its neighbours, if those outnumber its own.
fn smooth(cells: &[IVec3], owners: &mut HashMap<IVec3, usize>) {
    let before = owners.clone();
    for cell in cells {
        let own = before[cell];
        let same = neighbors(*cell).filter(|n| before.get(n) == Some(&own)).count();
        if let Some((other, count)) = majority(*cell, &before, Some(own)).filter(|(_, count)| *count > same + 1) {
            debug_assert!(count > 0);
            owners.insert(*cell, other);
        }
    }
}

/// Keeps the largest connected piece of every region and gives the others to the regions around them, if there are any.
fn gather_islands(cells: &[IVec3], owners: &mut HashMap<IVec3, usize>, regions: usize) {
    let mut pieces: Vec<Vec<Vec<IVec3>>> = vec![Vec::new(); regions];
    let mut seen = std::collections::HashSet::new();
    for cell in cells.iter().filter(|c| owners.contains_key(*c)) {
        if !seen.insert(*cell) {
            continue;
        }
        let region = owners[cell];
        let mut piece = vec![*cell];
        let mut next = 0;
        while let Some(&at) = piece.get(next) {
            next += 1;
            piece.extend(neighbors(at).filter(|n| owners.get(n) == Some(&region) && seen.insert(*n)));
        }
        pieces[region].push(piece);
    }
    for list in &mut pieces {
        list.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
        for piece in list.iter().skip(1) {
            let around = piece.iter().filter_map(|cell| majority(*cell, owners, Some(owners[cell])));
            let Some((region, _)) = around.max_by_key(|(region, count)| (*count, std::cmp::Reverse(*region))) else {
                continue;
            };
            piece.iter().for_each(|cell| _ = owners.insert(*cell, region));
        }
    }
}
