//! Lattices of tetrahedra inside any surface, open or closed, a little below it so that particles have room.

use glam::Vec3;
use rayon::prelude::*;

use super::TetMesh;
use super::grid::Grid;
use super::stuff::fill_grid;
use crate::import::triangles::TriangleTree;
use crate::scene::components;

/// Half of what a part is at least thick, in spacings: any place is within 0.65 of a lattice corner, which must stay
/// clear of the surface for thin parts to hang together.
const HALF_THICKNESS: f32 = 0.85;
/// A place whose 14 neighbors are all inside is at least so far below the surface, in spacings.
const DEEP: f32 = 0.55;
/// Pieces smaller than this share of the whole are left out.
const CRUMB: f32 = 0.03;
/// Logarithm of the number of particles over the wanted one that is near enough.
const NEAR_ENOUGH: f32 = 0.02;
/// Power of the spacing that the number falls with, between a surface's 2 and a solid's 3; and the most that one try changes the
/// logarithm of the spacing.
const POWER: f32 = 2.7;
const MOST_CHANGE: f32 = 0.7;
/// A first try may look at so many places of the box [dimensionless].
const FIRST_SAMPLES: f32 = 2.0e5;
/// Spacings that differ by less than this part of them are not told apart in the search for a number of particles.
const NO_FINER: f32 = 0.02;
/// What is nearer to the surface than this is on it, and is looked at from so far beside it, in no direction that a model would
/// have [spacings].
const ON_SURFACE: f32 = 0.01;
const ASIDE: f32 = 0.04;
const NO_AXIS: Vec3 = Vec3::new(0.6, 0.48, 0.64);

/// How fine a lattice is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// Distance between neighboring particles inside [m], above 0.
    Spacing(f32),
    /// Number of particles, at least 8; met within a few percent, or as near as thin parts allow, which gain a layer at once.
    Count(u32),
}

/// Builds lattices inside one surface.
#[derive(Debug)]
pub struct Lattice<'t> {
    tree: &'t TriangleTree,
    /// How far below the surface the outermost particles lie, in spacings.
    inset: f32,
}

impl<'t> Lattice<'t> {
    /// Lattices whose outermost corners lie `inset` spacings below the surface of `tree`, 0 or more; less where it is
    /// thin.
    pub fn new(tree: &'t TriangleTree, inset: f32) -> Self {
        Self { tree, inset }
    }

    /// The lattice of this resolution. Parts thinner than a cell become one cell thick, and a surface that encloses
    /// nothing a layer; crumbs that do not hang together with the rest are left out.
    ///
    /// # Errors
    /// A sentence for a surface without area, a resolution out of range, or one that needs too many cells.
    pub fn build(&self, resolution: Resolution) -> Result<TetMesh, String> {
        if self.tree.is_empty() {
            return Err("it has no triangle with an area; give it a surface".into());
        }
        match resolution {
            Resolution::Spacing(spacing) if spacing > 0.0 && spacing.is_finite() => self.stuffed(spacing),
            Resolution::Spacing(spacing) => Err(format!("a particle spacing of {spacing} m; it must be above 0")),
            Resolution::Count(count) if count >= 8 => self.counted(count as f32),
            Resolution::Count(count) => Err(format!("{count} particles; it must be 8 or more")),
        }
    }

