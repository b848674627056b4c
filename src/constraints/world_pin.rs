//! A particle held at a point of the world by a spring: C = |x - p|.

use glam::{DVec3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Pulls a particle to a point; a particle without mass is held harder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldPin {
    /// The particle.
    pub particle: u32,
    /// p [m].
    pub point: Vec3,
    /// α [m/N].
    pub compliance: f32,
}

impl Constraint for WorldPin {
    fn row(&self) -> Result<Row, ConstraintError> {
        let [x, y, z] = self.point.to_array();
        let row = Row::new(&TYPE, [self.particle], &[x, y, z, self.compliance]);
        kind::checked(row, &[("point", x + y + z, true, "finite"), kind::compliance(self.compliance)])
    }
}

/// Values: p [m], α [m/N].
pub(super) static TYPE: Type = Type {
    name: "world_pin",
    user: None,
    particles: 1,
    equations: 1,
    values: 4,
    role: Role::Pin { point: Some(0) },
    gives: &[(3, Give::Pin)],
    equation: |v, _, x| {
        let (n, length) = kind::direction(x[0] - kind::vector(v, 0));
        let none = DVec3::ZERO;
        Equation { value: length, compliance: v[3], most: UNBOUNDED, gradient: [n, none, none, none] }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.1, 0.2, 0.3]]);
        kind::Example { row: WorldPin { particle: 0, point: rest[0], compliance: 1e-3 }.row().unwrap(), rest }
    },
};
