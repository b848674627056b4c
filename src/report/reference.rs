//! The same constraints on the CPU, in plain `f64`: the papers' "cpu st" and "cpu mt", without contacts.

use std::time::Instant;

use glam::DVec3;

use super::measures::median;
use crate::constraints::{Particles, Partitioned, Solving, Sweep};
use crate::scene::Scene;

/// Most frames timed.
const FRAMES: usize = 3;
/// Time after which no other frame is begun [ms].
const LONG: f64 = 1000.0;

/// Free particles of a scene and how its constraints are divided.
#[derive(Clone, Debug)]
pub struct Reference {
    particles: Particles,
    sweep: Sweep,
}

impl Reference {
    /// The start of `scene`.
    pub fn new(scene: &Scene) -> Self {
        Self::divided(scene, scene.divided())
    }

    /// The start of `scene`, whose constraints are divided already.
    pub fn divided(scene: &Scene, partitioned: Partitioned) -> Self {
        let inverse = |mass: f32| if mass > 0.0 { 1.0 / f64::from(mass) } else { 0.0 };
        let particles = Particles {
            position: scene.particles.iter().map(|p| p.position.as_dvec3()).collect(),
            velocity: scene.particles.iter().map(|p| p.velocity.as_dvec3()).collect(),
            inverse_mass: scene.particles.iter().map(|p| inverse(p.mass)).collect(),
        };
        Self { particles, sweep: Sweep::new(&scene.constraints, &partitioned) }
    }

    /// One frame of gravity and constraints, on one thread or on all, with the numbers of the world of `scene`.
    pub fn frame(&mut self, scene: &Scene, threaded: bool) {
        let params = &scene.params;
        let h = f64::from(params.substep_dt());
        let fall: DVec3 = h * params.gravity.as_dvec3();
        let solving = Solving { h, iterations: params.iterations, stiffness: params.stiffness_by_type(), threaded };
        for _ in 0..params.substeps {
            let p = &mut self.particles;
            for i in (0..p.position.len()).filter(|i| p.inverse_mass[*i] > 0.0) {
                p.velocity[i] += fall;
                p.position[i] += h * p.velocity[i];
            }
            self.sweep.solve(p, solving);
        }
    }

    /// So many iterations and nothing else, on all threads: nothing moves before or after. Without compliance, some iterations
    /// and then others are as many in one call.
    pub fn iterate(&mut self, scene: &Scene, iterations: u32) {
        let params = &scene.params;
        let (h, stiffness) = (f64::from(params.substep_dt()), params.stiffness_by_type());
        self.particles.velocity.fill(DVec3::ZERO);
        self.sweep.solve(&mut self.particles, Solving { h, iterations, stiffness, threaded: true });
    }

    /// Where its particles are.
    pub fn particles(&self) -> &Particles {
        &self.particles
    }

    /// Median time of the first frames [ms].
    pub fn frame_ms(&self, scene: &Scene, threaded: bool) -> Option<f64> {
        let (mut reference, mut times) = (self.clone(), Vec::new());
        while times.len() < FRAMES && times.iter().sum::<f64>() < LONG {
            let begun = Instant::now();
            reference.frame(scene, threaded);
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        median(&times)
    }
}