    /// Looks for the spacing that gives so many particles.
    fn counted(&self, count: f32) -> Result<TetMesh, String> {
        const TRIES: usize = 12;
        let bounds = self.tree.bounds();
        // Halfway between the spacings of a solid box and of a needle in it, where that is soon looked at, or else that of the box: if it
        // is less solid, finer ones are tried.
        let mut spacing = (bounds.1 - bounds.0).max_element() / count.sqrt();
        if spacing < Grid::spacing_of(bounds, FIRST_SAMPLES) {
            spacing = spacing.max(Grid::spacing_of(bounds, count));
        }
        let mut best = TetMesh::default();
        let off = |mesh: &TetMesh| (mesh.positions.len().max(1) as f32 / count).ln();
        // The largest spacing that gave too many, and the least that gave too few.
        let (mut fine, mut coarse) = (0.0_f32, f32::INFINITY);
        for _ in 0..TRIES {
            let mesh =
                self.stuffed(spacing).map_err(|_| format!("{count} particles need too many cells; use fewer"))?;
            let error = off(&mesh);
            if error.abs() < off(&best).abs() {
                best = mesh;
            }
            if error > 0.0 {
                fine = spacing
            } else {
                coarse = spacing
            }
            // A thin part gains or loses a layer at once: there is no number in between.
            if error.abs() < NEAR_ENOUGH || coarse < (1.0 + NO_FINER) * fine {
                break;
            }
            spacing *= (error / POWER).clamp(-MOST_CHANGE, MOST_CHANGE).exp();
            if !(fine < spacing && spacing < coarse) {
                spacing = (fine * coarse).sqrt();
            }
        }
        Ok(best)
    }

    /// How deep below the surface [m] one gets from `p`, whose signed distance is `distance` [m]: straight inward from the
    /// nearest place of it to where it is deep, or else by climbing away from whatever is nearest. No deeper than matters.
    fn depth(&self, p: Vec3, distance: f32, spacing: f32, deep: impl Fn(Vec3) -> bool) -> f32 {
        const STEPS: u32 = 12;
        let enough = (self.inset + HALF_THICKNESS) * spacing;
        let step = 0.2 * enough;
        let mut at = p;
        // On the surface itself there is no direction to it; beside it there is.
        if distance.abs() < ON_SURFACE * spacing {
            at += ASIDE * spacing * NO_AXIS;
        }
        let mut here = self.tree.distance(at);
        let (mut deepest, mut first) = (-distance, true);
        for _ in 0..STEPS {
            let Some(nearest) = self.tree.nearest(at) else { break };
            let inward = (nearest.point - at).normalize_or_zero() * here.signum();
            if first && (1..=6).any(|k| deep(nearest.point + inward * (k as f32 * step))) {
                return enough;
            }
            first = false;
            // From outside the first step ends a little below the surface.
            at += inward * (step + here.max(0.0));
            here = self.tree.distance(at);
            deepest = deepest.max(-here);
            if deepest >= enough || deep(at) {
                return enough;
            }
        }
        deepest.max(0.0)
    }

    fn stuffed(&self, spacing: f32) -> Result<TetMesh, String> {
        let grid = Grid::around(self.tree.bounds(), spacing)?;
        let distance = |p: Vec3| self.tree.distance(p);
        let mut values: Vec<f32> = (0..grid.len()).into_par_iter().map(|i| distance(grid.place(i))).collect();
        // Places with only inside around them are deep, even where surfaces inside of others pass near them.
        let inside = |i: u32| values[i as usize] < 0.0;
        let deep = |i: u32| inside(i) && grid.around_place(i).all(inside);
        let deep: Vec<bool> = (0..grid.len()).into_par_iter().map(deep).collect();
        values.iter_mut().zip(&deep).filter(|(_, deep)| **deep).for_each(|(v, _)| *v = v.min(DEEP * -spacing));
        let far = (self.inset + HALF_THICKNESS + 1.0) * spacing;
        let shift = |i: u32| {
            let (i, value) = (i as usize, values[i as usize]);
            if deep[i] || value.abs() > far {
                return self.inset * spacing;
            }
            let depth = self.depth(grid.place(i as u32), value, spacing, |p| deep[grid.nearest(p) as usize]);
            (depth - HALF_THICKNESS * spacing).min(self.inset * spacing)
        };
        let mut shifts: Vec<f32> = (0..grid.len()).into_par_iter().map(shift).collect();
        // Where a thin part leaves a thick one, depth changes at once; the body has a fillet there.
        for _ in 0..2 {
            let least = |i: u32| grid.around_place(i).map(|k| shifts[k as usize]).fold(f32::INFINITY, f32::min);
            let eased = |i: u32| shifts[i as usize].min(least(i) + 0.5 * spacing);
            shifts = (0..grid.len()).into_par_iter().map(eased).collect();
        }
        Ok(without_crumbs(fill_grid(&grid, &values, &shifts, distance)))
    }
}

