//! CPU twin of a frame's sweeps over all constraints: by color, particles split as the partition says, serial or with threads.

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

use super::kind::Row;
use super::partition::Partitioned;
use super::project::project;
use super::stiffness::Stiffness;

/// Fewest rows worth a thread.
const ROWS_OF_A_THREAD: usize = 512;

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

/// How a sweep solves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solving {
    /// Length of the substep [s].
    pub h: f64,
    /// Sweeps in it.
    pub iterations: u32,
    /// As of [`project`], by type.
    pub stiffness: Stiffness,
    /// Whether the rows of a color are spread over threads.
    pub threaded: bool,
}

/// Rows in solving order, beside the particles or phantoms that each of them moves.
#[derive(Clone, Debug)]
pub struct Sweep {
    rows: Vec<Row>,
    slots: Vec<[u32; 4]>,
    color_starts: Vec<u32>,
    phantoms: Vec<(u32, u32)>,
    originals: Vec<u32>,
    hybrid: bool,
    multipliers: Vec<[f64; 4]>,
    /// What the rows of a color become, until all of them are done.
    corrected: Vec<[DVec3; 4]>,
    split: Split,
}

/// Particles and their phantoms while rows are solved.
#[derive(Clone, Debug, Default)]
struct Split {
    position: Vec<DVec3>,
    start: Vec<DVec3>,
    /// Predicted motion, only while damping acts [m].
    flown: Vec<DVec3>,
    inverse_mass: Vec<f64>,
}

impl Sweep {
    /// `rows` in the order and the places of `partitioned`.
    pub fn new(rows: &[Row], partitioned: &Partitioned) -> Self {
        let in_order = || partitioned.order.iter().map(|i| *i as usize);
        Self {
            rows: in_order().map(|i| rows[i]).collect(),
            slots: in_order().map(|i| partitioned.slots[i]).collect(),
            color_starts: partitioned.color_starts.clone(),
            phantoms: partitioned.phantoms.clone(),
            originals: partitioned.originals.clone(),
            hybrid: partitioned.hybrid,
            multipliers: vec![[0.0; 4]; rows.len()],
            corrected: Vec::new(),
            split: Split::default(),
        }
    }

    /// Solves all rows for one substep; velocities follow.
    pub fn solve(&mut self, particles: &mut Particles, solving: Solving) {
        self.multipliers.fill([0.0; 4]);
        let colors = self.color_starts.len().saturating_sub(1);
        for iteration in 0..solving.iterations {
            // Damping acts once in a substep.
            self.begin(particles, if iteration == 0 { solving.h } else { 0.0 });
            for k in 0..colors {
                if self.hybrid && k + 1 == colors {
                    self.place_phantoms();
                }
                let color = self.color_starts[k] as usize..self.color_starts[k + 1] as usize;
                if solving.threaded { self.solve_threaded(color, solving) } else { self.solve_serial(color, solving) }
            }
            self.join(particles, solving.h);
        }
    }

    fn solve_serial(&mut self, color: Range<usize>, solving: Solving) {
        for i in color {
            let x = self.split.corrected(&self.rows[i], &self.slots[i], &mut self.multipliers[i], solving);
            self.split.place(&self.slots[i], &x);
        }
    }

    fn solve_threaded(&mut self, color: Range<usize>, solving: Solving) {
        let split = &self.split;
        let rows = self.rows[color.clone()].par_iter().with_min_len(ROWS_OF_A_THREAD);
        let slots = &self.slots[color.clone()];
        rows.zip(slots)
            .zip(&mut self.multipliers[color])
            .map(|((row, slots), multipliers)| split.corrected(row, slots, multipliers, solving))
            .collect_into_vec(&mut self.corrected);
        for (slots, x) in slots.iter().zip(&self.corrected) {
            self.split.place(slots, x);
        }
    }

    fn begin(&mut self, particles: &Particles, flight: f64) {
        let split = &mut self.split;
        let of = |phantom: &u32| *phantom as usize;
        let originals = || self.originals.iter().map(of);
        split.position.clone_from(&particles.position);
        split.position.extend(originals().map(|i| particles.position[i]));
        split.flown.clear();
        split.flown.extend(particles.velocity.iter().map(|v| flight * v));
        split.flown.extend(originals().map(|i| flight * particles.velocity[i]));
        split.inverse_mass.clone_from(&particles.inverse_mass);
        split.inverse_mass.resize(split.position.len(), 0.0);
        // The phantoms share the mass, so that their mean keeps momentum (Tonge et al. 2012).
        for (particle, (first, count)) in self.phantoms.iter().enumerate() {
            let own = particles.inverse_mass[particle];
            let w = own * f64::from(if self.hybrid { *count } else { count + 1 });
            split.inverse_mass[particle] = if self.hybrid { own } else { w };
            split.inverse_mass[*first as usize..(first + count) as usize].fill(w);
        }
        split.start.clone_from(&split.position);
    }

    /// Puts hybrid phantoms where the colors before them left their particles.
    fn place_phantoms(&mut self) {
        for (particle, (first, count)) in self.phantoms.iter().enumerate() {
            let at = self.split.position[particle];
            self.split.position[*first as usize..(first + count) as usize].fill(at);
        }
    }

    /// Every particle to the mean of its phantoms; its velocity by how far it went.
    fn join(&self, particles: &mut Particles, h: f64) {
        let split = &self.split;
        for (i, (first, count)) in self.phantoms.iter().enumerate() {
            let sum = split.position[*first as usize..(first + count) as usize].iter().sum::<DVec3>();
            let mean = match (self.hybrid, count) {
                (_, 0) => split.position[i],
                (true, count) => sum / f64::from(*count),
                (false, count) => (split.position[i] + sum) / f64::from(count + 1),
            };
            particles.velocity[i] += (mean - split.start[i]) / h;
            particles.position[i] = mean;
        }
    }
}

impl Split {
    /// Where a row puts its particles [m].
    fn corrected(&self, row: &Row, slots: &[u32; 4], multipliers: &mut [f64; 4], solving: Solving) -> [DVec3; 4] {
        let slots = slots.map(|s| s as usize);
        let mut x = slots.map(|s| self.position.get(s).copied().unwrap_or_default());
        let w = slots.map(|s| self.inverse_mass.get(s).copied().unwrap_or(0.0));
        let flown = slots.map(|s| self.flown.get(s).copied().unwrap_or_default());
        let stiffness = f64::from(solving.stiffness.of(row.kind));
        project(row, &mut x, &w, &flown, multipliers, solving.h, stiffness);
        x
    }

    fn place(&mut self, slots: &[u32; 4], x: &[DVec3; 4]) {
        for (slot, x) in slots.iter().zip(x) {
            if let Some(position) = self.position.get_mut(*slot as usize) {
                *position = *x;
            }
        }
    }
}
