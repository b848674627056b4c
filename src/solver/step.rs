//! THE FRAME: every pass, in order. Reads like the algorithm; knows nothing of buffers or pipelines.

use super::fluid;
use super::global::{self, GlobalPass};
pub(super) use super::kernels::KERNELS;
use super::state::{self, MOST_SUBSTEPS};
use super::surfaces::LEAF;
use crate::constraints::GLOBAL_TYPES;
use crate::scene::{JointSolver, Params};

/// Times that surfaces bound the way of a substep once more, at most: as it was searched, and then, if some is still cut or
/// went astray, until nobody relies on another; `ROUNDS` and `LAST_ROUND` of `surfaces/primitive`.
const ROUNDS: [u32; 2] = [2, 3];

/// How much work a pass has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// So many threads.
    Threads(u32),
    /// All threads, or none, as the GPU decides: workgroups in row `args` of the search arguments.
    WhenSearching { args: u32 },
    /// One thread for each entry of a list that the GPU makes: its head is at word `at` of the buffer `list`.
    Listed { list: &'static str, at: u32 },
}

/// One dispatch: a kernel, its size and its row of `batch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) kernel: &'static str,
    pub(super) work: Work,
    pub(super) batch: u32,
}

/// Sizes that the passes of a frame depend on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    pub(super) particles: u32,
    pub(super) proxies: u32,
    pub(super) free_particles: u32,
    /// Those that may meet another one as balls.
    pub(super) meeting_balls: u32,
    /// Bodies and particles that a proxy can list as near.
    pub(super) candidate_capacity: u32,
    pub(super) bodies: u32,
    pub(super) assemblies: u32,
    pub(super) colliders: u32,
    pub(super) attached_bodies: u32,
    pub(super) plastic: u32,
    /// 1 when the last color solves phantom particles that start where the others left theirs.
    pub(super) hybrid: u32,
    pub(super) objects: u32,
    pub(super) triangle_leaves: u32,
    /// These, and leaves of particles of bodies.
    pub(super) full_leaves: u32,
    /// Buckets of leaves of triangles.
    pub(super) leaf_cells: u32,
    /// Those leaves, with free particles of no triangle after them.
    pub(super) leaves: u32,
    /// Mean side of those leaves at the start [m].
    pub(super) leaf_size: f32,
    /// Edges that can break.
    pub(super) tears: u32,
    pub(super) clusters: u32,
    pub(super) cells: u32,
    /// Particles with triangles in the air.
    pub(super) sailing: u32,
    /// Particles of liquid, and others that are in it.
    pub(super) fluid_particles: u32,
    pub(super) fluid_cells: u32,
    /// How fast viscosity works [1/s], and cohesion [1/s²]; see `fluid::FluidTables`.
    pub(super) drag_rate: f32,
    pub(super) pull_rate: f32,
    /// Members of the fluid if a liquid confines its vorticity, else 0.
    pub(super) confined: u32,
    pub(super) emitters: u32,
    pub(super) drains: u32,
    /// Grains that may sleep.
    pub(super) sleepers: u32,
}

impl Sizes {
    /// Whether there are triangles, and particles of bodies to meet them.
    pub(super) fn bodies_meet_triangles(&self) -> bool {
        self.full_leaves > self.triangle_leaves
    }
}

/// Passes that look for contacts, in order: all run, or none. The GPU decides in `search/decide`.
pub(super) fn search(s: &Sizes) -> Vec<(&'static str, u32)> {
    let mut passes = vec![
        ("narrow_phase/clear", s.bodies),
        ("broad_phase/count", s.proxies),
        ("broad_phase/scan_blocks", s.cells / 16),
        ("broad_phase/scan_sums", 64),
        ("broad_phase/scan_add", s.cells),
        ("broad_phase/scatter", s.proxies),
        ("broad_phase/sort", s.proxies),
        ("broad_phase/candidates", s.proxies),
        ("surfaces/clear", s.leaf_cells + state::LARGEST_WORDS),
        ("surfaces/mark", s.particles),
        ("surfaces/mark_bodies", LEAF as u32 * (s.full_leaves - s.triangle_leaves)),
        ("surfaces/bin", s.leaves),
        ("surfaces/leaf_pairs", s.triangle_leaves),
        ("narrow_phase/find_colliders", s.particles),
        ("narrow_phase/find", s.particles),
        ("narrow_phase/reverse", s.particles),
        ("narrow_phase/order", s.particles),
        ("contacts/build_manifolds", s.bodies),
        ("contacts/link_manifolds", s.bodies),
    ];
    passes.extend(fluid::search(s));
    passes.retain(|(name, _)| match *name {
        "narrow_phase/find_colliders" => s.colliders > 0,
        "surfaces/mark_bodies" => s.bodies_meet_triangles(),
        name if name.starts_with("surfaces/") => s.triangle_leaves > 0,
        "narrow_phase/clear" | "narrow_phase/order" => s.bodies > 0,
        _ => true,
    });
    passes
}

