//! Isometric bending of two triangles about their common edge (Bergou et al. 2006): energy k/2 xᵀ Q x with
//! Q = 3 / (A₀ + A₁) K Kᵀ, so k/2 |s|² with s = Σ K_i x_i. As a constraint C = |s| - |s at rest|, α = 1/k: the square root
//! of the survey's C (paper 2) makes the energy that of the article. That knows no side: of a sheet that is curved at rest, C = |s| would
//! rest on the other side as well. There C = ±|s| - |s at rest|, - where s is on the other side of the sheet than at rest: s goes through
//! 0 and its direction turns round, so the gradient ±K_i s/|s| does not jump.

use glam::{DVec3, Vec3};

use super::give::Give;
use super::kind::{self, Constraint, ConstraintError, Equation, Role, Row, Type, UNBOUNDED};

/// Resists bending of a sheet that does not stretch. Particles as of [`Dihedral`](super::Dihedral).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Isometric {
    /// a, b: the common edge; c, d: the corners across it.
    pub particles: [u32; 4],
    /// Positions at rest [m].
    pub rest: [Vec3; 4],
    /// 1/k [1/J].
    pub compliance: f32,
}

/// Part of the positions that counts as their rounding, not as a bend: some hundred times that of `f32`.
const ROUNDING: f64 = 1e-5;

impl Constraint for Isometric {
    fn row(&self) -> Result<Row, ConstraintError> {
        let k = weights(&self.rest.map(Vec3::as_dvec3));
        let rest: DVec3 = self.rest.iter().zip(k).map(|(x, k)| k * x.as_dvec3()).sum();
        let [a, b, c, d] = k.map(|k| k as f32);
        let noise = ROUNDING * k.iter().zip(self.rest).map(|(k, x)| k.abs() * f64::from(x.length())).sum::<f64>();
        let x = self.rest.map(Vec3::as_dvec3);
        let side = 1.0_f64.copysign(rest.dot(upward(&x)));
        let bend = if rest.length() > noise { (side * rest.length()) as f32 } else { 0.0 };
        let row = Row::new(&TYPE, self.particles, &[a, b, c, d, bend, self.compliance]);
        kind::checked(row, &[kind::compliance(self.compliance)])
    }
}

/// K scaled by √(3 / (A₀ + A₁)) [1/m].
fn weights(x: &[DVec3; 4]) -> [f64; 4] {
    let cot = |u: DVec3, v: DVec3| u.dot(v) / u.cross(v).length();
    let [e0, e1, e2, e3, e4] = [x[1] - x[0], x[2] - x[0], x[3] - x[0], x[2] - x[1], x[3] - x[1]];
    let [c01, c02, c03, c04] = [cot(e0, e1), cot(e0, e2), cot(-e0, e3), cot(-e0, e4)];
    let areas = 0.5 * (e0.cross(e1).length() + e0.cross(e2).length());
    [c03 + c04, c01 + c02, -c01 - c03, -c02 - c04].map(|k| k * (3.0 / areas).sqrt())
}

/// Normals of both triangles together, as long as twice their areas [m²].
fn upward(x: &[DVec3; 4]) -> DVec3 {
    (x[1] - x[0]).cross(x[2] - x[3])
}

/// Values: K [1/m] of four particles, |s| at rest, below 0 where it points below the triangles, α [1/J].
pub(super) static TYPE: Type = Type {
    name: "isometric",
    user: None,
    particles: 4,
    equations: 1,
    values: 6,
    role: Role::Bend,
    gives: &[(5, Give::Bend)],
    equation: |v, _, x| {
        let (n, length) = kind::direction((0..4).map(|i| v[i] * x[i]).sum());
        let turned = v[4] * n.dot(upward(x)) < 0.0;
        let side = if turned { -1.0 } else { 1.0 };
        let gradient = std::array::from_fn(|i| side * v[i] * n);
        Equation { value: side * length - v[4].abs(), compliance: v[5], most: UNBOUNDED, gradient }
    },
    #[cfg(test)]
    example: || {
        let rest = kind::points(&[[0.0, 0.0, 0.0], [0.2, 0.0, 0.1], [0.05, 0.3, 0.0], [0.1, -0.2, 0.1]]);
        kind::Example { row: Isometric { particles: [0, 1, 2, 3], rest, compliance: 2.0 }.row().unwrap(), rest }
    },
};
