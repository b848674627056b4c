//! Triangle meshes of bodies and colliders.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, present, vector};

/// Triangles of a static world part or of a solid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriangleMesh {
    /// Vertices [m].
    #[serde(with = "crate::pack")]
    pub positions: Vec<Vec3>,
    /// Vertex indices; counter-clockwise seen from outside.
    #[serde(with = "crate::pack")]
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    pub(super) fn check(&self, item: &str) -> Check {
        if self.triangles.is_empty() {
            return Err(SceneError::Empty { item: item.to_owned(), field: "triangles" });
        }
        self.positions.iter().try_for_each(|p| vector(item, "vertex", *p))?;
        let count = self.positions.len();
        self.triangles.iter().flatten().try_for_each(|i| present(item, "vertex", *i as usize, count))
    }
}

/// The point of triangle `abc` nearest to `p` (Ericson, Real-Time Collision Detection, 5.1.5).
pub fn closest_on_triangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    // An edge without a length is passed over: the others have its points.
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 && (d4 - d3) + (d5 - d6) > 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let sum = va + vb + vc;
    if sum == 0.0 {
        return a;
    }
    a + ab * (vb / sum) + ac * (vc / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_point_in_every_region_of_a_triangle() {
        let (a, b, c) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        assert_eq!(closest_on_triangle(Vec3::new(-1.0, -1.0, 1.0), a, b, c), a);
        assert_eq!(closest_on_triangle(Vec3::new(3.0, 0.0, 0.0), a, b, c), b);
        assert_eq!(closest_on_triangle(Vec3::new(0.0, 3.0, 0.0), a, b, c), c);
        assert_eq!(closest_on_triangle(Vec3::new(0.25, 0.25, 2.0), a, b, c), Vec3::new(0.25, 0.25, 0.0));
        assert_eq!(closest_on_triangle(Vec3::new(0.5, -1.0, 0.0), a, b, c), Vec3::new(0.5, 0.0, 0.0));
    }

    #[test]
    fn slivers_have_a_closest_point() {
        let (a, b) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.9, -0.4, 0.5));
        for p in (0..60).map(|i| 2.0 * (Vec3::new(0.7, 1.3, 2.9) * i as f32).map(f32::sin)) {
            let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            let expected = a.lerp(b, along);
            for corners in [[a, a, b], [a, b, a], [b, a, a], [a, b, b]] {
                let [one, two, three] = corners;
                let found = closest_on_triangle(p, one, two, three);
                assert!(found.distance(expected) < 1e-3, "{found} of {corners:?} for {p}, not {expected}");
            }
            assert_eq!(closest_on_triangle(p, a, a, a), a);
        }
    }
}
