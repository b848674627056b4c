//! CPU twin of `constraints/solve`: XPBD (Macklin et al. 2016) on any row, in plain `f64`, serial or with threads.
//! Δλ = (-C - α̃ λ - γ ∇C·(x - xⁿ)) / ((1 + γ) ∇Cᵀ M⁻¹ ∇C + α̃), α̃ = α/h², γ = damping time / h; Δx = M⁻¹ ∇C Δλ.

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

/// Projects one row: corrects the positions `x` [m] of its particles. `w` are their inverse masses [1/kg], `moved` how far
/// they went in this substep before [m], `multipliers` the λ of the row's equations, kept through a substep of `h` [s].
pub fn project(row: &Row, x: &mut [DVec3; 4], w: &[f64; 4], moved: &[DVec3; 4], multipliers: &mut [f64; 4], h: f64) {
    let gamma = f64::from(row.damping) / h;
    let start: [DVec3; 4] = std::array::from_fn(|k| x[k] - moved[k]);
    for pair in (0..row.kind.equations).step_by(2) {
        let equations: Vec<Equation> =
            (pair..row.kind.equations.min(pair + 2)).map(|index| row.equation(index, x)).collect();
        let weigh = |a: &Equation, b: &Equation| (0..4).map(|k| w[k] * a.gradient[k].dot(b.gradient[k])).sum::<f64>();
        let scaled = |i: usize| equations[i].compliance / (h * h);
        let right = |i: usize| {
            let drift: f64 = (0..4).map(|k| equations[i].gradient[k].dot(x[k] - start[k])).sum();
            -equations[i].value - scaled(i) * multipliers[pair + i] - gamma * drift
        };
        let own = |i: usize| (1.0 + gamma) * weigh(&equations[i], &equations[i]) + scaled(i);
        let deltas = if let [a, b] = &equations[..] {
            let cross = (1.0 + gamma) * weigh(a, b);
            let determinant = own(0) * own(1) - cross * cross;
            if determinant <= 0.0 {
                continue;
            }
            [right(0) * own(1) - cross * right(1), right(1) * own(0) - cross * right(0)].map(|d| d / determinant)
        } else {
            if own(0) <= 0.0 {
                continue;
            }
            [right(0) / own(0), 0.0]
        };
        for (i, equation) in equations.iter().enumerate() {
            let next = (multipliers[pair + i] + deltas[i]).min(equation.most);
            let delta = next - multipliers[pair + i];
            multipliers[pair + i] = next;
            for k in 0..4 {
                x[k] += w[k] * delta * equation.gradient[k];
            }
        }
    }
}

/// Solves rows in the order and the places of `partitioned`, `iterations` times, for a substep of `h` [s]; velocities follow.
/// Rows of a color are spread over threads when `threaded`.
pub fn solve_order(
    rows: &[Row],
    partitioned: &Partitioned,
    particles: &mut Particles,
    h: f64,
    iterations: u32,
    threaded: bool,
) {
    let mut multipliers = vec![[0.0; 4]; rows.len()];
    for _ in 0..iterations {
        let mut state = Split::new(partitioned, particles);
        for range in partitioned.color_starts.windows(2) {
            let color = &partitioned.order[range[0] as usize..range[1] as usize];
            let one = |i: &u32| state.corrected(&rows[*i as usize], *i, partitioned, multipliers[*i as usize], h);
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
            let w = particles.inverse_mass[particle] * f64::from(count + 1);
            split.inverse_mass[particle] = w;
            split.inverse_mass[*first as usize..(first + count) as usize].fill(w);
        }
        split.start = split.position.clone();
        split
    }

    fn corrected(
        &self,
        row: &Row,
        index: u32,
        partitioned: &Partitioned,
        mut multipliers: [f64; 4],
        h: f64,
    ) -> ([DVec3; 4], [f64; 4]) {
        let slots = partitioned.slots[index as usize].map(|s| s as usize);
        let at = |of: &[DVec3], s: usize| of.get(s).copied().unwrap_or_default();
        let mut x = slots.map(|s| at(&self.position, s));
        let w = slots.map(|s| self.inverse_mass.get(s).copied().unwrap_or(0.0));
        let moved = slots.map(|s| at(&self.position, s) - at(&self.start, s) + h * at(&self.velocity, s));
        project(row, &mut x, &w, &moved, &mut multipliers, h);
        (x, multipliers)
    }

    /// Every particle to the mean of its copies; its velocity by how far it went.
    fn join(&self, partitioned: &Partitioned, particles: &mut Particles, h: f64) {
        for (i, (first, count)) in partitioned.copies.iter().enumerate() {
            let copies = &self.position[*first as usize..(first + count) as usize];
            let mean = (self.position[i] + copies.iter().sum::<DVec3>()) / f64::from(count + 1);
            particles.velocity[i] += (mean - self.start[i]) / h;
            particles.position[i] = mean;
        }
    }
}
