//! Shape matching (Müller et al. 2005): particles are drawn to their places in the rest shape, moved and turned to fit them
//! best. All by the same part, 1 / (1 + α m / h²) with their mean mass, so that momentum stays.

use glam::{DMat3, DQuat, DVec3, Vec3};

use super::give::Give;
#[cfg(test)]
use super::global::GlobalExample;
use super::global::{GlobalConstraint, GlobalRow, GlobalState, GlobalType, Member};
use super::kind::ConstraintError;

/// Rounds of the rotation's iteration; `ROTATION_FIT_ROUNDS` of `common/rotation_fit`.
const ROUNDS: u32 = 4;
/// Added to the stiffness against turns, whose trace is 2; and their product below which Newton's step is not taken.
const LEAST_STIFFNESS: f64 = 1e-3;
const LEAST_PRODUCT: f64 = 1e-4;
/// Least of the sum that a torque is divided by [kg m²]: what has no extent does not turn.
const LEAST_SCALE: f64 = 1e-20;
/// Most that a round turns, and all of them together [rad].
const MOST_SPIN: f64 = 0.5;
const MOST_TURN: f64 = 1.0;

/// Draws particles to a rest shape.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeMatching {
    /// The particles.
    pub particles: Vec<u32>,
    /// Their places in the rest shape [m], in any frame.
    pub rest: Vec<Vec3>,
    /// α for one particle [m/N]; 0 keeps the shape.
    pub compliance: f32,
}

impl ShapeMatching {
    /// Of an object that rests at `rest` [m], shape [particle_count].
    pub fn of(rest: &[Vec3], compliance: f32) -> Self {
        Self { particles: (0..rest.len() as u32).collect(), rest: rest.to_vec(), compliance }
    }
}

impl GlobalConstraint for ShapeMatching {
    fn row(&self) -> Result<GlobalRow, ConstraintError> {
        let member = |(particle, rest): (&u32, &Vec3)| Member { particle: *particle, rest: *rest, ..Member::default() };
        let members = self.particles.iter().zip(&self.rest).map(member).collect();
        let (count, places) = (self.particles.len() as f32, self.rest.len() as f32);
        GlobalRow { kind: &TYPE, members, values: [self.compliance, 0.0, 0.0, 0.0] }.checked(&[
            ("number of particles", count, count >= 1.0, "1 or more"),
            ("number of rest places", places, places == count, "that of the particles"),
            super::kind::compliance(self.compliance),
        ])
    }
}

/// Values: α [m/N]. Numbers for the GPU: α m with the mean mass [s²].
pub(super) static TYPE: GlobalType = GlobalType {
    shader: "constraints/shape_matching",
    overlaps: false,
    functions: |_, _, _| Vec::new(),
    numbers: |row, weights| [softness(row, weights) as f32, 0.0, 0.0, 0.0],
    gives: (0, Give::Shape),
    inflates: None,
    project,
    #[cfg(test)]
    examples: || {
        let (rest, _) = super::global::octahedron();
        let row = |compliance| ShapeMatching::of(&rest, compliance).row().unwrap();
        [0.0, 1e-4].map(|compliance| GlobalExample { row: row(compliance), rest: rest.clone() }).into()
    },
};

/// α m with the mean mass [s²].
pub(super) fn softness(row: &GlobalRow, weights: &[f64]) -> f64 {
    f64::from(row.values[0]) * weights.iter().sum::<f64>() / weights.len() as f64
}

fn project(row: &GlobalRow, state: &mut GlobalState, x: &mut [DVec3], masses: &[f64], h: f64) {
    let (weights, rest) = row.weighted(|i| masses[i as usize]);
    let at = |i: usize| row.members[i].particle as usize;
    let center = fit(row, state, x, &weights, &rest);
    let part = 1.0 / (1.0 + softness(row, &weights) / (h * h));
    for (i, r) in rest.iter().enumerate().filter(|(i, _)| masses[at(*i)] > 0.0) {
        let goal = center + state.rotation * *r;
        x[at(i)] += part * (goal - x[at(i)]);
    }
}

/// Turns the state to the rotation that fits the members of a row best, and returns their center of mass [m]; `shape_fit` of
/// `constraints/shape_fit`.
pub(super) fn fit(row: &GlobalRow, state: &mut GlobalState, x: &[DVec3], weights: &[f64], rest: &[DVec3]) -> DVec3 {
    let at = |i: usize| x[row.members[i].particle as usize];
    let center = weights.iter().enumerate().map(|(i, m)| *m * at(i)).sum::<DVec3>() / weights.iter().sum::<f64>();
    let mut columns = DMat3::ZERO;
    for (i, r) in rest.iter().enumerate() {
        let arm = weights[i] * (at(i) - center);
        columns += DMat3::from_cols(arm * r.x, arm * r.y, arm * r.z);
    }
    let before = state.rotation;
    state.rotation = fitted_rotation(columns, before);
    center
}

/// The rotation of a matrix, from a guess; `fitted_rotation` of `common/rotation_fit`.
fn fitted_rotation(columns: DMat3, guess: DQuat) -> DQuat {
    let (mut turned, mut total) = (guess, DVec3::ZERO);
    for _ in 0..ROUNDS {
        let axes = DMat3::from_quat(turned);
        let pairs = || (0..3).map(|k| (axes.col(k), columns.col(k)));
        let torque: DVec3 = pairs().map(|(a, c)| a.cross(c)).sum();
        let trace: f64 = pairs().map(|(a, c)| a.dot(c)).sum();
        let scale = 1.0 / trace.abs().max(LEAST_SCALE);
        let turned_to = scale * columns * axes.transpose();
        let own = scale * trace + LEAST_STIFFNESS;
        let stiffness = DMat3::from_diagonal(DVec3::splat(own)) - 0.5 * (turned_to + turned_to.transpose());
        let newton = trace > 0.0 && stiffness.determinant() > LEAST_PRODUCT;
        let spin = if newton { stiffness.inverse() * (scale * torque) } else { scale * torque };
        let spin = spin.clamp_length_max(MOST_SPIN);
        total += spin;
        turned = (DQuat::from_scaled_axis(spin) * turned).normalize();
    }
    if total.length() < MOST_TURN {
        return turned;
    }
    (DQuat::from_scaled_axis(total.clamp_length_max(MOST_TURN)) * guess).normalize()
}
