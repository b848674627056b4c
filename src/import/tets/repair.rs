//! Triangle meshes as they come: corners welded, useless triangles left out, holes and crowded edges counted.

use std::collections::{HashMap, HashSet};

use glam::{IVec3, Vec3};

use crate::scene::TriangleMesh;

/// Corners nearer than this share of the mesh's size are one.
const WELD: f32 = 1.0e-6;

/// What was found in a mesh, and what of it was mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Corners at the place of another, made one with it.
    pub welded: usize,
    /// Those of them that were not quite there.
    pub near: usize,
    /// Triangles without area or with an edge of no length, left out.
    pub degenerate: usize,
    /// Triangles given before, left out.
    pub duplicate: usize,
    /// Edges of one triangle only: the mesh is open there.
    pub open_edges: usize,
    /// Edges of more than two triangles.
    pub crowded_edges: usize,
    /// Edges whose two triangles face opposite ways.
    pub twisted_edges: usize,
}

impl Repairs {
    /// What a user should know, one sentence each; welded corners are usual and not told.
    pub fn warnings(&self, name: &str) -> Vec<String> {
        let said = [
            (self.degenerate, "triangles without area were left out"),
            (self.duplicate, "duplicate triangles were left out"),
            (self.open_edges, "edges are open; what the surface mostly surrounds counts as inside"),
            (self.crowded_edges, "edges have more than two triangles; what the surface mostly surrounds is inside"),
            (self.twisted_edges, "edges lie between triangles that face opposite ways"),
        ];
        said.into_iter().filter(|s| s.0 > 0).map(|(count, what)| format!("{name}: {count} {what}")).collect()
    }
}

/// A mesh that was mended.
#[derive(Clone, Debug)]
pub struct Mended {
    /// Corners at one place are one, and useless triangles are gone.
    pub mesh: TriangleMesh,
    /// Of every corner before, where it was [m] and which one it became; those of useless triangles are there too.
    pub places: Vec<(Vec3, u32)>,
    /// What was found.
    pub repairs: Repairs,
}

/// `mesh` with corners at one place made one and without useless triangles, and what was found.
///
/// # Errors
/// As [`mended`].
pub fn repaired(mesh: &TriangleMesh) -> Result<(TriangleMesh, Repairs), String> {
    mended(mesh).map(|mended| (mended.mesh, mended.repairs))
}

/// As [`repaired`], and what became of each corner.
///
/// # Errors
/// A sentence naming a corner that is not finite or not there, or a mesh of which nothing is left.
pub fn mended(mesh: &TriangleMesh) -> Result<Mended, String> {
    if let Some(corner) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(format!("vertex {corner} is not finite; remove it"));
    }
    let count = mesh.positions.len();
    if let Some(corner) = mesh.triangles.iter().flatten().find(|c| **c as usize >= count) {
        return Err(format!("a triangle names vertex {corner}; there are {count}"));
    }
    let mut repairs = Repairs::default();
    let (positions, merged) = welded(&mesh.positions);
    repairs.welded = count - positions.len();
    repairs.near = mesh.positions.iter().zip(&merged).filter(|(p, to)| positions[**to as usize] != **p).count();
    let mut known = HashSet::new();
    let mut triangles = Vec::with_capacity(mesh.triangles.len());
    for triangle in &mesh.triangles {
        let t = triangle.map(|c| merged[c as usize]);
        let mut key = t;
        key.sort_unstable();
        if flat(t.map(|c| positions[c as usize])) {
            repairs.degenerate += 1;
        } else if known.insert(key) {
            triangles.push(t);
        } else {
            repairs.duplicate += 1;
        }
    }
    if triangles.is_empty() {
        return Err("it has no triangle with an area; give it a surface".into());
    }
    count_edges(&triangles, &mut repairs);
    let places = mesh.positions.iter().copied().zip(merged).collect();
    Ok(Mended { mesh: TriangleMesh { positions, triangles }, places, repairs })
}

