//! A lattice of tetrahedra inside any surface: isosurface stuffing (Labelle and Shewchuk 2007). Cells of a body-centred
//! cubic lattice are cut at the surface; lattice corners near it move onto it first, so that no cell ends up thin.

use std::collections::BTreeMap;

use glam::{IVec3, UVec3, Vec3};
use rayon::prelude::*;

use super::stencil::{Side, cut};
use super::{TetMesh, volume};
use crate::import::triangles::TriangleTree;

/// Most lattice corners that are looked at.
const MOST_SAMPLES: f64 = 8.0e6;
/// Cuts nearer to a corner than this share of a long or a short edge draw the corner onto the surface (paper, table 1).
const NEAR_LONG: f32 = 0.249_99;
const NEAR_SHORT: f32 = 0.411_89;

/// How fine a lattice is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// Distance between neighboring particles inside [m], above 0.
    Spacing(f32),
    /// Number of particles, at least 8; met within a few percent.
    Count(u32),
}

/// Builds lattices inside one surface.
#[derive(Debug)]
pub struct Lattice<'t> {
    tree: &'t TriangleTree,
    /// How far below the surface the outermost particles lie, in spacings.
    inset: f32,
    /// The surface encloses nothing: the body is what is near it.
    sheet: bool,
}

impl<'t> Lattice<'t> {
    /// Lattices whose outermost corners lie `inset` spacings below the surface of `tree`, 0 or more.
    pub fn new(tree: &'t TriangleTree, inset: f32) -> Self {
        Self { tree, inset, sheet: false }
    }

    /// The lattice of this resolution. A surface too thin or too open to enclose a cell becomes a layer around it.
    ///
    /// # Errors
    /// A sentence for a surface without area, a resolution out of range, or one that needs too many cells.
    pub fn build(&mut self, resolution: Resolution) -> Result<TetMesh, String> {
        if self.tree.is_empty() {
            return Err("it has no triangle with an area; give it a surface".into());
        }
        match resolution {
            Resolution::Spacing(spacing) if spacing > 0.0 && spacing.is_finite() => self.or_sheet(spacing),
            Resolution::Spacing(spacing) => Err(format!("a particle spacing of {spacing} m; it must be above 0")),
            Resolution::Count(count) if count >= 8 => self.counted(count as f32),
            Resolution::Count(count) => Err(format!("{count} particles; it must be 8 or more")),
        }
    }

    fn or_sheet(&mut self, spacing: f32) -> Result<TetMesh, String> {
        let mesh = self.stuffed(spacing)?;
        if !mesh.tets.is_empty() || self.sheet {
            return Ok(mesh);
        }
        self.sheet = true;
        self.stuffed(spacing)
    }

    /// Looks for the spacing that gives so many particles.
    fn counted(&mut self, count: f32) -> Result<TetMesh, String> {
        const TRIES: usize = 12;
        let (low, high) = self.tree.bounds();
        // Between the spacings of a solid box and of a needle in it.
        let mut spacing = (high - low).max_element() / count.cbrt();
        let mut best: Option<TetMesh> = None;
        let off = |mesh: &TetMesh| (mesh.positions.len().max(1) as f32 / count).ln();
        for _ in 0..TRIES {
            let mesh = self.stuffed(spacing)?;
            let error = off(&mesh);
            if best.as_ref().is_none_or(|b| error.abs() < off(b).abs()) {
                best = Some(mesh);
            }
            if error.abs() < 0.02 {
                break;
            }
            spacing *= (error / 2.7).clamp(-0.7, 0.7).exp();
        }
        match best {
            Some(mesh) if !mesh.tets.is_empty() => Ok(mesh),
            _ => {
                self.sheet = true;
                self.stuffed(0.7 * (high - low).max_element() / count.sqrt())
            }
        }
    }

    /// Signed distance to the surface of the lattice of this spacing [m], negative inside.
    fn distance(&self, p: Vec3, spacing: f32) -> f32 {
        if self.sheet {
            return self.tree.nearest(p).map_or(f32::INFINITY, |n| n.distance) - 0.75 * spacing;
        }
        self.tree.distance(p) + self.inset * spacing
    }

    fn stuffed(&self, spacing: f32) -> Result<TetMesh, String> {
        fill(self.tree.bounds(), spacing, |p| self.distance(p, spacing))
    }
}