/// Those of them that search surfaces, once more at the end of a substep.
pub(super) fn search_again(s: &Sizes) -> Vec<(&'static str, u32)> {
    search(s).into_iter().filter(|(name, _)| name.starts_with("surfaces/")).collect()
}

/// All passes of one frame.
/// `colors` counts the constraints of each color, `global` the global ones of each type.
pub(super) fn frame(
    s: &Sizes,
    params: &Params,
    colors: &[u32],
    global: &[GlobalPass],
    dragging: bool,
    waking: bool,
) -> Vec<Pass> {
    let mut f = Frame { passes: Vec::new(), batch: 0 };
    let joined = colors.len() as u32 + s.attached_bodies + global.iter().map(|pass| pass.count).sum::<u32>();
    let joined = if joined > 0 { s.particles } else { 0 };
    let free = if s.free_particles > 0 { s.particles } else { 0 };
    let on_bodies = if s.bodies > 0 { s.particles } else { 0 };
    let met = if s.bodies_meet_triangles() { s.bodies } else { 0 };
    let searching = search(s);

    f.run("sleep/wake_bodies", if waking { s.bodies } else { 0 });
    let sleepy = if s.sleepers > 0 { s.particles } else { 0 };
    f.run("sleep/wake_particles", if waking { sleepy } else { 0 });
    f.run("fluid/drain", if s.drains > 0 { s.fluid_particles } else { 0 });
    f.run("fluid/emit", 64 * s.emitters);
    for substep in 0..params.substeps {
        f.batch = substep;
        // Predict.
        f.run("bodies/predict", s.bodies);
        f.run("aerodynamics/wind", s.sailing);
        f.run("particles/predict", free);
        f.run("bodies/drag", u32::from(dragging));
        // Search for contacts once things may have moved too far since the last search.
        f.run("search/decide", 1);
        for ((kernel, _), args) in searching.iter().zip(0..) {
            f.passes.push(Pass { kernel, work: Work::WhenSearching { args }, batch: substep });
        }
        if s.triangle_leaves > 0 {
            f.find_surfaces();
        }
        for iteration in 0..params.iterations {
            // Constraints between particles: Gauss-Seidel, a dispatch for each color of all types and objects.
            f.run("objects/measure", 64 * s.objects);
            f.run("constraints/begin", joined);
            for (color, count) in colors.iter().enumerate() {
                f.run("constraints/split", if color + 1 == colors.len() { s.hybrid * s.particles } else { 0 });
                f.batch = color_batch(color, colors.len(), iteration, params.iterations);
                f.run("constraints/solve", *count);
            }
            f.batch = color_batch(colors.len(), colors.len(), iteration, params.iterations);
            let after_colors = f.batch;
            for (pass, row) in global.iter().zip(1..) {
                f.batch = after_colors + row;
                f.run(pass.kernel, global::THREADS * pass.count);
            }
            f.batch = after_colors;
            f.run("constraints/attach", s.attached_bodies);
            f.run("constraints/end", joined);
            f.run("constraints/tear", s.tears);
            f.run("objects/settle", 64 * s.objects);
            f.batch = substep;
            // Contacts: Gauss-Seidel inside a pair, Jacobi over pairs and free particles.
            f.run_listed("narrow_phase/update", "contact_list", state::listed_others(s));
            if s.colliders > 0 {
                f.run_listed("narrow_phase/update_colliders", "contact_list", 0);
            }
            if s.bodies > 1 {
                f.run_listed("contacts/solve_manifolds", "loads", state::touching_manifolds(s));
            }
            if s.bodies > 0 && s.colliders > 0 {
                f.run_listed("contacts/solve_world", "loads", state::touching_world(s));
            }
            // Liquid: corrects its pressure, and moves by the difference.
            f.batch = color_batch(colors.len(), colors.len(), iteration, params.iterations);
            f.liquid(s);
            f.batch = substep;
            if free > 0 {
                f.run_listed("contacts/solve_particles", "loads", state::touching_particles(s));
            }
            // One thread empties the lists of what touches.
            f.run("contacts/apply_bodies", s.bodies.max(1));
            f.run("contacts/apply_particles", free);
            // Particles against surfaces of free particles.
            f.run_surfaces("surfaces/update", "surfaces/update_bodies", s);
            f.run_surfaces("surfaces/solve", "surfaces/solve_bodies", s);
            f.run("surfaces/apply", if s.triangle_leaves > 0 { s.particles } else { 0 });
            f.run("surfaces/apply_bodies", met);
            // Joints: Gauss-Seidel between rigid states, or the published mean.
            match params.joints {
                JointSolver::Point => f.run("articulations/solve", 32 * s.clusters),
                JointSolver::Average => {
                    f.run("particles/place", if s.clusters > 0 { on_bodies } else { 0 });
                    f.run("bodies/fit", if s.clusters > 0 { s.bodies } else { 0 });
                }
            }
        }
        f.batch = substep;
        // Nothing crosses a surface.
        if s.bodies_meet_triangles() {
            f.run_listed("ccd/push_ahead", "surface_list", state::BODY_LIST);
            f.run("ccd/follow", s.particles);
            f.run("surfaces/apply_bodies", met);
        }
        if s.triangle_leaves > 0 {
            f.run_surfaces("ccd/bound", "ccd/bound_bodies", s);
            f.run("ccd/truncate", s.particles);
            f.run("ccd/truncate_bodies", met);
            f.bound_again(s, ROUNDS[0]);
            f.run("ccd/check_margin", s.particles);
            f.run("ccd/check_margin_bodies", met);
            f.run("ccd/rebuild", 1);
            for (kernel, args) in search_again(s).into_iter().map(|pass| pass.0).zip(searching.len() as u32..) {
                f.passes.push(Pass { kernel, work: Work::WhenSearching { args }, batch: substep });
            }
            f.find_surfaces();
            f.bound_again(s, ROUNDS[1]);
            f.run("ccd/reset", s.particles.max(s.bodies));
        }
        // What liquid does to velocities.
        f.run("fluid/motion", s.confined);
        f.run("fluid/vorticity", s.confined);
        f.run("fluid/confine", s.confined);
        let sweeps = fluid::sweeps(s.drag_rate, s.pull_rate, params.substep_dt());
        for _ in 0..sweeps {
            f.run("fluid/motion", s.fluid_particles);
            f.run("fluid/viscosity", s.fluid_particles);
        }
        if sweeps > 0 {
            f.run("fluid/drag", s.fluid_particles);
        }
    }
    f.batch = 0;
    f.run("constraints/plasticity", s.plastic);
    f.run("bodies/finish", s.bodies);
    f.run("sleep/bodies", s.assemblies);
    f.run("particles/finish", free);
    f.run("sleep/stir", if s.sleepers > 0 { s.proxies } else { 0 });
    f.run("sleep/particles", sleepy);
    f.run("particles/place", on_bodies);
    f.passes
}