/// Distinct places, and which of them each corner is at.
fn welded(positions: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let low = positions.iter().fold(Vec3::MAX, |m, p| m.min(*p));
    let high = positions.iter().fold(Vec3::MIN, |m, p| m.max(*p));
    let reach = (WELD * (high - low).max_element()).max(f32::MIN_POSITIVE);
    let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
    let (mut kept, mut merged): (Vec<Vec3>, Vec<u32>) = (Vec::new(), Vec::new());
    for p in positions {
        let cell = ((*p - low) / (2.0 * reach)).floor().as_ivec3();
        let around = (0..27).map(|i| cell + IVec3::new(i % 3, i / 3 % 3, i / 9) - 1);
        let near = around.filter_map(|c| cells.get(&c)).flatten();
        let same = near.copied().filter(|i| kept[*i as usize].distance(*p) <= reach).min();
        merged.push(same.unwrap_or_else(|| {
            cells.entry(cell).or_default().push(kept.len() as u32);
            kept.push(*p);
            kept.len() as u32 - 1
        }));
    }
    (kept, merged)
}

/// Whether the height over the longest side is below a millionth of that side.
fn flat([a, b, c]: [Vec3; 3]) -> bool {
    let (u, v) = ((b - a).as_dvec3(), (c - a).as_dvec3());
    let longest = u.length_squared().max(v.length_squared()).max((v - u).length_squared());
    u.cross(v).length() <= 1.0e-6 * longest
}

fn count_edges(triangles: &[[u32; 3]], repairs: &mut Repairs) {
    // For each edge, how often it is walked from the smaller corner and from the larger.
    let mut walks: HashMap<[u32; 2], [usize; 2]> = HashMap::new();
    for t in triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            walks.entry([a.min(b), a.max(b)]).or_default()[usize::from(a > b)] += 1;
        }
    }
    let count = |test: fn(&[usize; 2]) -> bool| walks.values().filter(|w| test(w)).count();
    repairs.open_edges = count(|w| w[0] + w[1] == 1);
    repairs.crowded_edges = count(|w| w[0] + w[1] > 2);
    repairs.twisted_edges = count(|w| w[0] + w[1] == 2 && w[0] != 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::cuboid;

    #[test]
    fn a_soup_of_triangles_becomes_a_mesh_and_its_faults_are_counted() {
        let solid = cuboid(Vec3::ONE, false);
        let corners = solid.triangles.iter().flatten().map(|c| solid.positions[*c as usize]).collect();
        let triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let (mesh, repairs) = repaired(&TriangleMesh { positions: corners, triangles }).unwrap();
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (8, 12));
        assert_eq!(repairs, Repairs { welded: 28, ..Repairs::default() });
        assert!(repairs.warnings("box").is_empty());

        let mut bad = cuboid(Vec3::ONE, true);
        bad.triangles.push([0, 0, 1]);
        bad.triangles.push(bad.triangles[3]);
        bad.positions.push(Vec3::new(0.0, 0.0, 9.0));
        bad.triangles.push([0, 1, 8]);
        bad.triangles[0].swap(0, 1);
        let (_, found) = repaired(&bad).unwrap();
        assert_eq!((found.degenerate, found.duplicate, found.crowded_edges), (1, 1, 1), "{found:?}");
        assert!(found.open_edges == 6 && found.twisted_edges > 0, "{found:?}");
        assert!(found.warnings("box").iter().any(|w| w.starts_with("box: 6 edges are open")));
    }

    #[test]
    fn what_cannot_be_mended_is_named() {
        let reason = |positions: Vec<Vec3>, triangles: Vec<[u32; 3]>| {
            repaired(&TriangleMesh { positions, triangles }).expect_err("a fault")
        };
        assert!(reason(vec![Vec3::NAN], vec![]).contains("vertex 0 is not finite"));
        assert!(reason(vec![Vec3::ZERO], vec![[0, 0, 1]]).contains("vertex 1; there are 1"));
        assert!(reason(vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], vec![[0, 1, 2]]).contains("no triangle with an area"));
        assert!(reason(vec![], vec![]).contains("no triangle"));
    }
}