/// A lattice of neighbors `spacing` [m] apart where `distance` is below 0 within the box from the first to the second of
/// `bounds` [m]. The distance [m] should be about linear across a cell; it need not be exact.
///
/// # Errors
/// A sentence for a spacing that needs too many cells.
pub fn fill(bounds: (Vec3, Vec3), spacing: f32, distance: impl Fn(Vec3) -> f32 + Sync) -> Result<TetMesh, String> {
    let grid = Grid::around(bounds, spacing)?;
    let values: Vec<f32> = (0..grid.len()).into_par_iter().map(|i| distance(grid.place(i))).collect();
    let mut cells = Vec::new();
    grid.each_tet(|tet| {
        if tet.iter().any(|c| values[*c as usize] < 0.0) {
            cells.push(tet);
        }
    });
    let crossing = |a: u32, b: u32| {
        let (p, q) = (grid.place(a), grid.place(b));
        let (near, far) = (values[a as usize], values[b as usize]);
        let mut at = near / (near - far);
        // The distance is no line along the edge: one more look between the ends.
        let middle = distance(p.lerp(q, at));
        at = if (middle < 0.0) == (near < 0.0) {
            at + (1.0 - at) * middle / (middle - far)
        } else {
            at * near / (near - middle)
        };
        p.lerp(q, if at.is_finite() { at.clamp(0.01, 0.99) } else { 0.5 })
    };
    Ok(stuff(&grid, &values, &cells, crossing))
}

/// A body-centred cubic lattice: corners of cubes, then their centres.
struct Grid {
    origin: Vec3,
    /// Side of a cube [m].
    side: f32,
    /// Cubes along each axis.
    cubes: UVec3,
}

impl Grid {
    fn around((low, high): (Vec3, Vec3), spacing: f32) -> Result<Self, String> {
        // Corner and centre of a cube are nearest to each other.
        let side = spacing * 2.0 / 3.0_f32.sqrt();
        let cubes = ((high - low) / side).ceil() + 3.0;
        if !(2.0 * cubes.as_dvec3().element_product() < MOST_SAMPLES) {
            let least = (high - low).max_element() / (MOST_SAMPLES as f32).cbrt();
            return Err(format!("a particle spacing of {spacing} m needs too many cells; use at least {least} m"));
        }
        Ok(Self { origin: 0.5 * (low + high) - 0.5 * side * cubes, side, cubes: cubes.as_uvec3() })
    }

    fn corners(&self) -> u32 {
        (self.cubes + 1).element_product()
    }

    fn len(&self) -> u32 {
        self.corners() + self.cubes.element_product()
    }

    fn corner(&self, at: UVec3) -> u32 {
        (at.z * (self.cubes.y + 1) + at.y) * (self.cubes.x + 1) + at.x
    }

    fn center(&self, at: UVec3) -> u32 {
        self.corners() + (at.z * self.cubes.y + at.y) * self.cubes.x + at.x
    }

    fn place(&self, index: u32) -> Vec3 {
        let (index, size, shift) = match index.checked_sub(self.corners()) {
            Some(rest) => (rest, self.cubes, 0.5),
            None => (index, self.cubes + 1, 0.0),
        };
        let (x, rest) = (index % size.x, index / size.x);
        self.origin + self.side * (UVec3::new(x, rest % size.y, rest / size.y).as_vec3() + shift)
    }

    /// Whether both are corners, or both centres: joined by a long edge.
    fn alike(&self, a: u32, b: u32) -> bool {
        (a < self.corners()) == (b < self.corners())
    }