/// The row of `batch` for a color in an iteration: after those of the substeps come four blocks of colors, for iterations
/// that are first or not, and last or not. The row after the last color is that of the others, then come the types of global
/// constraints.
pub(super) fn color_batch(color: usize, colors: usize, iteration: u32, iterations: u32) -> u32 {
    let block = usize::from(iteration > 0) + 2 * usize::from(iteration + 1 == iterations);
    (MOST_SUBSTEPS + block * (colors + 1 + GLOBAL_TYPES.len()) + color) as u32
}

/// The list being written.
struct Frame {
    passes: Vec<Pass>,
    batch: u32,
}

impl Frame {
    fn run(&mut self, kernel: &'static str, threads: u32) {
        if threads > 0 {
            self.passes.push(Pass { kernel, work: Work::Threads(threads), batch: self.batch });
        }
    }

    fn liquid(&mut self, s: &Sizes) {
        let on_bodies = if s.bodies > 0 { s.fluid_particles } else { 0 };
        self.run("fluid/gather", s.fluid_particles);
        self.run("fluid/boundary", s.fluid_particles);
        self.run("fluid/density", s.fluid_particles);
        self.run("fluid/solve", s.fluid_particles);
        self.run("fluid/push", on_bodies);
    }

    /// A pass over pairs of features of free particles, and its like for those of bodies.
    fn run_surfaces(&mut self, free: &'static str, of_bodies: &'static str, s: &Sizes) {
        if s.triangle_leaves > 0 {
            self.run_listed(free, "surface_list", 0);
        }
        if s.bodies_meet_triangles() {
            self.run_listed(of_bodies, "surface_list", state::BODY_LIST);
        }
    }

