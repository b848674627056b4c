//! Meshes into cubes on a lattice. A cube belongs to the solid if the surface winds around its center, so open and
//! overlapping surfaces work (Jacobson et al. 2013, generalized winding numbers).

use glam::{IVec3, Vec3};
use rayon::prelude::*;
use thiserror::Error;

use super::triangles::{INSIDE, TriangleTree};
use crate::numbers::cubed;

/// Most lattice cells that are looked at.
pub const MAX_CELLS: u64 = 1 << 22;
/// Half the diagonal of a cube [sides], rounded up: so far from its center a surface may be that clips it.
const HALF_DIAGONAL: f32 = 0.87;

/// A mesh that cannot become voxels.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum VoxelError {
    /// No triangle has an area.
    #[error("the mesh has no triangle with an area; give it a surface")]
    NoArea,
    /// Spacing not usable for this mesh.
    #[error("a particle spacing of {spacing} m needs {cells} cells; use at least {least} m")]
    Spacing {
        /// Spacing asked for [m].
        spacing: f32,
        /// Cells it needs.
        cells: u64,
        /// A spacing that works [m].
        least: f32,
    },
}

/// Cubes on a regular lattice.
#[derive(Clone, Debug, PartialEq)]
pub struct Voxels {
    /// Center of cell (0, 0, 0) [m].
    pub origin: Vec3,
    /// Side of a cube [m].
    pub spacing: f32,
    /// Filled cells, in order of z, y, x.
    pub cells: Vec<IVec3>,
}

impl Voxels {
    /// Cubes of side `spacing` [m] that the surface encloses. A solid thinner than a cube still gets one layer; a surface
    /// that encloses nothing gets the cubes it passes through.
    ///
    /// # Errors
    /// [`VoxelError`] without any triangle area, or when the lattice would be too large.
    pub fn fill(tree: &TriangleTree, spacing: f32) -> Result<Self, VoxelError> {
        let empty = Self { origin: middle_origin(tree, spacing), spacing, cells: Vec::new() };
        let inside = empty.enclosed(tree, INSIDE)?;
        if !inside.cells.is_empty() {
            return Ok(inside);
        }
        let near = |reach: f32| move |p| tree.nearest(p).is_some_and(|n| n.distance <= reach * spacing);
        let shell = empty.select(tree, near(0.5))?;
        if shell.cells.is_empty() { empty.select(tree, near(HALF_DIAGONAL)) } else { Ok(shell) }
    }

    /// Cubes on the same lattice around which another surface winds more than `threshold` times; none if it is thinner
    /// than a cube or flat.
    ///
    /// # Errors
    /// [`VoxelError`] as for [`Voxels::fill`].
    pub fn enclosed(&self, tree: &TriangleTree, threshold: f32) -> Result<Self, VoxelError> {
        self.select(tree, |p| tree.winding(p) > threshold)
    }

    /// The same solid in cubes `factor` times as large: those at least half full.
    #[must_use]
    pub fn coarser(&self, factor: i32) -> Self {
        let mut counts = std::collections::BTreeMap::new();
        for cell in &self.cells {
            *counts.entry(cell.div_euclid(IVec3::splat(factor)).to_array()).or_insert(0) += 1;
        }
        let full = counts.into_iter().filter(|(_, count)| 2 * count >= factor.pow(3));
        Self {
            origin: self.origin + 0.5 * (factor - 1) as f32 * self.spacing,
            spacing: self.spacing * factor as f32,
            cells: full.map(|(cell, _)| IVec3::from_array(cell)).collect(),
        }
    }

