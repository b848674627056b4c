//! Stretch of a tetrahedron along three directions (Müller et al. 2014): with the columns F_1, F_2, F_3 of the deformation gradient in
//! these directions, C_i = |F_i| - 1. That is √S_ii - 1 with the entries of S = FᵀF: linear in the stretch, as the article advises.

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::give::Give;
use super::kind::{self, Check, Constraint, ConstraintError, Equation, MOST_VALUES, Role, Row, Type, UNBOUNDED};

/// Resists stretch along three directions, each with a softness of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetrahedronStretch {
    /// The corners.
    pub particles: [u32; 4],
    /// Their positions at rest [m].
    pub rest: [Vec3; 4],
    /// Turns the axes into the directions in the rest shape.
    pub directions: Quat,
    /// Inverse stiffness along the three directions [1/J for the whole tetrahedron].
    pub compliance: [f32; 3],
}

impl Constraint for TetrahedronStretch {
    fn row(&self) -> Result<Row, ConstraintError> {
        row(&TYPE, self.particles, self.rest, self.directions, self.compliance)
    }
}

/// A row whose first nine numbers give F in the directions, followed by three compliances.
pub(super) fn row(
    kind: &'static Type,
    particles: [u32; 4],
    rest: [Vec3; 4],
    directions: Quat,
    compliance: [f32; 3],
) -> Result<Row, ConstraintError> {
    let x = rest.map(Vec3::as_dvec3);
    let edges = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let volume = (edges.determinant().abs() / 6.0) as f32;
    let turn: DQuat = directions.as_dquat().normalize();
    let inverse = (edges.inverse() * DMat3::from_quat(turn)).to_cols_array().map(|v| v as f32);
    let mut checks: Vec<Check> = vec![("rest volume", volume, volume > f32::MIN_POSITIVE, "above 0")];
    let length = directions.length();
    checks.push(("length of the rotation to its directions", length, (length - 1.0).abs() < 1e-3, "1"));
    checks.extend(compliance.map(kind::compliance));
    kind::checked(Row::new(kind, particles, &[&inverse[..], &compliance[..]].concat()), &checks)
}

/// Column i of F, and how far each edge from the first corner has a part in it.
pub(super) fn column(v: &[f64; MOST_VALUES], i: usize, x: &[DVec3; 4]) -> (DVec3, DVec3) {
    let parts = kind::vector(v, 3 * i);
    ((x[1] - x[0]) * parts.x + (x[2] - x[0]) * parts.y + (x[3] - x[0]) * parts.z, parts)
}

/// ∇C by corner, from the derivatives of C by columns of F with these parts.
pub(super) fn spread(by: [(DVec3, DVec3); 2]) -> [DVec3; 4] {
    let [b, c, d] = [0, 1, 2].map(|k| by.iter().map(|(derivative, parts)| *derivative * parts[k]).sum::<DVec3>());
    [-(b + c + d), b, c, d]
}

/// Values: D⁻¹ A by columns [1/m], D being the edges from the first corner at rest and A the directions; α of each [1/J].
pub(super) static TYPE: Type = Type {
    name: "tetrahedron_stretch",
    user: None,
    particles: 4,
    equations: 3,
    values: 12,
    role: Role::Strain,
    gives: &[(9, Give::Stretch), (10, Give::Stretch), (11, Give::Stretch)],
    equation: |v, index, x| {
        let (f, parts) = column(v, index, x);
        let (n, stretch) = kind::direction(f);
        let gradient = spread([(n, parts), (DVec3::ZERO, DVec3::ZERO)]);
        Equation { value: stretch - 1.0, compliance: v[9 + index], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.0, 0.05], [0.05, 0.3, 0.0], [0.1, 0.1, 0.25]]);
        let (directions, compliance) = (Quat::from_rotation_z(0.4), [1e-3, 2e-3, 5e-3]);
        let row = TetrahedronStretch { particles: [0, 1, 2, 3], rest, directions, compliance }.row().unwrap();
        kind::Example { row, rest }
    },
};
