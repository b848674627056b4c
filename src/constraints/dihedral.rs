//! Bending of two triangles about their common edge (Müller et al. 2007, with the signed angle and the gradient of
//! Bridson et al. 2003): C = θ - φ, and θ = 0 when flat.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Keeps the angle between two triangles.
///
/// ```text
///      c            a, b: the common edge
///    /   \          c, d: the corners across it
///   a-----b
///    \   /
///      d
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dihedral {
    /// a, b, c, d.
    pub particles: [u32; 4],
    /// φ [rad], from -π to π.
    pub rest_angle: f32,
    /// α [1/(N m)].
    pub compliance: f32,
}

impl Dihedral {
    /// At rest where the particles are [m].
    pub fn between(particles: [u32; 4], x: [Vec3; 4], compliance: f32) -> Self {
        Self { particles, rest_angle: bent(&x.map(Vec3::as_dvec3)).0 as f32, compliance }
    }
}

/// Square of twice the area below which a triangle has no normal [m⁴]; `LEAST_NORMAL` of `constraints/dihedral`.
const LEAST_NORMAL: f64 = 1e-24;
/// How far π may be off in `f32` and what is computed from it [rad].
const ROUNDING: f32 = 1e-6;

impl Constraint for Dihedral {
    fn row(&self) -> Result<Row, ConstraintError> {
        let row = Row::new(&TYPE, self.particles, &[self.rest_angle, self.compliance]);
        let angle = self.rest_angle;
        let turn = angle.abs() <= PI as f32 + ROUNDING;
        kind::checked(row, &[("rest angle", angle, turn, "from -π to π"), kind::compliance(self.compliance)])
    }
}

/// θ [rad] and its gradient. A triangle without area has neither.
fn bent(x: &[DVec3; 4]) -> (f64, [DVec3; 4]) {
    let [a, b, c, d] = *x;
    let (axis, length) = kind::direction(b - a);
    let (n, m) = ((b - a).cross(c - a), (d - a).cross(b - a));
    if n.length_squared().min(m.length_squared()) < LEAST_NORMAL {
        return (0.0, [DVec3::ZERO; 4]);
    }
    let angle = n.cross(m).dot(axis).atan2(n.dot(m));
    // Height of each wing over the edge, as a vector divided by its length squared.
    let (n, m) = (n / n.length_squared(), m / m.length_squared());
    let at_a = (b - c).dot(axis) * n + (b - d).dot(axis) * m;
    let at_b = (c - a).dot(axis) * n + (d - a).dot(axis) * m;
    (angle, [at_a, at_b, -length * n, -length * m])
}

/// Values: φ [rad], α [1/(N m)].
pub(super) static TYPE: Type = Type {
    name: "dihedral",
    user: None,
    particles: 4,
    equations: 1,
    values: 2,
    role: Role::Bend,
    gives: &[(1, Give::Bend)],
    equation: |v, _, x| {
        let (angle, gradient) = bent(x);
        let value = angle - v[0];
        Equation { value: value - TAU * (value / TAU).round(), compliance: v[1], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.0, 0.1], [0.05, 0.3, 0.0], [0.1, -0.2, 0.1]]);
        kind::Example { row: Dihedral::between([0, 1, 2, 3], rest, 0.5).row().unwrap(), rest }
    },
};
