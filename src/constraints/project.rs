//! CPU twin of `constraints/solve`: XPBD (Macklin et al. 2016) on any row, in plain `f64`, serial or with threads.
//! Δλ = (-C - α̃ λ) / (G + α̃), G = ∇Cᵀ M⁻¹ ∇C, α̃ = α/h²; Δx = M⁻¹ ∇C Δλ. Damping takes a part β of the motion along ∇C
//! that α̃ leaves: Δλ' = -β ∇C·h v α̃ / (G + α̃) G. It works on what was predicted, not on where constraints solved before
//! have put the particles: with few iterations that would change the force at rest.

use glam::DVec3;
use rayon::prelude::*;

use super::kind::{Equation, Row};
use super::partition::Partitioned;

/// Particles on the CPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Positions [m], shape [particle_count].
    pub position: Vec<DVec3>,
    /// Velocities [m/s], shape [particle_count].
    pub velocity: Vec<DVec3>,
    /// Inverse masses [1/kg], 0 for fixed ones, shape [particle_count].
    pub inverse_mass: Vec<f64>,
}

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
    for pair in (0..row.kind.equations).step_by(2) {
        let equations: Vec<Equation> =
            (pair..row.kind.equations.min(pair + 2)).map(|index| row.equation(index, x)).collect();
        let weigh = |a: &Equation, b: &Equation| (0..4).map(|k| w[k] * a.gradient[k].dot(b.gradient[k])).sum::<f64>();
        let softness: Vec<f64> = equations.iter().map(|e| e.compliance / (h * h)).collect();
        let g: Vec<f64> = equations.iter().map(|e| weigh(e, e)).collect();
        let right = |i: usize| -equations[i].value - softness[i] * multipliers[pair + i];
        let own = |i: usize| g[i] + softness[i];
        if g.iter().any(|g| *g <= 0.0) {
            continue;
        }
        let deltas = if let [a, b] = &equations[..] {
            let cross = weigh(a, b);
            let determinant = own(0) * own(1) - cross * cross;
            if determinant <= 0.0 {
                continue;
            }
            [right(0) * own(1) - cross * right(1), right(1) * own(0) - cross * right(0)].map(|d| d / determinant)
        } else {
            [right(0) / own(0), 0.0]
        };
        let share = damped / equations.len() as f64;
        for (i, equation) in equations.iter().enumerate() {
            let next = (multipliers[pair + i] + stiffness * deltas[i]).min(equation.most);
            let drift: f64 = (0..4).map(|k| equation.gradient[k].dot(flown[k])).sum();
            let resist = if next == equation.most { 0.0 } else { -share * drift * softness[i] / (own(i) * g[i]) };
            let step = next - multipliers[pair + i] + resist;
            multipliers[pair + i] = next;
            for k in 0..4 {
                x[k] += w[k] * step * equation.gradient[k];
            }
        }
    }
}

/// Solves rows in the order and the places of `partitioned`, `iterations` times, for a substep of `h` [s], `stiffness` as of [`project`];
/// velocities follow.
/// Rows of a color are spread over threads when `threaded`.
pub fn solve_order(
    rows: &[Row],
    partitioned: &Partitioned,
    particles: &mut Particles,
    h: f64,
    iterations: u32,
    stiffness: f64,
    threaded: bool,
) {
    let mut multipliers = vec![[0.0; 4]; rows.len()];
    for iteration in 0..iterations {
        let mut state = Split::new(partitioned, particles);
        // Damping acts once in a substep.
        let flight = if iteration == 0 { h } else { 0.0 };
        for (k, range) in partitioned.color_starts.windows(2).enumerate() {
            if partitioned.late && k + 1 == partitioned.colors() as usize {
                state.split_late(partitioned);
            }
            let color = &partitioned.order[range[0] as usize..range[1] as usize];
            let one = |i: &u32| {
                state.corrected(&rows[*i as usize], *i, partitioned, multipliers[*i as usize], [h, flight, stiffness])
            };
            let corrected: Vec<_> =
                if threaded { color.par_iter().map(one).collect() } else { color.iter().map(one).collect() };
            for (i, (x, lambda)) in color.iter().zip(corrected) {
                multipliers[*i as usize] = lambda;
                for (slot, x) in partitioned.slots[*i as usize].iter().zip(x) {
                    if let Some(position) = state.position.get_mut(*slot as usize) {
                        *position = x;
                    }
                }
            }
        }
        state.join(partitioned, particles, h);
    }
}

/// Particles and their copies while rows are solved.
struct Split {
    position: Vec<DVec3>,
    start: Vec<DVec3>,
    inverse_mass: Vec<f64>,
    velocity: Vec<DVec3>,
}

impl Split {
    fn new(partitioned: &Partitioned, particles: &Particles) -> Self {
        let of_copy = |copy: &u32| *copy as usize;
        let mut split = Self {
            position: particles.position.clone(),
            inverse_mass: particles.inverse_mass.clone(),
            velocity: particles.velocity.clone(),
            start: Vec::new(),
        };
        for original in partitioned.originals.iter().map(of_copy) {
            split.position.push(particles.position[original]);
            split.velocity.push(particles.velocity[original]);
            split.inverse_mass.push(0.0);
        }
        // The copies share the mass, so that their mean keeps momentum (Tonge et al. 2012).
        for (particle, (first, count)) in partitioned.copies.iter().enumerate() {
            let own = particles.inverse_mass[particle];
            let w = own * f64::from(if partitioned.late { *count } else { count + 1 });
            split.inverse_mass[particle] = if partitioned.late { own } else { w };
            split.inverse_mass[*first as usize..(first + count) as usize].fill(w);
        }
        split.start = split.position.clone();
        split
    }

    /// Puts late copies where the colors before them left their particles.
    fn split_late(&mut self, partitioned: &Partitioned) {
        for (particle, (first, count)) in partitioned.copies.iter().enumerate() {
            let at = self.position[particle];
            self.position[*first as usize..(first + count) as usize].fill(at);
        }
    }

    fn corrected(
        &self,
        row: &Row,
        index: u32,
        partitioned: &Partitioned,
        mut multipliers: [f64; 4],
        [h, flight, stiffness]: [f64; 3],
    ) -> ([DVec3; 4], [f64; 4]) {
        let slots = partitioned.slots[index as usize].map(|s| s as usize);
        let at = |of: &[DVec3], s: usize| of.get(s).copied().unwrap_or_default();
        let mut x = slots.map(|s| at(&self.position, s));
        let w = slots.map(|s| self.inverse_mass.get(s).copied().unwrap_or(0.0));
        let flown = slots.map(|s| flight * at(&self.velocity, s));
        project(row, &mut x, &w, &flown, &mut multipliers, h, stiffness);
        (x, multipliers)
    }

    /// Every particle to the mean of its copies; its velocity by how far it went.
    fn join(&self, partitioned: &Partitioned, particles: &mut Particles, h: f64) {
        for (i, (first, count)) in partitioned.copies.iter().enumerate() {
            let copies = &self.position[*first as usize..(first + count) as usize];
            let sum = copies.iter().sum::<DVec3>();
            let mean = match (partitioned.late, count) {
                (_, 0) => self.position[i],
                (true, count) => sum / f64::from(*count),
                (false, count) => (self.position[i] + sum) / f64::from(count + 1),
            };
            particles.velocity[i] += (mean - self.start[i]) / h;
            particles.position[i] = mean;
        }
    }
}
