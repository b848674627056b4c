//! Two particles at a distance (paper 1, eq. 5): C = |x_b - x_a| - d. One-sided it is a rope's tension, or a long-range
//! attachment (Kim et al. 2012), which only acts when stretched.

use glam::Vec3;

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Keeps two particles at a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The particles.
    pub particles: [u32; 2],
    /// d [m], above 0 unless one-sided.
    pub rest_length: f32,
    /// α [m/N], 0 for none.
    pub compliance: f32,
    /// Acts only when longer than at rest.
    pub tension_only: bool,
}

impl Distance {
    /// At rest where the particles are [m].
    pub fn between(particles: [u32; 2], x: [Vec3; 2], compliance: f32) -> Self {
        Self { particles, rest_length: x[0].distance(x[1]), compliance, tension_only: false }
    }
}

impl Constraint for Distance {
    fn row(&self) -> Result<Row, ConstraintError> {
        let most = if self.tension_only { 0.0 } else { UNBOUNDED as f32 };
        let row = Row::new(&TYPE, self.particles, &[self.rest_length, self.compliance, most]);
        let long = self.rest_length > 0.0 || (self.tension_only && self.rest_length == 0.0);
        kind::checked(row, &[("rest length", self.rest_length, long, "above 0"), kind::compliance(self.compliance)])
    }
}

/// Values: d [m], α [m/N], most multiplier.
pub(super) static TYPE: Type = Type {
    name: "distance",
    user: None,
    particles: 2,
    equations: 1,
    values: 3,
    role: Role::Stretch { rest_length: 0, bound: 2 },
    gives: &[(1, Give::Stretch)],
    equation: |v, _, x| {
        let (n, length) = kind::direction(x[1] - x[0]);
        let none = glam::DVec3::ZERO;
        Equation { value: length - v[0], compliance: v[1], most: v[2], gradient: [-n, n, none, none] }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.3, 0.4, 0.1]]);
        kind::Example { row: Distance::between([0, 1], [rest[0], rest[1]], 1e-4).row().unwrap(), rest }
    },
};
