//! User-supplied tetrahedra: checked, oriented, and without those of no volume.

use std::collections::HashSet;

use glam::Vec3;

use super::{TetError, TetMesh, volume};
use crate::numbers::cubed;

/// Volume over the cube of the longest edge below which a tetrahedron is flat; a regular one has 0.118.
const FLAT: f64 = 1.0e-6;

impl TetMesh {
    /// A mesh of these corners [m] and tetrahedra. Inverted ones are turned; flat ones, those that name a corner twice
    /// and those given twice are left out; corners without any are left out too. The sentences say how many.
    ///
    /// # Errors
    /// [`TetError`] naming a corner that is not finite or not there, or when nothing is left.
    pub fn given(name: &str, positions: &[Vec3], tets: &[[u32; 4]]) -> Result<(Self, Vec<String>), TetError> {
        let error = |reason: String| TetError { name: name.to_owned(), reason };
        if let Some(corner) = positions.iter().position(|p| !p.is_finite()) {
            return Err(error(format!("corner {corner} is not finite; remove it")));
        }
        let count = positions.len();
        for (index, tet) in tets.iter().enumerate() {
            if let Some(corner) = tet.iter().find(|c| **c as usize >= count) {
                return Err(error(format!("tetrahedron {index} names corner {corner}; there are {count}")));
            }
        }
        let (mut kept, mut known) = (Vec::new(), HashSet::new());
        let (mut inverted, mut flat, mut twice) = (0, 0, 0);
        for tet in tets {
            let corners = tet.map(|c| positions[c as usize]);
            let longest = super::EDGES.iter().map(|[a, b]| corners[*a].distance(corners[*b])).fold(0.0, f32::max);
            let volume = volume(corners);
            let mut key = *tet;
            key.sort_unstable();
            if volume.abs() <= FLAT * cubed(f64::from(longest)) {
                flat += 1;
            } else if !known.insert(key) {
                twice += 1;
            } else if volume < 0.0 {
                inverted += 1;
                kept.push([tet[0], tet[1], tet[3], tet[2]]);
            } else {
                kept.push(*tet);
            }
        }
        if kept.is_empty() {
            return Err(error(format!("none of its {} tetrahedra has a volume", tets.len())));
        }
        let mesh = Self { positions: positions.to_vec(), tets: kept }.packed();
        let loose = count - mesh.positions.len();
        let said = [
            (inverted, "inverted tetrahedra were turned"),
            (flat, "tetrahedra without volume were left out"),
            (twice, "duplicate tetrahedra were left out"),
            (loose, "corners without a tetrahedron were left out"),
        ];
        Ok((mesh, said.into_iter().filter(|s| s.0 > 0).map(|(n, what)| format!("{name}: {n} {what}")).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 5] = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];

    #[test]
    fn faults_are_mended_and_counted() {
        let tets = [[0, 1, 2, 3], [0, 2, 1, 4], [1, 0, 2, 3], [0, 1, 1, 2], [0, 0, 0, 0]];
        let lost: Vec<Vec3> = CORNERS.into_iter().chain([Vec3::NEG_ONE]).collect();
        let (mesh, warnings) = TetMesh::given("cube", &lost, &tets).unwrap();
        assert_eq!((mesh.tets.len(), mesh.positions.len()), (2, 5));
        assert!((0..2).all(|t| volume(mesh.corners(t)) > 0.0));
        let all = warnings.join("; ");
        for part in ["1 inverted", "2 tetrahedra without volume", "1 duplicate tetrahedra", "1 corners without"] {
            assert!(all.contains(part), "{all}");
        }
        assert!(TetMesh::given("cube", &CORNERS, &[[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap().1.is_empty());
    }

    #[test]
    fn what_cannot_be_mended_is_named() {
        let reason = |positions: &[Vec3], tets: &[[u32; 4]]| {
            TetMesh::given("cube", positions, tets).expect_err("a fault").to_string()
        };
        assert!(reason(&CORNERS, &[[0, 1, 2, 5]]).contains("tetrahedron 0 names corner 5; there are 5"));
        assert!(reason(&[Vec3::NAN], &[]).contains("corner 0 is not finite"));
        assert!(reason(&CORNERS, &[[0, 1, 2, 2]]).contains("none of its 1 tetrahedra"));
        assert!(reason(&[], &[]).contains("soft body `cube`"));
    }
}
