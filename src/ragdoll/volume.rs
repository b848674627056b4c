//! The inside of a character as cubes, each owned by whatever moves the skin nearest to it.

use std::collections::{HashMap, HashSet};

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::regions::Regions;
use crate::import::INSIDE;
use crate::import::voxels::{VoxelError, Voxels};
use crate::import::{Asset, Hold, TriangleTree, bounds, face_outward};
use crate::scene::TriangleMesh;

/// Cubes of a character and their owners.
pub(super) struct Volume {
    /// All cubes of the skin.
    pub(super) voxels: Voxels,
    /// Joints that move the skin nearest to each cube, shape [cell_count].
    shares: Vec<Shares>,
    /// Cells of each region, skin first, shape [region_count].
    pub(super) cells: Vec<Vec<IVec3>>,
    /// How many of a region's cells are of the skin; the others belong to things it holds.
    pub(super) skin_cells: Vec<usize>,
    /// All triangles of the skin: what is inside.
    pub(super) solid: TriangleTree,
    /// Those that can be seen: what is near.
    pub(super) surface: TriangleTree,
    /// The triangles of `surface`, and the joints that move their corners.
    seen: TriangleMesh,
    moved: Vec<Shares>,
    /// Pieces of the skin that faced inward.
    pub(super) turned: usize,
}

/// Shares of joints or regions in a place, largest first.
type Shares = Vec<(usize, f32)>;

/// How far beside a triangle it is tested whether it lies inside the solid, as an eye in its socket [cubes].
const EXPOSED: f32 = 0.2;

impl Volume {
    /// Fills the character with cubes of side `spacing` [m], not yet given to regions.
    pub(super) fn new(asset: &Asset, spacing: f32) -> Result<Self, VoxelError> {
        let (mut mesh, moved) = skin(asset);
        let mut solid = TriangleTree::new(&mesh);
        let turned = face_outward(&mut mesh, &solid);
        if turned > 0 {
            solid = TriangleTree::new(&mesh);
        }
        let voxels = Voxels::fill(&solid, spacing)?;
        let seen = exposed(mesh, &solid, EXPOSED * spacing);
        let surface = TriangleTree::new(&seen);
        let nearest = |cell: &IVec3| shares_near(voxels.center(*cell), &seen, &moved, &surface);
        let shares = voxels.cells.par_iter().map(nearest).collect();
        Ok(Self { voxels, shares, cells: Vec::new(), skin_cells: Vec::new(), solid, surface, seen, moved, turned })
    }

    /// Number of cubes that each of `joints` joints has most of.
    pub(super) fn joint_cells(&self, joints: usize) -> Vec<usize> {
        let mut counts = vec![0; joints];
        self.shares.iter().filter_map(|s| s.first()).for_each(|(joint, _)| counts[*joint] += 1);
        counts
    }

    /// Gives the cubes to regions, and to each region the cubes of what it holds.
    pub(super) fn assign(&mut self, asset: &Asset, regions: &Regions) -> Result<(), VoxelError> {
        let owners: Vec<usize> = self.shares.par_iter().map(|shares| owner(shares, regions)).collect();
        let mut cells = owned_cells(&self.voxels, owners, regions.list.len());
        self.skin_cells = cells.iter().map(Vec::len).collect();
        add_held(asset, regions, &self.voxels, &mut cells)?;
        self.cells = cells;
        Ok(())
    }

    /// Cubes of one region; of its skin alone, or with what it holds.
    pub(super) fn region(&self, index: usize, held: bool) -> Voxels {
        let count = if held { self.cells[index].len() } else { self.skin_cells[index] };
        Voxels { cells: self.cells[index][..count].to_vec(), ..self.voxels }
    }

