//! Stable Neo-Hookean tetrahedron (Macklin and Müller 2021): C_D = √tr(FᵀF), α = 1/(μ V); C_H = det F - (1 + μ/λ),
//! α = 1/(λ V). At rest both pull and cancel, so they are solved together. λ is the first Lamé parameter plus μ, which
//! makes small strains those of linear elasticity (Smith et al. 2018).

use glam::{DMat3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Elastic tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    /// The corners.
    pub particles: [u32; 4],
    /// Their positions at rest [m].
    pub rest: [Vec3; 4],
    /// Young's modulus E [Pa], above 0.
    pub young: f32,
    /// Poisson's ratio ν [dimensionless], from 0 to below 0.5.
    pub poisson: f32,
}

impl Constraint for NeoHookean {
    fn row(&self) -> Result<Row, ConstraintError> {
        let (young, poisson) = (f64::from(self.young), f64::from(self.poisson));
        let mu = young / (2.0 * (1.0 + poisson));
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) + mu;
        let x = self.rest.map(Vec3::as_dvec3);
        let edges = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let volume = edges.determinant().abs() / 6.0;
        let mut values = [0.0; 12];
        for (value, inverse) in values.iter_mut().zip(edges.inverse().to_cols_array()) {
            *value = inverse as f32;
        }
        values[9] = (1.0 / (mu * volume)) as f32;
        values[10] = (1.0 / (lambda * volume)) as f32;
        values[11] = (1.0 + mu / lambda) as f32;
        let checks = [
            ("Young's modulus", self.young, self.young > 0.0, "above 0"),
            ("Poisson's ratio", self.poisson, (0.0..0.5).contains(&self.poisson), "from 0 to below 0.5"),
            ("rest volume", volume as f32, volume > f64::from(f32::MIN_POSITIVE), "above 0"),
        ];
        kind::checked(Row::new(&TYPE, self.particles, &values), &checks)
    }
}

/// Volume at rest [m³]: the row has the inverse of the edges at rest, by columns.
fn rest_volume(row: &Row) -> f64 {
    1.0 / (6.0 * DMat3::from_cols_slice(&row.values.map(f64::from)[..9]).determinant())
}

/// Values: D⁻¹ by columns [1/m], D being the edges from the first corner at rest; α of C_D and C_H [1/J]; 1 + μ/λ.
pub(super) static TYPE: Type = Type {
    name: "neo_hookean",
    user: None,
    particles: 4,
    equations: 2,
    values: 12,
    role: Role::Volume { rest_volume, yields: true },
    gives: &[(9, Give::Elastic), (10, Give::Elastic)],
    equation: |v, index, x| {
        let inverse = DMat3::from_cols(kind::vector(v, 0), kind::vector(v, 3), kind::vector(v, 6));
        let f = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * inverse;
        let (value, by_f) = if index == 0 {
            let norm = f.to_cols_array().iter().map(|c| c * c).sum::<f64>().sqrt();
            (norm, f * (1.0 / norm.max(kind::LEAST_STRETCH)))
        } else {
            let [a, b, c] = [f.x_axis, f.y_axis, f.z_axis];
            (f.determinant() - v[11], DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b)))
        };
        let g = by_f * inverse.transpose();
        let gradient = [-(g.x_axis + g.y_axis + g.z_axis), g.x_axis, g.y_axis, g.z_axis];
        Equation { value, compliance: v[9 + index], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.0, 0.05], [0.05, 0.3, 0.0], [0.1, 0.1, 0.25]]);
        let tet = NeoHookean { particles: [0, 1, 2, 3], rest, young: 2e3, poisson: 0.4 };
        kind::Example { row: tet.row().unwrap(), rest }
    },
};
