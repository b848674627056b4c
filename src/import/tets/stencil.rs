//! The part of a lattice tetrahedron inside a surface that cuts its edges: at most three tetrahedra (Labelle and
//! Shewchuk 2007, Isosurface stuffing, figure 3). Diagonals of quadrilaterals begin at their smallest corner, so both
//! sides of a face agree (Dompierre et al. 1999).

/// Side of a lattice corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Inside,
    On,
    Outside,
}

/// Adds what is inside of tetrahedron `tet` with corners on these sides. `cut` names the corner where the edge from an
/// inside to an outside corner meets the surface.
pub(super) fn cut(tet: [u32; 4], sides: [Side; 4], cut: impl Fn(u32, u32) -> u32, out: &mut Vec<[u32; 4]>) {
    let of = |side: Side| (0..4).filter(move |i| sides[*i] == side).map(move |i| tet[i]);
    let (mut inside, mut outside) = (of(Side::Inside), of(Side::Outside));
    let count = |side: Side| sides.iter().filter(|s| **s == side).count();
    let next = |from: &mut dyn Iterator<Item = u32>| from.next().unwrap_or(u32::MAX);
    match (count(Side::Inside), count(Side::Outside)) {
        (0, _) => {}
        (_, 0) => out.push(tet),
        (1, _) => {
            let tip = next(&mut inside);
            let mut corners = tet;
            for (corner, side) in corners.iter_mut().zip(sides) {
                if side == Side::Outside {
                    *corner = cut(tip, *corner);
                }
            }
            out.push(corners);
        }
        (2, 1) => {
            let (a, b, away) = (next(&mut inside), next(&mut inside), next(&mut outside));
            let top = of(Side::On).next().unwrap_or(u32::MAX);
            let (a, b) = (a.min(b), a.max(b));
            let (cut_a, cut_b) = (cut(a, away), cut(b, away));
            out.extend([[a, b, cut_b, top], [a, cut_b, cut_a, top]]);
        }
        (2, _) => {
            let (a, b, c, d) = (next(&mut inside), next(&mut inside), next(&mut outside), next(&mut outside));
            out.extend(prism([a, cut(a, c), cut(a, d)], [b, cut(b, c), cut(b, d)]));
        }
        _ => {
            let (a, b, c, away) = (next(&mut inside), next(&mut inside), next(&mut inside), next(&mut outside));
            out.extend(prism([a, b, c], [cut(a, away), cut(b, away), cut(c, away)]));
        }
    }
}

/// The three tetrahedra of a prism between triangles `a` and `b`, corner `i` of one joined to corner `i` of the other.
/// Each diagonal begins at the smallest corner of its quadrilateral, so prisms side by side fit. The tetrahedra may turn
/// either way.
pub fn prism(a: [u32; 3], b: [u32; 3]) -> [[u32; 4]; 3] {
    let first = (0..6).min_by_key(|i| [a, b][i / 3][i % 3]).unwrap_or(0);
    let (near, far) = if first < 3 { (a, b) } else { (b, a) };
    let turned = |t: [u32; 3]| [t[first % 3], t[(first + 1) % 3], t[(first + 2) % 3]];
    let ([a0, a1, a2], [b0, b1, b2]) = (turned(near), turned(far));
    // Both quadrilaterals at a0 begin there; the third is left.
    if a1.min(b2) < a2.min(b1) {
        [[a0, b0, b1, b2], [a0, a1, a2, b2], [a0, a1, b2, b1]]
    } else {
        [[a0, b0, b1, b2], [a0, a1, a2, b1], [a0, a2, b2, b1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::tets::{TetMesh, volume};
    use glam::Vec3;

    #[test]
    fn every_numbering_of_a_prism_fills_it_without_overlap() {
        let places = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::X + Vec3::Z, Vec3::Y + Vec3::Z];
        let mut order = [0_u32, 1, 2, 3, 4, 5];
        for step in 0..720 {
            // Some 720 shuffles, each a fixed step from the last.
            order.swap(step % 6, (7 * step + step / 6) % 6);
            let mut positions = vec![Vec3::ZERO; 6];
            (0..6).for_each(|i| positions[order[i] as usize] = places[i]);
            let tets = prism([order[0], order[1], order[2]], [order[3], order[4], order[5]]);
            let mesh = TetMesh { positions, tets: tets.to_vec() };
            let total: f64 = (0..3).map(|t| volume(mesh.corners(t)).abs()).sum();
            assert!((total - 0.5).abs() < 1e-6, "{total}");
            assert_eq!(mesh.surface().len(), 8, "two triangles and three quadrilaterals in halves");
        }
    }

    #[test]
    fn cuts_keep_what_is_inside() {
        let cut_at = |a: u32, b: u32| 10 * (a + 1) + b;
        let count = |sides: [Side; 4]| {
            let mut out = Vec::new();
            cut([0, 1, 2, 3], sides, cut_at, &mut out);
            assert!(out.iter().flatten().all(|c| *c >= 10 || sides[*c as usize] != Side::Outside));
            out.len()
        };
        use Side::{Inside as I, On, Outside as X};
        assert_eq!(count([I, I, I, I]), 1);
        assert_eq!(count([I, On, I, On]), 1);
        assert_eq!(count([I, X, X, X]), 1);
        assert_eq!(count([X, On, I, X]), 1);
        assert_eq!(count([I, I, On, X]), 2);
        assert_eq!(count([I, X, I, X]), 3);
        assert_eq!(count([I, I, X, I]), 3);
        assert_eq!(count([On, On, On, On]) + count([X, On, X, X]), 0);
    }
}