    /// One region, with what it holds, in cubes `factor` times smaller; those of the skin that larger cubes miss belong to
    /// whatever moves the skin nearest to them.
    pub(super) fn finer(&self, index: usize, factor: f32, regions: &Regions) -> Voxels {
        let spacing = self.voxels.spacing / factor;
        let owners: HashMap<IVec3, usize> =
            self.cells.iter().enumerate().flat_map(|(region, cells)| cells.iter().map(move |c| (*c, region))).collect();
        let (skin, held) = self.cells[index].split_at(self.skin_cells[index]);
        let held: HashSet<&IVec3> = held.iter().collect();
        let Some((low, high)) = bounds(&self.region(index, true).centers().collect::<Vec<_>>()) else {
            return Voxels { origin: self.voxels.origin, spacing, cells: Vec::new() };
        };
        let reach = if skin.is_empty() { 0.5 } else { 1.0 } * self.voxels.spacing;
        let sides = ((high - low + 2.0 * reach) / spacing).ceil();
        // About the middle, so that both arms are made alike.
        let lattice = Voxels { origin: 0.5 * (low + high - sides * spacing), spacing, cells: Vec::new() };
        let sides = sides.as_ivec3();
        let belongs = |cell: &IVec3| {
            let p = lattice.center(*cell);
            let around = ((p - self.voxels.origin) / self.voxels.spacing).round().as_ivec3();
            match owners.get(&around) {
                Some(region) if *region != index => false,
                Some(_) if held.contains(&around) => true,
                Some(_) => self.solid.winding(p) > INSIDE,
                None => self.solid.winding(p) > INSIDE && owner(&self.shares_at(p), regions) == index,
            }
        };
        let rows = (0..=sides.z).flat_map(|z| (0..=sides.y).map(move |y| (y, z)));
        let all = rows.flat_map(|(y, z)| (0..=sides.x).map(move |x| IVec3::new(x, y, z)));
        Voxels { cells: all.filter(belongs).collect(), ..lattice }
    }

    fn shares_at(&self, p: Vec3) -> Shares {
        shares_near(p, &self.seen, &self.moved, &self.surface)
    }
}

/// The region that has most of a place.
fn owner(shares: &Shares, regions: &Regions) -> usize {
    let joints: Vec<(u32, f32)> = shares.iter().map(|(j, w)| (*j as u32, *w)).collect();
    region_shares(&joints, regions).first().map_or(0, |(region, _)| *region)
}

/// Centers of the cubes with a free face; the inside of a body never touches anything.
pub(super) fn outer(voxels: &Voxels) -> Vec<Vec3> {
    let own: HashSet<IVec3> = voxels.cells.iter().copied().collect();
    let free = |cell: &&IVec3| IVec3::AXES.iter().any(|a| !own.contains(&(**cell + a)) || !own.contains(&(**cell - a)));
    voxels.cells.iter().filter(free).map(|cell| voxels.center(*cell)).collect()
}

/// Cells of each of `regions` regions by `first` owner, cleaned of specks.
fn owned_cells(voxels: &Voxels, first: Vec<usize>, regions: usize) -> Vec<Vec<IVec3>> {
    let mut owners: HashMap<IVec3, usize> = voxels.cells.iter().copied().zip(first).collect();
    for _ in 0..2 {
        smooth(&voxels.cells, &mut owners);
    }
    gather_islands(&voxels.cells, &mut owners, regions);
    let mut cells = vec![Vec::new(); regions];
    for cell in &voxels.cells {
        cells[owners[cell]].push(*cell);
    }
    cells
}

/// Windings before a triangle that is hidden inside another piece of the skin.
const HIDDEN: f32 = 0.7;

/// Windings that count as inside a held part: a cape winds up to half around the space before it.
const INSIDE_HELD: f32 = 0.6;

/// Adds the cubes of hats, shields and other parts that one joint holds to that joint's region.
fn add_held(asset: &Asset, regions: &Regions, lattice: &Voxels, cells: &mut [Vec<IVec3>]) -> Result<(), VoxelError> {
    let mut taken: HashSet<IVec3> = lattice.cells.iter().copied().collect();
    for (part, hold) in asset.model.primitives.iter().zip(&asset.holds) {
        let Hold::Joint(joint) = hold else { continue };
        let Some(region) = regions.of_joint[*joint] else { continue };
        let triangles = part.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
        let tree = TriangleTree::new(&TriangleMesh { positions: part.positions.clone(), triangles });
        if !tree.is_empty() {
            let held = lattice.enclosed(&tree, INSIDE_HELD)?.cells;
            cells[region].extend(held.into_iter().filter(|cell| taken.insert(*cell)));
        }
    }
    Ok(())
}

