//! THE FRAME: all stages, in order. Reads like the algorithm; what a stage runs it says itself.

use super::stage::{Frame, Pass, Trigger};
use super::{
    aerodynamics, articulations, bodies, broad_phase, ccd, constraints, contacts, fluid, narrow_phase, particles,
    search, sleep, surfaces,
};
use crate::scene::{JointSolver, Params};

/// The stages of a world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stages {
    pub(super) bodies: bodies::Stage,
    pub(super) particles: particles::Stage,
    pub(super) aerodynamics: aerodynamics::Stage,
    pub(super) broad_phase: broad_phase::Stage,
    pub(super) narrow_phase: narrow_phase::Stage,
    pub(super) contacts: contacts::Stage,
    pub(super) surfaces: surfaces::Stage,
    pub(super) ccd: ccd::Stage,
    pub(super) constraints: constraints::Stage,
    pub(super) articulations: articulations::Stage,
    pub(super) fluid: fluid::Stage,
    pub(super) sleep: sleep::Stage,
}

/// What may be another thing in the next frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switches {
    pub(super) substeps: u32,
    pub(super) iterations: u32,
    pub(super) joints: JointSolver,
    /// Of viscosity in a substep.
    pub(super) sweeps: u32,
    /// Whether a hand drags a body.
    pub(super) dragging: bool,
    /// Whether everything wakes.
    pub(super) waking: bool,
}

impl Stages {
    /// All dispatches of one frame. `colors` counts the constraints of each color.
    pub(super) fn frame(&self, now: &Switches, colors: &[u32]) -> Frame {
        let mut frame = Frame::new(colors.len() as u32, self.constraints.global.len() as u32);
        let f = &mut frame;
        if now.waking {
            self.sleep.wake(f);
        }
        self.fluid.flow(f);
        for substep in 0..now.substeps {
            f.begin_substep(substep);
            self.predict(f, now.dragging);
            self.search(f);
            for iteration in 0..now.iterations {
                f.begin_iteration(iteration, now.iterations);
                self.constraints.solve(f, colors);
                self.narrow_phase.update(f);
                self.contacts.solve_manifolds(f);
                self.fluid.solve(f);
                self.contacts.solve_particles(f);
                self.contacts.apply(f);
                self.surfaces.solve(f);
                self.solve_joints(f, now.joints);
            }
            self.keep_apart(f);
            self.fluid.change_velocities(f, now.sweeps);
        }
        f.begin_substep(0);
        self.constraints.yield_shapes(f);
        self.finish(f);
        frame
    }

    /// Where everything goes if nothing is in its way.
    fn predict(&self, f: &mut Frame, dragging: bool) {
        self.bodies.predict(f);
        self.aerodynamics.apply(f);
        self.particles.predict(f);
        self.bodies.drag(f, dragging);
    }

    /// Searches for what may touch, once something may have moved too far since the last search.
    fn search(&self, f: &mut Frame) {
        search::decide(f);
        self.narrow_phase.begin_search(f);
        self.broad_phase.search(f);
        self.surfaces.broad_phase(f, Trigger::Surfaces);
        self.narrow_phase.search(f);
        self.contacts.search(f);
        self.fluid.search(f);
        self.surfaces.narrow_phase(f);
    }

    /// Joints between rigid states, or the published mean of shared particles.
    fn solve_joints(&self, f: &mut Frame, joints: JointSolver) {
        match joints {
            JointSolver::Point => self.articulations.solve(f),
            JointSolver::Average if self.articulations.clusters > 0 => {
                self.particles.place(f);
                self.bodies.fit(f);
            }
            JointSolver::Average => {}
        }
    }

    /// Nothing crosses a surface.
    fn keep_apart(&self, f: &mut Frame) {
        self.ccd.push_ahead(f);
        self.surfaces.apply_bodies(f);
        self.ccd.bound(f);
        self.surfaces.broad_phase(f, Trigger::Rebuild);
        self.surfaces.narrow_phase(f);
        self.ccd.settle(f);
    }

    /// Restores what is no number, and lets rest what has stayed in place.
    fn finish(&self, f: &mut Frame) {
        self.bodies.finish(f);
        self.sleep.sleep_bodies(f);
        self.particles.finish(f);
        self.sleep.sleep_grains(f);
        self.particles.place(f);
    }

    /// Every pass that a frame of these stages may run, whatever is switched, in order.
    pub(super) fn passes(&self, colors: &[u32]) -> Vec<&'static Pass> {
        let mut passes: Vec<&'static Pass> = Vec::new();
        for joints in [JointSolver::Point, JointSolver::Average] {
            let now = Switches { substeps: 1, iterations: 1, joints, sweeps: 1, dragging: true, waking: true };
            for dispatch in self.frame(&now, colors).dispatches {
                if !passes.contains(&dispatch.pass) {
                    passes.push(dispatch.pass);
                }
            }
        }
        passes
    }
}

impl Switches {
    /// As the parameters say.
    pub(super) fn new(params: &Params, stages: &Stages, dragging: bool, waking: bool) -> Self {
        Self {
            substeps: params.substeps,
            iterations: params.iterations,
            joints: params.joints,
            sweeps: stages.fluid.sweeps(params.substep_dt()),
            dragging,
            waking,
        }
    }
}
