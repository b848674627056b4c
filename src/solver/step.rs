//! THE FRAME: all stages, in order. Reads like the algorithm; what a stage runs it says itself.

use serde::{Deserialize, Serialize};

use super::control::kinematic::KinematicTargets;
use super::stages::constraints::Solved;
use super::stages::forces::Pushing;
use super::stages::stage::{Frame, Pass};
use super::stages::{
    aerodynamics, articulations, bodies, broad_phase, ccd, constraints, contacts, emitters, events, fluid, forces,
    gears, narrow_phase, particles, search, sensors, sleep, surfaces, walkers,
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
    pub(super) gears: gears::Stage,
    pub(super) emitters: emitters::Stage,
    pub(super) fluid: fluid::Stage,
    pub(super) sleep: sleep::Stage,
    pub(super) forces: forces::Stage,
    pub(super) events: events::Stage,
    pub(super) sensors: sensors::Stage,
    pub(super) walkers: walkers::Stage,
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
    /// Whether what the host has posed wakes what it left.
    pub(super) posed: bool,
    /// Held bodies that the host moves in this frame.
    pub(super) held: u32,
    /// The same, if walkers take some of them along.
    pub(super) lifted: u32,
    /// Bodies that the host pulls in this frame.
    pub(super) pulled: u32,
    /// Groups of held bodies that can be struck out of their holds.
    pub(super) holds: u32,
    /// What the host pushes in this frame.
    pub(super) pushing: Pushing,
    /// Substeps from one in which contacts may be searched to the next.
    pub(super) search_stride: u32,
}

/// What an edit by the host wakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Woken {
    #[default]
    Nothing,
    /// What posed bodies are tied to, and what was near them.
    Left,
    All,
}

impl Stages {
    /// All dispatches of one frame. `colors` counts the constraints of each color.
    pub(super) fn frame(&self, now: &Switches, colors: &[Solved]) -> Frame {
        let mut frame = Frame::new(colors.len() as u32, self.constraints.global.len() as u32);
        let f = &mut frame;
        self.bodies.hold(f, now.held);
        if now.waking {
            self.sleep.wake(f);
        }
        if now.posed {
            self.sleep.wake_left(f);
        }
        if now.waking || now.posed {
            self.contacts.lose_grips(f);
        }
        self.forces.begin(f, &now.pushing, now.holds);
        self.events.begin(f);
        self.emitters.flow(f);
        self.aerodynamics.apply(f);
        for substep in 0..now.substeps {
            f.begin_substep(substep);
            self.constraints.remember(f);
            self.forces.last(f, &now.pushing);
            self.forces.act(f);
            self.walkers.drive(f);
            self.bodies.ride(f, now.lifted);
            self.bodies.pull(f, now.pulled);
            self.predict(f, now.dragging);
            if substep == 0 {
                self.surfaces.plan(f);
            }
            self.search(f, substep % now.search_stride == 0);
            for iteration in 0..now.iterations {
                f.begin_iteration(iteration, now.iterations);
                self.constraints.solve(f, colors);
                self.narrow_phase.update(f);
                self.contacts.let_go(f, now.holds);
                if now.joints != JointSolver::Particles {
                    self.contacts.solve_manifolds(f);
                }
                self.fluid.solve(f);
                self.contacts.solve_particles(f);
                self.events.note(f);
                self.contacts.apply(f);
                self.surfaces.solve(f);
                self.events.note_surfaces(f);
                self.surfaces.apply(f);
                self.events.note_colliders(f);
                self.contacts.collide(f);
                self.solve_joints(f, now.joints);
            }
            self.constraints.tear(f);
            self.keep_apart(f);
            self.fluid.change_velocities(f, now.sweeps);
        }
        f.begin_substep(0);
        self.fluid.calm(f);
        self.constraints.yield_shapes(f);
        self.finish(f);
        frame
    }

