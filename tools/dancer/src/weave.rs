//! Cloth meshes from rows of points: each row is cut into equal pieces, and neighboring rows are zipped together.
//!
//! Rows may have different numbers of points, so triangles stay even where a garment grows wider.

use glam::Vec3;

use crate::mesh::Mesh;

/// A mesh between rows, and the row of each of its vertices.
#[derive(Clone, Debug, Default)]
pub struct Woven {
    /// Vertices and triangles.
    pub mesh: Mesh,
    /// Row of each vertex, from the top; shape [vertex_count].
    pub rows: Vec<usize>,
}

/// The mesh between curves, each a chain of points [m], the upper before the lower; `closed` curves are rings that end
/// where they begin. Edges along a row are about `edge` [m] long, and at least `least` of them.
pub fn weave(curves: &[Vec<Vec3>], closed: bool, edge: f32, least: usize) -> Woven {
    let mut woven = Woven::default();
    let mut above: Vec<u32> = Vec::new();
    for (row, curve) in curves.iter().enumerate() {
        let pieces = ((length(curve) / edge + 0.5) as usize).max(least);
        let mut points = evenly(curve, pieces);
        if closed {
            points.pop();
        }
        let first = woven.mesh.points.len() as u32;
        let mut own: Vec<u32> = (first..first + points.len() as u32).collect();
        woven.rows.resize(woven.rows.len() + points.len(), row);
        woven.mesh.points.append(&mut points);
        if closed {
            own.push(first);
        }
        if !above.is_empty() {
            zip(&above, &own, &mut woven.mesh.triangles);
        }
        above = own;
    }
    woven
}

fn length(curve: &[Vec3]) -> f32 {
    curve.windows(2).map(|w| w[0].distance(w[1])).sum()
}

/// Points that divide a curve into `pieces` of equal length, both ends included.
fn evenly(curve: &[Vec3], pieces: usize) -> Vec<Vec3> {
    let step = length(curve) / pieces as f32;
    let (mut at, mut way) = (0, 0.0);
    let point = |i| {
        let wanted = step * i as f32;
        let mut own = curve[at].distance(curve[at + 1]);
        while at + 2 < curve.len() && way + own < wanted {
            way += own;
            at += 1;
            own = curve[at].distance(curve[at + 1]);
        }
        curve[at].lerp(curve[at + 1], ((wanted - way) / own.max(1e-9)).clamp(0.0, 1.0))
    };
    (0..=pieces).map(point).collect()
}

/// Triangles between two rows: always on from the row that is behind.
fn zip(above: &[u32], below: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let (last_a, last_b) = (above.len() - 1, below.len() - 1);
    let (mut a, mut b) = (0, 0);
    while a < last_a || b < last_b {
        // Whose next piece has the nearer middle; whole numbers, so nothing depends on rounding.
        let on_above = b == last_b || (a < last_a && (2 * a + 1) * last_b <= (2 * b + 1) * last_a);
        if on_above {
            triangles.push([above[a], below[b], above[a + 1]]);
            a += 1;
        } else {
            triangles.push([above[a], below[b], below[b + 1]]);
            b += 1;
        }
    }
}
