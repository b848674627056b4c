//! Soft shape matching (Müller et al. 2005): particles are drawn to their places in the rest shape, moved and turned to fit
//! them best. All by the same part, 1 / (1 + α m / h²) with their mean mass, so that momentum stays. Twin:
//! `constraints/match`.

use glam::{DMat3, DQuat, DVec3, Vec3};

use super::kind::ConstraintError;

/// Rounds of the rotation's iteration; `ROTATION_FIT_ROUNDS` of `common/rotation_fit`.
const ROUNDS: u32 = 4;

/// Draws particles to a rest shape.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeMatch {
    /// The particles.
    pub particles: Vec<u32>,
    /// Their places in the rest shape [m], in any frame.
    pub rest: Vec<Vec3>,
    /// α for one particle [m/N]; 0 keeps the shape.
    pub compliance: f32,
}

impl ShapeMatch {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`ConstraintError`] naming what is wrong.
    pub fn check(&self) -> Result<(), ConstraintError> {
        let (count, places) = (self.particles.len() as f32, self.rest.len() as f32);
        let checks = [
            ("number of particles", count, count >= 1.0, "1 or more"),
            ("number of rest places", places, places == count, "that of the particles"),
            ("compliance", self.compliance, self.compliance >= 0.0, "0 or more"),
        ];
        match checks.iter().find(|(_, value, ok, _)| !ok || !value.is_finite()) {
            None => Ok(()),
            Some((field, value, _, allowed)) => {
                Err(ConstraintError { kind: "shape match", particles: Vec::new(), field, value: *value, allowed })
            }
        }
    }

    /// Weights of the particles [kg] from their masses, and the places from their center of mass [m]. What is pinned counts
    /// with the mean mass of the others.
    pub fn weighted(&self, mass: impl Fn(u32) -> f32) -> (Vec<f64>, Vec<DVec3>) {
        let masses: Vec<f64> = self.particles.iter().map(|p| f64::from(mass(*p))).collect();
        let moving = masses.iter().filter(|m| **m > 0.0).count().max(1) as f64;
        let mean = masses.iter().sum::<f64>() / moving;
        let pinned = if mean > 0.0 { mean } else { 1.0 };
        let weights: Vec<f64> = masses.into_iter().map(|m| if m > 0.0 { m } else { pinned }).collect();
        let all: f64 = weights.iter().sum();
        let center = weights.iter().zip(&self.rest).map(|(m, x)| *m * x.as_dvec3()).sum::<DVec3>() / all;
        (weights, self.rest.iter().map(|x| x.as_dvec3() - center).collect())
    }

    /// One projection in `f64`: positions `x` [m] and masses [kg] by particle index, the rotation found last, a substep of
    /// `h` [s].
    pub fn project(&self, x: &mut [DVec3], mass: impl Fn(u32) -> f32, rotation: &mut DQuat, h: f64) {
        let (weights, rest) = self.weighted(&mass);
        let all: f64 = weights.iter().sum();
        let at = |i: usize| self.particles[i] as usize;
        let center = weights.iter().enumerate().map(|(i, m)| *m * x[at(i)]).sum::<DVec3>() / all;
        let mut columns = DMat3::ZERO;
        for (i, r) in rest.iter().enumerate() {
            let arm = weights[i] * (x[at(i)] - center);
            columns += DMat3::from_cols(arm * r.x, arm * r.y, arm * r.z);
        }
        let (mut turned, mut total) = (*rotation, DVec3::ZERO);
        for _ in 0..ROUNDS {
            let axes = DMat3::from_quat(turned);
            let pairs = || (0..3).map(|k| (axes.col(k), columns.col(k)));
            let torque: DVec3 = pairs().map(|(a, c)| a.cross(c)).sum();
            let scale: f64 = pairs().map(|(a, c)| a.dot(c)).sum::<f64>().abs();
            let spin = (torque / scale.max(1e-20)).clamp_length_max(0.5);
            total += spin;
            turned = (DQuat::from_scaled_axis(spin) * turned).normalize();
        }
        *rotation = (DQuat::from_scaled_axis(total.clamp_length_max(1.0)) * *rotation).normalize();
        let part = self.part(&weights, h);
        for (i, r) in rest.iter().enumerate().filter(|(i, _)| mass(self.particles[*i]) > 0.0) {
            let goal = center + *rotation * *r;
            x[at(i)] += part * (goal - x[at(i)]);
        }
    }

    /// How far particles go to their goals, from 0 to 1.
    fn part(&self, weights: &[f64], h: f64) -> f64 {
        1.0 / (1.0 + self.softness(weights) / (h * h))
    }

    /// α m with the mean mass [s²].
    pub fn softness(&self, weights: &[f64]) -> f64 {
        f64::from(self.compliance) * weights.iter().sum::<f64>() / weights.len() as f64
    }
}
