//! Volume of a tetrahedron (paper 1, eq. 7): C = (x_ba × x_ca) · x_da / 6 - V.

use glam::{DVec3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Keeps the volume of a tetrahedron, with its sign: an inverted one turns back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// The corners; positive volume when the first sees the others counterclockwise from outside.
    pub particles: [u32; 4],
    /// V [m³], not 0.
    pub rest_volume: f32,
    /// α [m⁵/N].
    pub compliance: f32,
}

impl Volume {
    /// At rest where the particles are [m].
    pub fn between(particles: [u32; 4], x: [Vec3; 4], compliance: f32) -> Self {
        Self { particles, rest_volume: volume(&x.map(Vec3::as_dvec3)) as f32, compliance }
    }
}

impl Constraint for Volume {
    fn row(&self) -> Result<Row, ConstraintError> {
        let row = Row::new(&TYPE, self.particles, &[self.rest_volume, self.compliance]);
        let some = self.rest_volume.abs() > f32::MIN_POSITIVE;
        kind::checked(row, &[("rest volume", self.rest_volume, some, "not 0"), kind::compliance(self.compliance)])
    }
}

fn volume(x: &[DVec3; 4]) -> f64 {
    (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0
}

/// Values: V [m³], α [m⁵/N].
pub(super) static TYPE: Type = Type {
    name: "volume",
    user: None,
    particles: 4,
    equations: 1,
    values: 2,
    role: Role::Volume { rest_volume: |row| f64::from(row.values[0]), yields: false },
    gives: &[(1, Give::Volume)],
    equation: |v, _, x| {
        let [b, c, d] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
        let [gb, gc, gd] = [c.cross(d) / 6.0, d.cross(b) / 6.0, b.cross(c) / 6.0];
        let gradient = [-(gb + gc + gd), gb, gc, gd];
        Equation { value: volume(x) - v[0], compliance: v[1], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.0, 0.05], [0.05, 0.3, 0.0], [0.1, 0.1, 0.25]]);
        kind::Example { row: Volume::between([0, 1, 2, 3], rest, 1e-6).row().unwrap(), rest }
    },
};
