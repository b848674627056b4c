//! Bending of a rope at its middle particle: C = |x_a - 2 x_b + x_c| - |the same at rest|, the discrete curvature times the
//! squared spacing: linear in the positions, as isometric bending is for sheets.

use glam::{DVec3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Resists bending of a line of three particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeBend {
    /// The particles along the rope.
    pub particles: [u32; 3],
    /// |x_a - 2 x_b + x_c| at rest [m]; 0 for straight.
    pub rest: f32,
    /// α [m/N].
    pub compliance: f32,
}

impl RopeBend {
    /// At rest where the particles are [m].
    pub fn between(particles: [u32; 3], x: [Vec3; 3], compliance: f32) -> Self {
        Self { particles, rest: (x[0] - 2.0 * x[1] + x[2]).length(), compliance }
    }
}

impl Constraint for RopeBend {
    fn row(&self) -> Result<Row, ConstraintError> {
        let row = Row::new(&TYPE, self.particles, &[self.rest, self.compliance]);
        let ok = self.rest >= 0.0;
        kind::checked(row, &[("rest bend", self.rest, ok, "0 or more"), kind::compliance(self.compliance)])
    }
}

/// Values: bend at rest [m], α [m/N].
pub(super) static TYPE: Type = Type {
    name: "rope_bend",
    user: None,
    particles: 3,
    equations: 1,
    values: 2,
    role: Role::LineBend { bends: 1 },
    gives: &[(1, Give::Bend)],
    equation: |v, _, x| {
        let (n, length) = kind::direction(x[0] - 2.0 * x[1] + x[2]);
        let gradient = [n, -2.0 * n, n, DVec3::ZERO];
        Equation { value: length - v[0], compliance: v[1], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.1, 0.02, 0.0], [0.2, 0.0, 0.05]]);
        let bend = RopeBend::between([0, 1, 2], [rest[0], rest[1], rest[2]], 1e-3);
        kind::Example { row: bend.row().unwrap(), rest }
    },
};