    /// Tetrahedra between the centres of two cubes side by side and an edge of the square between them.
    fn each_tet(&self, mut visit: impl FnMut([u32; 4])) {
        for axis in 0..3 {
            let step = |a: usize| UVec3::from(IVec3::AXES[a % 3].as_uvec3());
            let (out, u, v) = (step(axis), step(axis + 1), step(axis + 2));
            let last = self.cubes - out;
            for z in 0..last.z {
                for y in 0..last.y {
                    for x in 0..last.x {
                        let at = UVec3::new(x, y, z);
                        let (a, b) = (self.center(at), self.center(at + out));
                        let ring = [at + out, at + out + u, at + out + u + v, at + out + v].map(|c| self.corner(c));
                        (0..4).for_each(|k| visit([a, b, ring[k], ring[(k + 1) % 4]]));
                    }
                }
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::{cuboid, sphere};
    use crate::scene::TriangleMesh;

    fn closed(mesh: &TetMesh) -> bool {
        let edges: Vec<[u32; 2]> =
            mesh.surface().iter().flat_map(|(f, _)| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]).collect();
        let known: std::collections::HashSet<_> = edges.iter().copied().collect();
        edges.iter().all(|[a, b]| known.contains(&[*b, *a]))
    }

    #[test]
    fn a_ball_is_filled_with_good_cells_to_its_surface() {
        let tree = TriangleTree::new(&sphere(0.5, 64, 48));
        let mesh = Lattice::new(&tree, 0.0).build(Resolution::Spacing(0.06)).unwrap();
        let quality = mesh.quality();
        println!("ball: {} corners, {} tetrahedra, {quality:?}", mesh.positions.len(), mesh.tets.len());
        let exact = 4.0 / 3.0 * std::f32::consts::PI * 0.125;
        assert!((mesh.volume() / exact - 1.0).abs() < 0.03, "{} of {exact}", mesh.volume());
        assert!(quality.least > 20.0 && quality.largest < 150.0, "{quality:?}");
        assert!(closed(&mesh));
        for i in mesh.surface().iter().flat_map(|(f, _)| *f) {
            let r = mesh.positions[i as usize].length();
            assert!((r - 0.5).abs() < 0.004, "{r}");
        }
        assert!((0..mesh.tets.len()).all(|t| volume(mesh.corners(t)) > 0.0));
    }

    #[test]
    fn boxes_open_and_closed_and_inset_have_their_volume() {
        for open in [false, true] {
            let tree = TriangleTree::new(&cuboid(Vec3::new(0.4, 0.3, 0.5), open));
            let mesh = Lattice::new(&tree, 0.0).build(Resolution::Spacing(0.07)).unwrap();
            let quality = mesh.quality();
            println!("box, open {open}: {} corners, {} tetrahedra, {quality:?}", mesh.positions.len(), mesh.tets.len());
            // Where half the windings are missing is a little outside of an opening.
            let bulge = if open { 0.1 } else { 0.02 };
            assert!((mesh.volume() / 0.48 - 1.0).abs() < bulge, "{}", mesh.volume());
            assert!(quality.least > 20.0, "{quality:?}");
            assert!(closed(&mesh));
        }
        let tree = TriangleTree::new(&sphere(0.5, 64, 48));
        let mesh = Lattice::new(&tree, 0.5).build(Resolution::Spacing(0.06)).unwrap();
        let outermost = mesh.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
        assert!((outermost - 0.47).abs() < 0.003, "{outermost}");
    }

    #[test]
    fn counts_are_met_and_sheets_get_a_layer() {
        let tree = TriangleTree::new(&sphere(0.5, 64, 48));
        let mesh = Lattice::new(&tree, 0.0).build(Resolution::Count(3000)).unwrap();
        assert!((mesh.positions.len() as f32 / 3000.0 - 1.0).abs() < 0.05, "{}", mesh.positions.len());
        let square = TriangleMesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Z, Vec3::Z],
            triangles: vec![[0, 2, 1], [0, 3, 2]],
        };
        let tree = TriangleTree::new(&square);
        for resolution in [Resolution::Spacing(0.1), Resolution::Count(400)] {
            let mesh = Lattice::new(&tree, 0.0).build(resolution).unwrap();
            println!("sheet: {} corners, {:?}", mesh.positions.len(), mesh.quality());
            assert!(mesh.tets.len() > 100 && closed(&mesh), "{}", mesh.tets.len());
        }
    }

    #[test]
    fn impossible_resolutions_are_refused() {
        let tree = TriangleTree::new(&cuboid(Vec3::ONE, false));
        let mut lattice = Lattice::new(&tree, 0.0);
        for bad in [0.0, -1.0, f32::NAN, 1.0e-5].map(Resolution::Spacing) {
            assert!(lattice.build(bad).unwrap_err().contains("spacing"), "{bad:?}");
        }
        assert!(lattice.build(Resolution::Count(3)).unwrap_err().contains("8 or more"));
        assert!(Lattice::new(&TriangleTree::default(), 0.0).build(Resolution::Count(99)).is_err());
    }
}