    /// Where everything goes if nothing is in its way.
    fn predict(&self, f: &mut Frame, dragging: bool) {
        self.bodies.predict(f);
        self.particles.predict(f);
        self.constraints.extrapolate(f);
        self.bodies.drag(f, dragging);
    }

    /// Searches for what may touch, once something may have moved too far since the last search; for contacts only in some
    /// substeps.
    fn search(&self, f: &mut Frame, contacts: bool) {
        let first = f.dispatches.len();
        if contacts {
            self.events.search(f);
            self.narrow_phase.begin_search(f);
            self.broad_phase.search(f);
            self.narrow_phase.search(f);
            self.contacts.search(f);
        }
        self.fluid.search(f);
        search::decide_before(f, first);
    }

    /// Joints between rigid states, or the published mean of shared particles.
    fn solve_joints(&self, f: &mut Frame, joints: JointSolver) {
        match joints {
            JointSolver::Point => {
                self.articulations.solve(f);
                self.gears.mesh(f);
            }
            JointSolver::Average if self.articulations.clusters > 0 => {
                self.particles.place(f);
                self.bodies.fit(f);
            }
            JointSolver::Average => {}
            JointSolver::Particles => self.bodies.move_singly(f, self.particles.world.on_bodies()),
        }
    }

    /// Nothing crosses a surface.
    fn keep_apart(&self, f: &mut Frame) {
        self.ccd.push_ahead(f);
        self.surfaces.apply_bodies(f);
        self.surfaces.search_strays(f);
        self.ccd.bound(f);
    }

    /// Restores what is no number, and lets rest what has stayed in place.
    fn finish(&self, f: &mut Frame) {
        self.bodies.finish(f);
        self.sleep.sleep_bodies(f);
        self.particles.finish(f);
        self.sleep.sleep_grains(f);
        self.particles.place(f);
        self.sensors.count(f);
        self.events.finish(f);
    }

