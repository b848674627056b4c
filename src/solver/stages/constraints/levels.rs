//! Coarse levels of the hierarchical solver as the GPU holds them: nodes, lengths between them, and what follows them.

use super::Solved;
use crate::constraints::{Levels, Node};
pub(in crate::solver) use crate::gpu::wgsl::constraints::level::{
    LevelHeir as HeirRow, LevelLeaf as LeafRow, LevelLength as LengthRow, LevelLink as LinkRow, LevelNode as NodeRow,
    LevelPull as PullRow, LevelStep as StepRow, Softness as SoftnessRow,
};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::Scene;
use crate::solver::stages::ground::NONE;
use crate::solver::stages::rows::Batch;
use crate::solver::stages::stage::{Frame, Pass};

static RESTRICT: Pass = Pass::new("constraints/level_restrict");
static COARSE: Pass = Pass::new("constraints/level_coarse");
pub(in crate::solver) static PROLONG: Pass = Pass::new("constraints/level_prolong");
pub(in crate::solver) static PROJECT: Pass = Pass::new("constraints/level_project");
static INHERIT: Pass = Pass::new("constraints/level_inherit");

/// Most nodes of a level that one workgroup takes with all coarser ones: a level of more keeps a whole card busy.
const SMALL: usize = 1024;

/// Levels in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct LevelSizes {
    /// Of all coarse levels; 0 without any.
    pub(in crate::solver) nodes: u32,
    /// Whether some are small.
    pub(in crate::solver) small: bool,
    /// Dispatches of the large ones, which stand after the colors in what is solved.
    pub(in crate::solver) large: u32,
    /// Particles that follow, or rows that bear what is handed down: what is more.
    pub(in crate::solver) heirs: u32,
    /// Threads of the workgroup that takes the small ones.
    pub(in crate::solver) lanes: u32,
}

impl LevelSizes {
    /// From the coarsest level to the particles, once. `large` are the dispatches of large levels, whose rows of `batch` begin at `first`.
    pub(in crate::solver) fn solve(&self, f: &mut Frame, large: &[Solved], first: u32) {
        f.run(&RESTRICT, self.nodes);
        f.run_in_iteration(&COARSE, if self.small { self.lanes } else { 0 });
        for (solved, place) in large.iter().zip(first..) {
            f.run_color(solved.pass, solved.count, place);
        }
        f.run_in_iteration(&INHERIT, self.heirs);
    }
}

/// Where a row of constraints is.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Seat {
    /// Among all rows.
    pub(in crate::solver) row: u32,
    /// Its compliance; how many times as far is not said.
    pub(in crate::solver) soft: SoftnessRow,
}

/// Coarse levels, the coarsest first.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct LevelTables {
    pub(in crate::solver) nodes: Vec<NodeRow>,
    pub(in crate::solver) links: Vec<LinkRow>,
    pub(in crate::solver) lengths: Vec<LengthRow>,
    pub(in crate::solver) leaves: Vec<LeafRow>,
    pub(in crate::solver) heirs: Vec<HeirRow>,
    /// Of the small levels.
    pub(in crate::solver) steps: Vec<StepRow>,
    /// Dispatches of the others: the pass, the first node or length, and how many.
    large: Vec<(&'static Pass, u32, u32)>,
}

impl LevelTables {
    /// As the scene asks for. `phantoms` are the first phantom of each particle and their number; `heirs` all rows of
    /// types of which some keep a distance, with the length of each [m]; `seat` says where a constraint of the scene is.
    pub(in crate::solver) fn new(
        scene: &Scene,
        phantoms: &[[u32; 2]],
        heirs: &[(u32, f32)],
        seat: impl Fn(u32) -> Seat,
        sharing: impl Fn(u32) -> f32,
    ) -> Self {
        let positions: Vec<_> = scene.particles.iter().map(|p| p.position).collect();
        let masses: Vec<_> = scene.particles.iter().map(|p| p.mass).collect();
        let mut torn = vec![false; scene.constraints.len()];
        scene.tears.iter().for_each(|tear| torn[tear.constraint as usize] = true);
        let count = scene.params.levels;
        let levels = Levels::new(&scene.constraints, &positions, &masses, |i| torn[i], count);
        let mut tables = Self::default();
        if levels.coarse.is_empty() {
            return tables;
        }
        tables.lay(&levels, &seat, sharing);
        let mut parents = vec![NONE; scene.constraints.len()];
        // The finest coarse level stands last.
        let first = tables.lengths.len() - levels.coarse[0].lengths.len();
        levels.handed.iter().for_each(|(row, parent)| parents[*row as usize] = first as u32 + parent);
        for (constraint, length) in heirs {
            let Seat { row, soft } = seat(*constraint);
            let parent = parents.get(*constraint as usize).copied().unwrap_or(NONE);
            tables.heirs.push(HeirRow { row, parent, soft, length: *length });
        }
        // In the order in which they lie in memory.
        tables.heirs.sort_unstable_by_key(|heir| heir.row);
        let first = tables.nodes.len() - levels.coarse[0].nodes.len();
        for leaf in &levels.leaves {
            let [first_phantom, phantoms] = phantoms[leaf.particle as usize];
            let (at, count) = tables.link(leaf, first as u32);
            tables.leaves.push(LeafRow { particle: leaf.particle, first: at, count, first_phantom, phantoms });
        }
        tables
    }

