//! A box of tetrahedra.

use glam::{UVec3, Vec3};

use super::turned;
use crate::import::tets::TetMesh;

/// A box of so many cells along each axis, one or more, and of this size [m], six tetrahedra to a cell, from x = 0.
///
/// # Panics
/// If a side has no cells or no length.
pub fn brick(cells: UVec3, size: Vec3) -> TetMesh {
    let (rest, tetrahedra) = cut(cells, size);
    turned("brick", rest, tetrahedra)
}

/// The same as it is cut, half of its tetrahedra turned the other way. Every other cell is a mirror image of its neighbor: all alike,
/// they resist bending more.
fn cut(cells: UVec3, size: Vec3) -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let corners = cells + UVec3::ONE;
    let index = |c: UVec3| (c.z * corners.y + c.y) * corners.x + c.x;
    let place = |i: u32| UVec3::new(i % corners.x, i / corners.x % corners.y, i / (corners.x * corners.y));
    let at = |c: UVec3| (c.as_vec3() / cells.as_vec3() - Vec3::new(0.0, 0.5, 0.5)) * size;
    let rest = (0..corners.element_product()).map(|i| at(place(i))).collect();
    let mut tetrahedra = Vec::new();
    for low in (0..corners.element_product()).map(place).filter(|c| c.cmplt(cells).all()) {
        // Kuhn: one tetrahedron for each order of the three axes from corner to corner.
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let odd = low % 2;
            let mut corner = low + odd;
            let mut t = [index(corner); 4];
            for (k, axis) in [a, b, c].into_iter().enumerate() {
                corner[axis] = corner[axis] + 1 - 2 * odd[axis];
                t[k + 1] = index(corner);
            }
            tetrahedra.push(t);
        }
    }
    (rest, tetrahedra)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bricks_fill_their_box_and_their_skin_closes_it() {
        let size = Vec3::new(2.0, 1.0, 0.5);
        let mesh = brick(UVec3::new(3, 2, 2), size);
        assert!((mesh.volume() - size.element_product()).abs() < 1e-5, "{}", mesh.volume());
        let at = |i: u32| mesh.positions[i as usize];
        let enclosed: f32 = mesh.surface().iter().map(|(t, _)| at(t[0]).cross(at(t[1])).dot(at(t[2])) / 6.0).sum();
        assert!((enclosed - mesh.volume()).abs() < 1e-5, "{enclosed} outward");
    }
}
