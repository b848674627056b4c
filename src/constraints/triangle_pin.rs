//! A particle held at a point of a triangle: C = |x_a - (β_b x_b + β_c x_c + β_d x_d)|, the β being barycentric coordinates.

use glam::{DVec3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Fastens a particle to a triangle of other particles; all four move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrianglePin {
    /// The particle.
    pub particle: u32,
    /// The triangle.
    pub triangle: [u32; 3],
    /// β; they sum to 1.
    pub weights: Vec3,
    /// α [m/N].
    pub compliance: f32,
}

/// How far the sum of the weights may be from 1: what is read from files is rounded.
const OFF: f32 = 1e-3;

impl Constraint for TrianglePin {
    fn row(&self) -> Result<Row, ConstraintError> {
        let [b, c, d] = self.triangle;
        let [x, y, z] = self.weights.to_array();
        let sum = x + y + z;
        let row = Row::new(&TYPE, [self.particle, b, c, d], &[x, y, z, self.compliance]);
        let whole = (sum - 1.0).abs() < OFF;
        kind::checked(row, &[("sum of the weights", sum, whole, "1"), kind::compliance(self.compliance)])
    }
}

/// Values: β, α [m/N].
pub(super) static TYPE: Type = Type {
    name: "triangle_pin",
    user: None,
    particles: 4,
    equations: 1,
    values: 4,
    role: Role::Pin { point: None },
    gives: &[(3, Give::Pin)],
    equation: |v, _, x| {
        let (n, length) = kind::direction(x[0] - (v[0] * x[1] + v[1] * x[2] + v[2] * x[3]));
        let gradient: [DVec3; 4] = [n, -v[0] * n, -v[1] * n, -v[2] * n];
        Equation { value: length, compliance: v[3], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let corners = [[0.0, 0.0, 0.0], [0.2, 0.0, 0.05], [0.05, 0.3, 0.0]].map(Vec3::from);
        let weights = Vec3::new(0.2, 0.3, 0.5);
        let at: Vec3 = (0..3).map(|i| weights[i] * corners[i]).sum();
        let pin = TrianglePin { particle: 0, triangle: [1, 2, 3], weights, compliance: 1e-3 };
        kind::Example { row: pin.row().unwrap(), rest: [at, corners[0], corners[1], corners[2]] }
    },
};
