//! What a stage is: a module that owns the folder of `shaders/` of its name. It declares each of its passes once, turns a scene
//! into the rows of its buffers (its tables), makes those buffers, and says what it runs in a frame from the sizes that are
//! left once the rows are on the GPU. A stage knows the ground and none of the others; `step.rs` calls them in order.

use super::ground::MOST_SUBSTEPS;
use crate::gpu::wgsl::common::list::ListHead;
use crate::gpu::wgsl::search::searching;

/// A pass as its stage declares it.
#[derive(Debug)]
pub(in crate::solver) struct Pass {
    /// Path of its shader, or for one that runs the kernel of another on other buffers, its own name.
    pub(in crate::solver) name: &'static str,
    /// The shader.
    pub(in crate::solver) kernel: &'static str,
    /// Which of the kernel's variables stand for other buffers.
    pub(in crate::solver) renamed: &'static [(&'static str, &'static str)],
}

impl Pass {
    /// The pass of a shader.
    pub(in crate::solver) const fn new(name: &'static str) -> Self {
        Self { name, kernel: name, renamed: &[] }
    }

    /// A pass that runs the kernel of another one: each pair is a variable and the buffer it stands for.
    pub(in crate::solver) const fn again(
        name: &'static str,
        kernel: &'static str,
        renamed: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { name, kernel, renamed }
    }
}

impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// A list that the GPU makes: its head, the groups to dispatch over it and its length, is at word `head` of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) struct List {
    pub(in crate::solver) buffer: &'static str,
    pub(in crate::solver) head: u32,
}

impl List {
    /// One of the lists whose heads the buffer begins with.
    pub(in crate::solver) const fn of(buffer: &'static str, list: u32) -> Self {
        Self::at(buffer, list as usize * size_of::<ListHead>())
    }

    /// The list whose head is so many bytes into the buffer.
    pub(in crate::solver) const fn at(buffer: &'static str, offset: usize) -> Self {
        Self { buffer, head: offset as u32 / 4 }
    }
}

/// What makes the GPU run a pass of a search, or leave it out; decided in `search/decide`, of surfaces in `surfaces/plan` and
/// `surfaces/decide`, of what tears in `constraints/tear_decide`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) enum Trigger {
    /// Something moved farther than its margin.
    Contacts = 0,
    /// Liquid may have new neighbors.
    Liquid = searching::OF_LIQUID as isize,
    /// Something left the way that the search of surfaces counted on.
    Surfaces = searching::OF_SURFACES as isize,
    /// Something is stretched so far that it tears.
    Tears = searching::OF_TEARS as isize,
}

/// A pass that the GPU runs or leaves out, of so many threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solver) struct Gate {
    pub(in crate::solver) pass: &'static Pass,
    pub(in crate::solver) trigger: Trigger,
    pub(in crate::solver) threads: u32,
}

/// How much work a dispatch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) enum Work {
    /// So many threads.
    Threads(u32),
    /// All threads or none, by this row of `search_args`.
    Gated(u32),
    /// One thread for each entry of a list.
    Listed(List),
}

/// One dispatch: a pass, its size and its row of `batch`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solver) struct Dispatch {
    pub(in crate::solver) pass: &'static Pass,
    pub(in crate::solver) work: Work,
    pub(in crate::solver) batch: u32,
}

/// A frame as it is written down, one dispatch after the other.
#[derive(Debug, Default)]
pub(in crate::solver) struct Frame {
    pub(in crate::solver) dispatches: Vec<Dispatch>,
    /// Rows of `search_args`.
    pub(in crate::solver) gates: Vec<Gate>,
    substep: u32,
    /// Row of `batch` of this substep and iteration.
    row: u32,
    /// First row of `batch` of the colors in this iteration.
    first_color: u32,
    /// How many colors there are, and sweeps of global constraints.
    colors: u32,
    globals: u32,
}

impl Frame {
    /// A frame for constraints of so many colors, and sweeps of global ones.
    pub(in crate::solver) fn new(colors: u32, globals: u32) -> Self {
        Self { colors, globals, ..Self::default() }
    }

    /// What follows belongs to this substep.
    pub(in crate::solver) fn begin_substep(&mut self, substep: u32) {
        self.substep = substep;
        self.row = substep;
    }

    /// What follows belongs to this iteration of the substep.
    pub(in crate::solver) fn begin_iteration(&mut self, iteration: u32, iterations: u32) {
        self.row = self.substep + if iteration > 0 { MOST_SUBSTEPS as u32 } else { 0 };
        let block = u32::from(iteration > 0) + 2 * u32::from(iteration + 1 == iterations);
        self.first_color = color_row(block, self.colors, self.globals, 0);
    }

    /// Runs a pass; nothing for no threads.
    pub(in crate::solver) fn run(&mut self, pass: &'static Pass, threads: u32) {
        self.push(pass, threads, self.row);
    }

    /// Runs a pass that is told which iteration it is in, not which substep.
    pub(super) fn run_in_iteration(&mut self, pass: &'static Pass, threads: u32) {
        self.push(pass, threads, self.first_color + self.colors);
    }

    /// Runs a pass on the constraints of a color.
    pub(super) fn run_color(&mut self, pass: &'static Pass, threads: u32, color: u32) {
        self.push(pass, threads, self.first_color + color);
    }

    /// Runs a pass on the global constraints of a sweep.
    pub(super) fn run_global(&mut self, pass: &'static Pass, threads: u32, sweep: u32) {
        self.push(pass, threads, self.first_color + self.colors + 1 + sweep);
    }

    /// Runs a pass over a list that the GPU makes.
    pub(super) fn run_listed(&mut self, pass: &'static Pass, list: List) {
        self.dispatches.push(Dispatch { pass, work: Work::Listed(list), batch: self.row });
    }

    /// Runs a pass if the GPU finds that its time has come; nothing for no threads.
    pub(super) fn run_when(&mut self, trigger: Trigger, pass: &'static Pass, threads: u32) {
        if threads == 0 {
            return;
        }
        let gate = Gate { pass, trigger, threads };
        let row = self.gates.iter().position(|known| *known == gate).unwrap_or_else(|| {
            self.gates.push(gate);
            self.gates.len() - 1
        });
        self.dispatches.push(Dispatch { pass, work: Work::Gated(row as u32), batch: self.row });
    }

    fn push(&mut self, pass: &'static Pass, threads: u32, batch: u32) {
        if threads > 0 {
            self.dispatches.push(Dispatch { pass, work: Work::Threads(threads), batch });
        }
    }
}

/// The row of `batch` for a color: after those of the substeps, in their first iterations and in later ones, come four blocks of colors, for iterations that are first or
/// not (1), and last or not (2). The row after the last color is that of all else in the iteration, then come the sweeps of global
/// constraints.
pub(in crate::solver) fn color_row(block: u32, colors: u32, globals: u32, color: u32) -> u32 {
    2 * MOST_SUBSTEPS as u32 + block * (colors + 1 + globals) + color
}
