//! CPU twin of `constraints/project`: XPBD (Macklin et al. 2016) on any row, in plain `f64`.
//! Δλ = (-C - α̃ λ) / (G + α̃), G = ∇Cᵀ M⁻¹ ∇C, α̃ = α/h²; Δx = M⁻¹ ∇C Δλ. Damping takes a part β of the motion along ∇C
//! that α̃ leaves: Δλ' = -β ∇C·h v α̃ / (G + α̃) G. It works on what was predicted, not on where constraints solved before
//! have put the particles: with few iterations that would change the force at rest.

use glam::DVec3;

use super::kind::{Equation, Row, UNBOUNDED};

/// Stands where a pair has one equation.
const NO_EQUATION: Equation = Equation { value: 0.0, compliance: 0.0, most: UNBOUNDED, gradient: [DVec3::ZERO; 4] };

/// `MOST_DAMPED` of `constraints/project`.
const MOST_DAMPED: f64 = 0.1;

/// Projects one row: corrects the positions `x` [m] of its particles. `w` are their inverse masses [1/kg], `flown` their
/// predicted motion of this substep [m], zero after the first iteration, `multipliers` the λ of the row's equations, kept
/// through a substep of `h` [s]. `stiffness` is the part of the correction that is made: k of papers 1 and 3.
pub fn project(
    row: &Row,
    x: &mut [DVec3; 4],
    w: &[f64; 4],
    flown: &[DVec3; 4],
    multipliers: &mut [f64; 4],
    h: f64,
    stiffness: f64,
) {
    let damped = (f64::from(row.damping) * h).min(MOST_DAMPED);
    for first in (0..row.kind.equations).step_by(2) {
        let count = (row.kind.equations - first).min(2);
        let pair = [row.equation(first, x), if count == 2 { row.equation(first + 1, x) } else { NO_EQUATION }];
        let weigh = |a: &Equation, b: &Equation| (0..4).map(|k| w[k] * a.gradient[k].dot(b.gradient[k])).sum::<f64>();
        let g = [weigh(&pair[0], &pair[0]), if count == 2 { weigh(&pair[1], &pair[1]) } else { 1.0 }];
        let softness = [0, 1].map(|i| pair[i].compliance / (h * h));
        let own = [0, 1].map(|i| g[i] + softness[i]);
        let cross = weigh(&pair[0], &pair[1]);
        let determinant = own[0] * own[1] - cross * cross;
        if determinant <= 0.0 || g[0] <= 0.0 || g[1] <= 0.0 {
            continue;
        }
        let right = [0, 1].map(|i| -pair[i].value - softness[i] * multipliers[first + i]);
        let deltas =
            [right[0] * own[1] - cross * right[1], right[1] * own[0] - cross * right[0]].map(|d| d / determinant);
        let share = damped / count as f64;
        for (i, equation) in pair[..count].iter().enumerate() {
            let next = (multipliers[first + i] + stiffness * deltas[i]).min(equation.most);
            let drift: f64 = (0..4).map(|k| equation.gradient[k].dot(flown[k])).sum();
            let resist = if next == equation.most { 0.0 } else { -share * drift * softness[i] / (own[i] * g[i]) };
            let step = next - multipliers[first + i] + resist;
            multipliers[first + i] = next;
            for k in 0..4 {
                x[k] += w[k] * step * equation.gradient[k];
            }
        }
    }
}