    /// Nodes and lengths, the coarsest level first.
    pub(in crate::solver) fn lay(
        &mut self,
        levels: &Levels,
        seat: &impl Fn(u32) -> Seat,
        sharing: impl Fn(u32) -> f32,
    ) {
        let (mut coarser_nodes, mut coarser_lengths) = (0, 0);
        for level in levels.coarse.iter().rev() {
            let (node, length) = (self.nodes.len() as u32, self.lengths.len() as u32);
            for own in &level.nodes {
                let (first, count) = self.link(own, coarser_nodes);
                let share = own.share / sharing(own.particle);
                self.nodes.push(NodeRow { particle: own.particle, share, first, count });
            }
            self.lengths.extend(level.lengths.iter().map(|own| LengthRow {
                a: node + own.nodes[0],
                b: node + own.nodes[1],
                parent: own.parent.map_or(NONE, |parent| coarser_lengths + parent),
                soft: SoftnessRow { factor: own.factor, ..seat(own.source).soft },
                length: own.length,
            }));
            self.step(level.nodes.len(), node, length, &level.color_starts);
            (coarser_nodes, coarser_lengths) = (node, length);
        }
    }

    fn link(&mut self, node: &Node, first: u32) -> (u32, u32) {
        let at = self.links.len() as u32;
        self.links.extend(node.links.iter().map(|link| LinkRow { node: first + link.node, weight: link.weight }));
        (at, node.links.len() as u32)
    }

    /// What solves a level.
    fn step(&mut self, nodes: usize, first_node: u32, first_length: u32, color_starts: &[u32]) {
        let colors = color_starts.windows(2).map(|range| (first_length + range[0], range[1] - range[0]));
        // Levels get larger: what comes after a large one is large too.
        if nodes > SMALL || !self.large.is_empty() {
            self.large.push((&PROLONG, first_node, nodes as u32));
            self.large.extend(colors.map(|(first, count)| (&PROJECT, first, count)));
            return;
        }
        let mut nodes = nodes as u32;
        for (first_length, lengths) in colors {
            self.steps.push(StepRow { first_node, nodes, first_length, lengths });
            // They follow once.
            nodes = 0;
        }
    }

    /// What is left of them in a frame.
    pub(in crate::solver) fn sizes(&self, lanes: u32) -> LevelSizes {
        LevelSizes {
            nodes: self.nodes.len() as u32,
            small: !self.steps.is_empty(),
            large: self.large.len() as u32,
            heirs: self.leaves.len().max(self.heirs.len()) as u32,
            lanes,
        }
    }

    /// The dispatches of large levels.
    pub(in crate::solver) fn solved(&self) -> impl Iterator<Item = Solved> {
        self.large.iter().map(|(pass, _, count)| Solved { pass, count: *count, color: 0 })
    }

    /// Their rows of `batch`.
    pub(in crate::solver) fn batches(&self) -> impl Iterator<Item = Batch> {
        self.large.iter().map(|(_, first, count)| Batch { first: *first, count: *count, ..Batch::default() })
    }

    /// Makes the buffers of levels.
    pub(in crate::solver) fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create_with("level_nodes", &self.nodes)?; // [level_node_count] of all coarse levels, the coarsest first
        b.create_with("level_links", &self.links)?; // what they, and particles, follow
        b.create_with("level_lengths", &self.lengths)?; // [level_length_count] between them, color after color
        b.create_with("level_leaves", &self.leaves)?; // particles that follow the finest of them
        b.create_with("level_heirs", &self.heirs)?; // rows of constraints that bear what the finest of them do
        b.create_with("level_steps", &self.steps)?; // what one workgroup does of the small ones
        b.create::<[f32; 4]>("level_places", self.nodes.len(), none)?; // [level_node_count] [m], 1/mass
        b.create::<[f32; 4]>("level_moves", self.nodes.len(), none)?; // [level_node_count] moved by them [m]
        b.create::<PullRow>("level_pulls", self.lengths.len(), none) // [level_length_count] what they did
    }
}