/// `mesh` without the pieces that are small against it.
fn without_crumbs(mut mesh: TetMesh) -> TetMesh {
    let edges = mesh.tets.iter().flat_map(|[a, b, c, d]| [[*a, *b], [*a, *c], [*a, *d]]);
    let roots = components(mesh.positions.len(), edges);
    let mut sizes = vec![0_usize; roots.len()];
    let pieces: Vec<u32> = mesh.tets.iter().map(|tet| roots[tet[0] as usize]).collect();
    pieces.iter().for_each(|piece| sizes[*piece as usize] += 1);
    let least = CRUMB * mesh.tets.len() as f32;
    let mut piece = pieces.iter();
    mesh.tets.retain(|_| piece.next().is_some_and(|p| sizes[*p as usize] as f32 >= least));
    mesh.packed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::{cuboid, sphere};
    use crate::import::tets::volume;
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
        let tree = TriangleTree::new(&cuboid(Vec3::splat(0.5), false));
        let mesh = Lattice::new(&tree, 0.0).build(Resolution::Count(40_000)).unwrap();
        assert!((mesh.positions.len() as f32 / 40_000.0 - 1.0).abs() < 0.05, "{}", mesh.positions.len());
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
    fn thin_parts_hang_together_and_crumbs_are_left_out() {
        // Two boxes joined by a rod a fifth of a cell thick, and a crumb far away.
        let mut mesh = TriangleMesh::default();
        let parts = [
            (Vec3::ZERO, Vec3::splat(0.3)),
            (Vec3::X * 1.2, Vec3::splat(0.3)),
            (Vec3::X * 0.6, Vec3::new(0.35, 0.01, 0.01)),
            (Vec3::Y * 2.0, Vec3::splat(0.04)),
        ];
        for (center, half) in parts {
            let part = cuboid(half, false);
            let first = mesh.positions.len() as u32;
            mesh.positions.extend(part.positions.iter().map(|p| *p + center));
            mesh.triangles.extend(part.triangles.iter().map(|t| t.map(|i| i + first)));
        }
        let tree = TriangleTree::new(&mesh);
        let lattice = Lattice::new(&tree, 0.45).build(Resolution::Spacing(0.1)).unwrap();
        assert!(lattice.positions.iter().all(|p| p.y < 1.0), "the crumb is left out");
        // From one corner everything is reached over edges.
        let mut reached = vec![false; lattice.positions.len()];
        reached[0] = true;
        let edges = lattice.edges();
        for _ in 0..lattice.positions.len() {
            let before = reached.iter().filter(|r| **r).count();
            for [a, b] in edges.iter().map(|e| e.map(|i| i as usize)) {
                let either = reached[a] || reached[b];
                (reached[a], reached[b]) = (either, either);
            }
            if reached.iter().filter(|r| **r).count() == before {
                break;
            }
        }
        assert!(reached.iter().all(|r| *r), "the rod joins both boxes");
        assert!(lattice.positions.iter().any(|p| p.x > 1.3) && lattice.positions.iter().any(|p| p.x < -0.1));
    }

    #[test]
    fn impossible_resolutions_are_refused() {
        let tree = TriangleTree::new(&cuboid(Vec3::ONE, false));
        let lattice = Lattice::new(&tree, 0.0);
        for bad in [0.0, -1.0, f32::NAN, 1.0e-5].map(Resolution::Spacing) {
            assert!(lattice.build(bad).unwrap_err().contains("spacing"), "{bad:?}");
        }
        assert!(lattice.build(Resolution::Count(3)).unwrap_err().contains("8 or more"));
        assert!(lattice.build(Resolution::Count(20_000_000)).unwrap_err().starts_with("20000000 particles need"));
        assert!(Lattice::new(&TriangleTree::default(), 0.0).build(Resolution::Count(99)).is_err());
    }
}