/// Triangles of the skin, and the joints each vertex follows.
fn skin(asset: &Asset) -> (TriangleMesh, Vec<Shares>) {
    let (mut mesh, mut shares) = (TriangleMesh::default(), Vec::new());
    let parts = asset.model.primitives.iter().zip(&asset.weights).zip(&asset.holds);
    for ((part, weights), _) in parts.filter(|(_, hold)| **hold == Hold::Skin) {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(&part.positions);
        mesh.triangles.extend(part.indices.chunks_exact(3).map(|t| [first + t[0], first + t[1], first + t[2]]));
        let of = |vertex| weights.of(vertex).iter().map(|(joint, w)| (*joint as usize, *w)).collect::<Shares>();
        shares.extend((0..part.positions.len()).map(of));
    }
    (mesh, shares)
}

/// The mesh without triangles whose front, `step` [m] away, is inside: the stump of an arm within a chest would claim the
/// chest's inside for the arm. All of it if nothing would be left.
fn exposed(mesh: TriangleMesh, solid: &TriangleTree, step: f32) -> TriangleMesh {
    let seen = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        solid.winding((a + b + c) / 3.0 + normal * step) < HIDDEN
    };
    let triangles: Vec<[u32; 3]> = mesh.triangles.par_iter().copied().filter(|t| seen(t)).collect();
    if triangles.is_empty() { mesh } else { TriangleMesh { triangles, ..mesh } }
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

/// Shares of the joints at the nearest point of the surface, largest first.
fn shares_near(p: Vec3, mesh: &TriangleMesh, moved: &[Shares], surface: &TriangleTree) -> Shares {
    let Some(nearest) = surface.nearest(p) else { return Shares::new() };
    let corners = mesh.triangles[nearest.triangle];
    let [a, b, c] = corners.map(|i| mesh.positions[i as usize]);
    let area = |u: Vec3, v: Vec3, w: Vec3| (v - u).cross(w - u).length();
    let q = nearest.point;
    let barycentric = [area(q, b, c), area(a, q, c), area(a, b, q)];
    let mut sums = Shares::new();
    for (corner, part) in corners.iter().zip(barycentric) {
        for &(joint, weight) in &moved[*corner as usize] {
            match sums.iter_mut().find(|(j, _)| *j == joint) {
                Some((_, sum)) => *sum += part * weight,
                None => sums.push((joint, part * weight)),
            }
        }
    }
    sums.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
    sums
}

fn neighbors(cell: IVec3) -> impl Iterator<Item = IVec3> {
    (0..27).filter(|i| *i != 13).map(move |i| cell + IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1))
}

/// The region that most neighbors belong to, with its count; the smallest index of equal ones.
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

/// Gives every cell to the region of most of its neighbors, if those outnumber its own.
fn smooth(cells: &[IVec3], owners: &mut HashMap<IVec3, usize>) {
    let before = owners.clone();
    for cell in cells {
        let own = before[cell];
        let same = neighbors(*cell).filter(|n| before.get(n) == Some(&own)).count();
        if let Some((other, _)) = majority(*cell, &before, Some(own)).filter(|(_, count)| *count > same + 1) {
            owners.insert(*cell, other);
        }
    }
}

/// Keeps the largest connected piece of every region and gives the others to the regions around them, if there are any.
fn gather_islands(cells: &[IVec3], owners: &mut HashMap<IVec3, usize>, regions: usize) {
    let mut pieces: Vec<Vec<Vec<IVec3>>> = vec![Vec::new(); regions];
    let mut seen = HashSet::new();
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