    /// Every pass that a frame of these stages may run, whatever is switched, in order.
    pub(super) fn passes(&self, colors: &[Solved]) -> Vec<&'static Pass> {
        let mut passes: Vec<&'static Pass> = Vec::new();
        let all = Self { articulations: self.articulations.filled(), ..*self };
        for joints in [JointSolver::Point, JointSolver::Average, JointSolver::Particles] {
            let now = Switches {
                substeps: 1,
                iterations: 1,
                joints,
                sweeps: 1,
                dragging: true,
                waking: true,
                posed: true,
                held: 1,
                lifted: 1,
                pulled: 1,
                holds: 1,
                pushing: Pushing::ALL,
                search_stride: 1,
            };
            for dispatch in all.frame(&now, colors).dispatches {
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
    pub(super) fn new(
        params: &Params,
        stages: &Stages,
        dragging: bool,
        woken: Woken,
        held: &KinematicTargets,
        pulled: u32,
        pushing: Pushing,
        search_stride: u32,
    ) -> Self {
        Self {
            substeps: params.substeps,
            iterations: params.iterations,
            joints: params.joints,
            sweeps: stages.fluid.sweeps(params.substep_dt()),
            dragging,
            waking: woken == Woken::All,
            posed: woken == Woken::Left,
            held: held.moved(),
            lifted: held.lifted(),
            pulled,
            holds: held.groups(),
            pushing,
            search_stride,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    use super::*;
    use crate::constraints::{TYPES, Type};
    use crate::gpu::{reflect, shader};
    use crate::scene::Kinds;
    use crate::solver::stages::constraints::levels::{self, LevelSizes};
    use crate::solver::stages::constraints::pass_of;
    use crate::solver::stages::constraints::{global, tear};
    use crate::solver::stages::ground::{Tells, World};
    use crate::solver::stages::stage::{Gate, Trigger};

    /// A color of each type, and what solves large levels.
    fn colors() -> Vec<Solved> {
        let solved = |(kind, color): (&&'static Type, u32)| Solved { pass: pass_of(kind), count: 3, color };
        let levels = [&levels::PROLONG, &levels::PROJECT].map(|pass| Solved { pass, count: 3, color: 0 });
        TYPES.iter().zip(0..).map(solved).chain(levels).collect()
    }

    /// A world that has everything.
    fn full_world() -> World {
        World {
            particles: 9,
            free_particles: 1,
            bodies: 2,
            colliders: 1,
            meets: true,
            grip_slots: 1,
            shapes: 1,
            sails: true,
            second_order: true,
            surfaces: true,
            lanes: 32,
            loops: true,
            travels: true,
            limiters: true,
            tells: Tells { layers: true, locks: true, frictions: true },
            one_way: true,
            rolls: true,
            rings: true,
            tears: true,
            mixed: true,
            radius: 0.1,
        }
    }

    fn full() -> Stages {
        let world = full_world();
        Stages {
            bodies: bodies::Stage { bodies: 2 },
            particles: particles::Stage { world },
            aerodynamics: aerodynamics::Stage { particles: 1 },
            broad_phase: broad_phase::Stage { proxies: 3, cells: 1024, ..Default::default() },
            narrow_phase: narrow_phase::Stage { world },
            contacts: contacts::Stage { world },
            surfaces: surfaces::Stage {
                world,
                triangle_leaves: 1,
                full_leaves: 2,
                leaves: 3,
                cells: 4,
                leaf_size: 1.0,
                poked: true,
            },
            ccd: ccd::Stage { world, surfaces: true, bodies: true },
            constraints: constraints::Stage {
                attached_bodies: 1,
                plastic: 1,
                global: [1; _],
                hybrid: true,
                slices: 2,
                object_slices: 1,
                joined: 3,
                tears: tear::Sizes { corners: 3, vertices: 4, fabrics: 1, followers: 5 },
                clusters: 0,
                cluster_threads: 1,
                second_order: true,
                levels: LevelSizes { nodes: 1, small: true, large: 2, heirs: 1, lanes: 32 },
            },
            articulations: articulations::Stage { clusters: 1, lanes: 32, added: 1, reserved: true },
            gears: gears::Stage { gears: 1 },
            emitters: emitters::Stage { emitters: 1, drained: 1 },
            fluid: fluid::Stage {
                world,
                particles: 1,
                cells: 1024,
                confines: true,
                calms: true,
                drag_rate: 1e3,
                pull_rate: 0.0,
            },
            sleep: sleep::Stage { world, assemblies: 1, grains: 1, proxies: 3, cells: 1024 },
            forces: forces::Stage { world, assemblies: 1, grains: 1, pushes: true, field_kinds: Kinds::ALL },
            events: events::Stage {
                listened: 1,
                free: events::Free { partners: Kinds::ALL, liquid: 1, surfaces: true, on_bodies: true, poked: 8 },
                world,
            },
            sensors: sensors::Stage { particles: 9 },
            walkers: walkers::Stage { walkers: 1, bodies: 2 },
        }
    }

    fn composed(pass: &Pass) -> shader::Composed {
        let made = constraints::composed(pass).or_else(|| global::composed(pass));
        made.unwrap_or_else(|| shader::compose(pass.kernel).expect("a shader of each pass"))
    }

    /// The comment that follows the imports of a shader.
    fn head(pass: &Pass) -> String {
        let text = shader::text(pass.kernel).expect("a file of each pass");
        let lines = text.lines().skip_while(|line| !line.starts_with("//")).take_while(|line| line.starts_with("//"));
        lines.map(|line| line.trim_start_matches('/').trim()).collect::<Vec<_>>().join(" ")
    }

    /// The table of the guide: every pass, what its shader says of itself, and what it reads and writes.
    fn table() -> String {
        let stages = full();
        let now = Switches {
            substeps: 1,
            iterations: 1,
            joints: JointSolver::Point,
            sweeps: 1,
            dragging: true,
            waking: true,
            posed: true,
            held: 1,
            lifted: 1,
            pulled: 0,
            holds: 1,
            pushing: Pushing::ALL,
            search_stride: 1,
        };
        let gates: Vec<Gate> = stages.frame(&now, &colors()).gates;
        let mut table = String::from("| pass | what it does | reads | writes |\n|---|---|---|---|\n");
        // Clusters stand for all colors.
        let mut clustered = full();
        clustered.constraints.clusters = 1;
        let mut passes = stages.passes(&colors());
        let others = clustered.passes(&colors()).into_iter().enumerate();
        for (place, pass) in others {
            if !passes.contains(&pass) {
                passes.insert(place, pass);
            }
        }
        for pass in passes {
            let named = |names: Vec<String>| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
            let (read, written) = reflect::accesses(&composed(pass)).expect("a kernel");
            let when = match gates.iter().find(|gate| gate.pass == pass).map(|gate| gate.trigger) {
                Some(Trigger::Contacts) => "*contacts:* ",
                Some(Trigger::Liquid) => "*liquid:* ",
                Some(Trigger::Surfaces) => "*surfaces:* ",
                Some(Trigger::Tears) => "*tears:* ",
                None => "",
            };
            let again = if pass.kernel == pass.name { String::new() } else { format!(" (as `{}`)", pass.kernel) };
            let says = format!("{when}{}{again}", head(pass)).replace('|', "\\|");
            let _ = writeln!(table, "| `{}` | {says} | {} | {} |", pass.name, named(read), named(written));
        }
        table
    }

    #[test]
    fn the_guide_tells_every_pass_in_order() {
        let (start, end) = ("<!-- passes -->\n\n", "\n<!-- end of passes -->");
        let page = include_str!("../guide/step.md");
        let (before, rest) = page.split_once(start).expect("where the table begins");
        let (told, after) = rest.split_once(end).expect("where the table ends");
        let table = table();
        if std::env::var_os("SINEW_WRITE_GUIDE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/step.md");
            std::fs::write(path, format!("{before}{start}{table}{end}{after}")).unwrap();
        } else {
            assert!(
                told == table,
                "src/guide/step.md is old; SINEW_WRITE_GUIDE=1 cargo test the_guide_tells writes it anew"
            );
        }
    }

    #[test]
    fn every_kernel_of_a_stage_runs_in_some_frame() {
        let run: BTreeSet<&str> = full().passes(&colors()).iter().map(|pass| pass.kernel).collect();
        let entry = |name: &&str| shader::text(name).is_some_and(|text| text.contains("@compute"));
        let of_stages = shader::names().filter(|name| !name.starts_with("render/")).filter(entry);
        // Asked for by the host, not in a frame: more room, a check, a measure of the adapter, queries, and pictures between two frames.
        let asked = ["narrow_phase/widen", "constraints/check", "common/copy", "walkers/aim"];
        let is_asked =
            |name: &&str| asked.contains(name) || ["queries/", "between/"].iter().any(|f| name.starts_with(f));
        let idle: Vec<&str> = of_stages.filter(|name| !run.contains(name) && !is_asked(name)).collect();
        assert_eq!(idle, Vec::<&str>::new());
    }

    #[test]
    fn gates_are_the_same_in_every_frame() {
        let stages = full();
        let now = Switches {
            substeps: 3,
            iterations: 2,
            joints: JointSolver::Point,
            sweeps: 0,
            dragging: false,
            waking: false,
            posed: false,
            held: 0,
            lifted: 0,
            pulled: 0,
            holds: 0,
            pushing: Pushing::default(),
            search_stride: 2,
        };
        let gates = stages.frame(&now, &colors()[..2]).gates;
        assert_eq!(stages.frame(&Switches { substeps: 1, waking: true, ..now }, &colors()[..2]).gates, gates);
        assert!(gates.iter().any(|gate| gate.trigger == Trigger::Surfaces), "surfaces are searched");
    }
}