    /// Cubes around `tree` whose center passes `test`.
    fn select(&self, tree: &TriangleTree, test: impl Fn(Vec3) -> bool + Sync) -> Result<Self, VoxelError> {
        if tree.is_empty() {
            return Err(VoxelError::NoArea);
        }
        let (low, high) = tree.bounds();
        let Self { origin, spacing, .. } = *self;
        let first = ((low - origin) / spacing).round();
        let sides = ((high - origin) / spacing).round() - first + 1.0;
        let count = sides.x as f64 * sides.y as f64 * sides.z as f64;
        if !(spacing > 0.0 && count <= MAX_CELLS as f64) {
            let least = (high - low).max_element() / (MAX_CELLS as f32).cbrt().floor();
            return Err(VoxelError::Spacing { spacing, cells: count.min(u64::MAX as f64) as u64, least });
        }
        let (first, sides) = (first.as_ivec3(), sides.as_ivec3());
        let cells = (0..sides.y * sides.z)
            .into_par_iter()
            .flat_map_iter(|row| {
                let (y, z) = (row % sides.y, row / sides.y);
                (0..sides.x).map(move |x| first + IVec3::new(x, y, z))
            })
            .filter(|cell| test(origin + cell.as_vec3() * spacing))
            .collect();
        Ok(Self { origin, spacing, cells })
    }

    /// Center of a cell [m].
    pub fn center(&self, cell: IVec3) -> Vec3 {
        self.origin + cell.as_vec3() * self.spacing
    }

    /// Centers of all filled cells [m].
    pub fn centers(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.cells.iter().map(|cell| self.center(*cell))
    }

    /// Volume of all cubes [m³].
    pub fn volume(&self) -> f32 {
        self.cells.len() as f32 * cubed(self.spacing)
    }
}

/// Center of the first cell of a lattice whose middle is the middle of the box around the mesh.
fn middle_origin(tree: &TriangleTree, spacing: f32) -> Vec3 {
    let (low, high) = tree.bounds();
    let sides = ((high - low) / spacing).round().max(Vec3::ONE);
    0.5 * (low + high) - 0.5 * (sides - 1.0) * spacing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::{cuboid, sphere};
    use crate::scene::TriangleMesh;

    #[test]
    fn volumes_of_a_ball_and_of_an_open_box() {
        let ball = Voxels::fill(&TriangleTree::new(&sphere(0.5, 40, 28)), 0.05).unwrap();
        let exact = 4.0 / 3.0 * std::f32::consts::PI * 0.125;
        assert!((ball.volume() / exact - 1.0).abs() < 0.04, "{} of {exact}", ball.volume());
        let open = Voxels::fill(&TriangleTree::new(&cuboid(Vec3::new(0.3, 0.2, 0.25), true)), 0.05).unwrap();
        assert!((open.volume() / 0.12 - 1.0).abs() < 0.1, "{}", open.volume());
    }

    #[test]
    fn sheets_and_slivers_get_one_layer() {
        let thin = Voxels::fill(&TriangleTree::new(&cuboid(Vec3::new(0.5, 0.002, 0.5), false)), 0.1).unwrap();
        assert_eq!(thin.cells.len(), 100);
        let sheet =
            TriangleMesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.4)], triangles: vec![[0, 1, 2]] };
        assert!(Voxels::fill(&TriangleTree::new(&sheet), 0.1).unwrap().cells.len() > 20);
        assert_eq!(Voxels::fill(&TriangleTree::new(&sheet), 50.0).unwrap().cells.len(), 1);
    }

    #[test]
    fn coarser_cubes_keep_place_and_volume() {
        let fine = Voxels::fill(&TriangleTree::new(&cuboid(Vec3::splat(0.4), false)), 0.1).unwrap();
        let coarse = fine.coarser(2);
        assert_eq!(coarse.cells.len(), 64);
        assert!((coarse.volume() - fine.volume()).abs() < 1e-6);
        assert!(coarse.centers().sum::<Vec3>().length() < 1e-4);
    }

    #[test]
    fn impossible_lattices_are_refused() {
        let tree = TriangleTree::new(&cuboid(Vec3::ONE, false));
        for spacing in [0.0, -1.0, f32::NAN, 1.0e-4] {
            assert!(matches!(Voxels::fill(&tree, spacing), Err(VoxelError::Spacing { .. })), "{spacing}");
        }
        assert_eq!(Voxels::fill(&TriangleTree::default(), 0.1), Err(VoxelError::NoArea));
    }
}
