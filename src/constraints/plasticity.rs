//! Plastic flow of elastic tetrahedra: beyond the yield strain the rest shape follows (Bargteil et al. 2007, with logarithmic
//! strain). What flows keeps its volume. CPU reference of `constraints/plasticity`.

use glam::{DMat3, DVec3, Mat3};
use serde::{Deserialize, Serialize};

/// When and how fast a soft material takes another shape for good.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plastic {
    /// Strain up to which it is elastic [dimensionless], above 0: of a bar that is pulled, the part by which it is longer.
    pub yield_strain: f32,
    /// How fast the strain beyond that flows [1/s], above 0; infinite for at once.
    pub creep: f32,
    /// Strain of the new rest shape against the first one at which it flows no farther, 0 or more.
    pub most: f32,
}

/// An elastic tetrahedron whose rest shape may flow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlasticTetrahedron {
    /// Its constraint in the scene: one that [yields](super::Role::Volume), whose first nine numbers follow the flow.
    pub constraint: u32,
    /// Its material.
    pub plastic: Plastic,
    /// D₀, the edges from its first corner at rest [m].
    pub edges: Mat3,
}

/// Below this part of its volume a tetrahedron is crushed, and its strain says nothing.
const LEAST_VOLUME: f64 = 0.05;

/// Squared stretch below which a logarithm would say no more: a millionth of the length.
const LEAST_SQUARE: f64 = 1e-12;

/// Squared stretches along the axes of `v` of a deformation.
fn principal(f: DMat3) -> (DVec3, DMat3) {
    let c = f.transpose() * f;
    let eigen = nalgebra::Matrix3::from_fn(|r, k| c.col(k)[r]).symmetric_eigen();
    let v = DMat3::from_cols_array(&std::array::from_fn(|i| eigen.eigenvectors[i]));
    (DVec3::new(eigen.eigenvalues[0], eigen.eigenvalues[1], eigen.eigenvalues[2]), v)
}

/// Logarithmic strain without its part that changes the volume, and the equivalent strain of a pulled bar.
fn strain(squares: DVec3) -> (DVec3, f64) {
    let e = 0.5 * squares.max(DVec3::splat(LEAST_SQUARE)).map(f64::ln);
    let e = e - e.element_sum() / 3.0;
    (e, (2.0 / 3.0_f64).sqrt() * e.length())
}

impl PlasticTetrahedron {
    /// D⁻¹ after `dt` [s], when it is `inverse` [1/m] now and the corners are at `x` [m].
    pub fn after(&self, inverse: DMat3, x: &[DVec3; 4], dt: f64) -> DMat3 {
        let Plastic { yield_strain, creep, most } = self.plastic;
        let f = DMat3::from_cols(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * inverse;
        let (squares, v) = principal(f);
        let (e, size) = strain(squares);
        if f.determinant() < LEAST_VOLUME || size <= f64::from(yield_strain) {
            return inverse;
        }
        let moved = |share: f64| {
            let back = v * DMat3::from_diagonal((-share * e).map(f64::exp)) * v.transpose();
            inverse * back
        };
        // F_p⁻¹ = D₀ D⁻¹ is strained as much as F_p.
        let set = |inverse: DMat3| strain(principal(self.edges.as_dmat3() * inverse).0).1;
        let share = (1.0 - f64::from(yield_strain) / size) * -(-f64::from(creep) * dt).exp_m1();
        let next = moved(share);
        let (before, now, most) = (set(inverse), set(next), f64::from(most));
        if now <= most || now <= before {
            return next;
        }
        moved(share * ((most - before) / (now - before)).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: [DVec3; 4] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];

    fn pulled(by: f64) -> [DVec3; 4] {
        let f = DMat3::from_diagonal(DVec3::new(1.0 + by, (1.0 + by).powf(-0.5), (1.0 + by).powf(-0.5)));
        UNIT.map(|p| f * p)
    }

    fn flow(yield_strain: f32, most: f32) -> PlasticTetrahedron {
        PlasticTetrahedron {
            constraint: 0,
            plastic: Plastic { yield_strain, creep: f32::INFINITY, most },
            edges: Mat3::IDENTITY,
        }
    }

    #[test]
    fn a_bar_keeps_what_goes_beyond_the_yield() {
        for by in [0.02, 0.049] {
            assert_eq!(flow(0.05, 1.0).after(DMat3::IDENTITY, &pulled(by), 0.1), DMat3::IDENTITY);
        }
        for by in [0.1_f64, 0.2, 0.4] {
            let inverse = flow(0.05, 1.0).after(DMat3::IDENTITY, &pulled(by), 0.1);
            let kept = -inverse.x_axis.x.ln();
            assert!((kept - ((1.0 + by).ln() - 0.05)).abs() < 1e-6, "{kept}");
            assert!((inverse.determinant() - 1.0).abs() < 1e-9);
            // And it is at the yield now.
            let again = flow(0.05, 1.0).after(inverse, &pulled(by), 0.1);
            assert!((again - inverse).to_cols_array().iter().all(|c| c.abs() < 1e-6));
        }
    }

    #[test]
    fn it_flows_no_farther_than_allowed_and_as_fast_as_told() {
        let far = flow(0.05, 0.2).after(DMat3::IDENTITY, &pulled(1.0), 0.1);
        assert!((-far.x_axis.x.ln() - 0.2).abs() < 1e-6);
        let mut slow = flow(0.05, 1.0);
        slow.plastic.creep = 2.0;
        let kept = -slow.after(DMat3::IDENTITY, &pulled(0.2), 0.25).x_axis.x.ln();
        let expected = (1.2_f64.ln() - 0.05) * (1.0 - (-0.5_f64).exp());
        assert!((kept - expected).abs() < 1e-6, "{kept} of {expected}");
    }

    #[test]
    fn inverted_and_crushed_ones_wait() {
        for z in [-1.0, 0.0, 0.01] {
            let x = UNIT.map(|p| p * DVec3::new(1.0, 1.0, z));
            assert_eq!(flow(0.05, 9.0).after(DMat3::IDENTITY, &x, 0.1), DMat3::IDENTITY);
        }
    }
}
