//! Shear of a tetrahedron between three directions (Müller et al. 2014): with the columns F_1, F_2, F_3 of the deformation gradient in
//! these directions, C_ij = F_i · F_j / |F_i| |F_j|. Divided by the lengths it is apart from stretch, as the article advises.

use glam::{Quat, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};
use super::tetrahedron_stretch::{column, row, spread};

/// Resists shear between three directions, each pair with a softness of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetrahedronShear {
    /// The corners.
    pub particles: [u32; 4],
    /// Their positions at rest [m].
    pub rest: [Vec3; 4],
    /// Turns the axes into the directions in the rest shape.
    pub directions: Quat,
    /// Inverse stiffness between the second and the third direction, the third and the first, the first and the second [1/J for the
    /// whole tetrahedron].
    pub compliance: [f32; 3],
}

impl Constraint for TetrahedronShear {
    fn row(&self) -> Result<Row, ConstraintError> {
        row(&TYPE, self.particles, self.rest, self.directions, self.compliance)
    }
}

/// Values: D⁻¹ A by columns [1/m], D being the edges from the first corner at rest and A the directions; α of each pair [1/J].
pub(super) static TYPE: Type = Type {
    name: "tetrahedron_shear",
    user: None,
    particles: 4,
    equations: 3,
    values: 12,
    role: Role::Strain,
    gives: &[(9, Give::Shear), (10, Give::Shear), (11, Give::Shear)],
    equation: |v, index, x| {
        let [(f, of_f), (g, of_g)] = [(index + 1) % 3, (index + 2) % 3].map(|i| column(v, i, x));
        let ((f, stretch_f), (g, stretch_g)) = (kind::direction(f), kind::direction(g));
        let cosine = f.dot(g);
        let by_f = (g - cosine * f) / stretch_f.max(kind::LEAST_STRETCH);
        let by_g = (f - cosine * g) / stretch_g.max(kind::LEAST_STRETCH);
        let gradient = spread([(by_f, of_f), (by_g, of_g)]);
        Equation { value: cosine, compliance: v[9 + index], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.0, 0.05], [0.05, 0.3, 0.0], [0.1, 0.1, 0.25]]);
        let (directions, compliance) = (Quat::from_rotation_z(0.4), [1e-3, 2e-3, 5e-3]);
        let row = TetrahedronShear { particles: [0, 1, 2, 3], rest, directions, compliance }.row().unwrap();
        kind::Example { row, rest }
    },
};
