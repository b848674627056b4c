//! In-plane strain of a triangle along the directions of its weave (Müller et al. 2014): with the columns F_u, F_v of the
//! deformation gradient, C_u = |F_u| - 1 (warp), C_v = |F_v| - 1 (weft), C_uv = F_u · F_v / |F_u| |F_v| (shear).

use glam::{DMat2, DVec2, DVec3, Vec2, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Resists stretch along warp and weft and shear between them, each with a softness of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleStrain {
    /// The corners.
    pub particles: [u32; 3],
    /// Their places in the flat sheet, warp along x and weft along y [m].
    pub rest: [Vec2; 3],
    /// Inverse stiffness along warp, weft and in shear [1/J for the whole triangle].
    pub compliance: [f32; 3],
}

impl TriangleStrain {
    /// At rest where the particles are [m], warp along the first edge.
    pub fn between(particles: [u32; 3], x: [Vec3; 3], compliance: [f32; 3]) -> Self {
        let (u, v) = (x[1] - x[0], x[2] - x[0]);
        let along = u.normalize_or_zero();
        let height = v.reject_from(along).length();
        let rest = [Vec2::ZERO, Vec2::new(u.length(), 0.0), Vec2::new(v.dot(along), height)];
        Self { particles, rest, compliance }
    }
}

impl Constraint for TriangleStrain {
    fn row(&self) -> Result<Row, ConstraintError> {
        let [a, b, c] = self.rest.map(Vec2::as_dvec2);
        let edges = DMat2::from_cols(b - a, c - a);
        let area = 0.5 * edges.determinant().abs();
        let inverse = edges.inverse().to_cols_array().map(|v| v as f32);
        let values = [&inverse[..], &self.compliance[..]].concat();
        let mut checks = vec![("rest area", area as f32, area > f64::from(f32::MIN_POSITIVE), "above 0")];
        checks.extend(self.compliance.map(kind::compliance));
        kind::checked(Row::new(&TYPE, self.particles, &values), &checks)
    }
}

/// Values: inverse of the edges at rest by columns [1/m], α of warp, weft, shear [1/J].
pub(super) static TYPE: Type = Type {
    name: "triangle_strain",
    user: None,
    particles: 3,
    equations: 3,
    values: 7,
    role: Role::Strain,
    gives: &[(4, Give::Stretch), (5, Give::Stretch), (6, Give::Shear)],
    equation: |v, index, x| {
        let column = |j: usize| (x[1] - x[0]) * v[2 * j] + (x[2] - x[0]) * v[2 * j + 1];
        let ((u, stretch_u), (w, stretch_w)) = (kind::direction(column(0)), kind::direction(column(1)));
        let cosine = u.dot(w);
        // Derivatives by F_u and F_v.
        let (value, by_u, by_w) = match index {
            0 => (stretch_u - 1.0, u, DVec3::ZERO),
            1 => (stretch_w - 1.0, DVec3::ZERO, w),
            _ => (
                cosine,
                (w - cosine * u) / stretch_u.max(kind::LEAST_STRETCH),
                (u - cosine * w) / stretch_w.max(kind::LEAST_STRETCH),
            ),
        };
        let at = |row: DVec2| by_u * row.x + by_w * row.y;
        let (b, c) = (at(DVec2::new(v[0], v[2])), at(DVec2::new(v[1], v[3])));
        Equation { value, compliance: v[4 + index], most: UNBOUNDED, gradient: [-(b + c), b, c, DVec3::ZERO] }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.0, 0.05], [0.05, 0.3, 0.0]]);
        let corners = [rest[0], rest[1], rest[2]];
        let row = TriangleStrain::between([0, 1, 2], corners, [1e-3, 2e-3, 5e-3]).row().unwrap();
        kind::Example { row, rest }
    },
};