    /// What the search of surfaces listed, as pairs of features.
    fn find_surfaces(&mut self) {
        self.run_listed("surfaces/candidates", "leaf_pairs", 0);
        self.run_listed("surfaces/narrow_phase", "surface_candidates", 0);
    }

    /// Bounds ways again for those that others rely on, as long as there are any.
    fn bound_again(&mut self, s: &Sizes, substeps: u32) {
        for _ in 0..substeps {
            self.run("ccd/bound_again", 1);
            self.run_listed("ccd/bound", "surface_list", state::AGAIN);
            if s.bodies_meet_triangles() {
                self.run_listed("ccd/bound_bodies", "surface_list", state::AGAIN + 4);
            }
            self.run_listed("ccd/truncate", "surface_list", state::AGAIN + 8);
            self.run("ccd/truncate_bodies", if s.bodies_meet_triangles() { s.bodies } else { 0 });
        }
    }

    fn run_listed(&mut self, kernel: &'static str, list: &'static str, at: u32) {
        self.passes.push(Pass { kernel, work: Work::Listed { list, at }, batch: self.batch });
    }
}

/// The kernel of a pass, and which of its variables stand for other buffers.
pub(super) fn kernel_of(pass: &'static str) -> (&'static str, &'static [(&'static str, &'static str)]) {
    fluid::REPEATED
        .iter()
        .find(|(name, ..)| *name == pass)
        .map_or((pass, &[]), |(_, kernel, renamed)| (kernel, renamed))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scene that has everything.
    fn full() -> Sizes {
        Sizes {
            particles: 9,
            proxies: 3,
            free_particles: 1,
            meeting_balls: 1,
            candidate_capacity: 1,
            bodies: 2,
            assemblies: 1,
            colliders: 1,
            attached_bodies: 1,
            plastic: 1,
            hybrid: 1,
            objects: 1,
            triangle_leaves: 1,
            full_leaves: 2,
            leaf_cells: 1,
            leaves: 1,
            leaf_size: 1.0,
            tears: 1,
            clusters: 1,
            cells: 1024,
            sailing: 1,
            fluid_particles: 1,
            fluid_cells: 1024,
            drag_rate: 1000.0,
            pull_rate: 0.0,
            confined: 1,
            emitters: 1,
            drains: 1,
            sleepers: 1,
        }
    }

    /// A row of every type.
    fn global() -> Vec<GlobalPass> {
        GLOBAL_TYPES.iter().map(|kind| GlobalPass { kernel: kind.shader, count: 1 }).collect()
    }

    /// The name of a kernel in the list of kernels.
    fn told_as(kernel: &'static str) -> &'static str {
        if GLOBAL_TYPES.iter().any(|kind| kind.shader == kernel) { global::PASSES } else { kernel }
    }

    #[test]
    fn the_guide_tells_every_pass_in_order() {
        let page = include_str!("../guide/step.md");
        let told: Vec<&str> = page.lines().filter_map(|l| l.strip_prefix("| `")?.split('`').next()).collect();
        assert_eq!(told, KERNELS);
    }

    #[test]
    fn a_frame_runs_known_kernels_only() {
        for joints in [JointSolver::Point, JointSolver::Average] {
            let params = Params { joints, ..Params::default() };
            let passes = frame(&full(), &params, &[3, 2], &global(), true, true);
            assert!(passes.iter().all(|p| KERNELS.contains(&told_as(p.kernel))));
            assert_eq!(passes.iter().filter(|p| p.kernel == "search/decide").count(), params.substeps as usize);
        }
    }

    #[test]
    fn kernels_are_named_in_the_order_of_a_frame() {
        let mut seen: Vec<&str> = Vec::new();
        for pass in frame(&full(), &Params::default(), &[3], &global(), true, true) {
            if !seen.contains(&told_as(pass.kernel)) {
                seen.push(told_as(pass.kernel));
            }
        }
        // Shape matching replaces the other joint solver.
        let named: Vec<&str> = KERNELS.iter().copied().filter(|name| *name != "bodies/fit").collect();
        assert_eq!(seen, named);
    }
}
