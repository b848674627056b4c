//! Counters that come back a fixed number of frames late, and what the solver says about itself.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::late::Late;
use crate::gpu::{Buffers, Context, wgpu};
use crate::scene::JointKind;
use crate::solver::stages::constraints;
use crate::solver::stages::rows::Control as ControlRow;
use crate::solver::step::Woken;
use crate::solver::{Solver, SolverError};

/// Frames between a counter and its use. Fixed, so that growing a list happens in the same frame of every run.
pub(in crate::solver) const LATENCY: u64 = 3;

/// What found no room in the last search, by the list that was full. Lists grow for the frames after, but for those that say how long
/// they are at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dropped {
    /// Bodies and particles near a free particle, or near one of the balls that a body is searched by: at most 124 are looked at.
    pub candidates: u32,
    /// Colliders near such a ball beyond 132 less what else is near, and colliders and triangles of them beyond the 6 that a particle of
    /// a body touches. The nearest are kept: what is left out is behind them.
    pub colliders: u32,
    /// Contacts of a particle with bodies and other particles, at most 64.
    pub contacts: u32,
    /// Pairs of surfaces: of their triangles, or groups of those.
    pub surfaces: u32,
    /// Contacts that particles of others have with a body; those of the lowest bodies are kept, those of free particles come last.
    pub on_bodies: u32,
    /// Contacts with bodies beyond as many as a body can touch at once; those of the lowest bodies are kept.
    pub pairs: u32,
    /// Neighbors in liquid.
    pub liquid: u32,
}

impl Dropped {
    /// Each list by its name.
    pub fn by_name(&self) -> [(&'static str, u32); 7] {
        let Self { candidates, colliders, contacts, surfaces, on_bodies, pairs, liquid } = *self;
        [
            ("candidates", candidates),
            ("colliders", colliders),
            ("contacts", contacts),
            ("surfaces", surfaces),
            ("on bodies", on_bodies),
            ("pairs", pairs),
            ("liquid", liquid),
        ]
    }

    /// The larger of the two for each list.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        Self {
            candidates: self.candidates.max(other.candidates),
            colliders: self.colliders.max(other.colliders),
            contacts: self.contacts.max(other.contacts),
            surfaces: self.surfaces.max(other.surfaces),
            on_bodies: self.on_bodies.max(other.on_bodies),
            pairs: self.pairs.max(other.pairs),
            liquid: self.liquid.max(other.liquid),
        }
    }
}

impl fmt::Display for Dropped {
    /// The lists that were full, with how much found no room; nothing where none was.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full = self.by_name().into_iter().filter(|(_, count)| *count > 0);
        let told: Vec<String> = full.map(|(name, count)| format!("{name} {count}")).collect();
        f.write_str(&told.join(", "))
    }
}

/// What went wrong in a world; all zero is healthy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Bodies and particles restored after a value that was no number, and frames in which an equation of a user's constraints gave
    /// none, since the start.
    pub non_finite: u32,
    /// Contacts of particles and surfaces that found no room in the last search.
    pub contacts_dropped: u32,
    /// Contacts or pairs that found no slot of the body they touch, and neighbors in liquid that found no slot of their
    /// particle, in the last search.
    pub neighbors_dropped: u32,
    /// Both of these, by the list that was full.
    pub dropped: Dropped,
    /// Bodies and particles stopped at the end of the world, since the start.
    pub out_of_bounds: u32,
    /// Vertices of cloth that should have split and found no spare particle, since the start; each holds from then on and counts once.
    /// See [`Deformable::spares`](crate::scene::Deformable::spares).
    pub tears_dropped: u32,
    /// Particles that surfaces pushed by more than 15 m in a substep, since the start: such sums are cut off at 31 m.
    pub sums_cut: u32,
    /// Joints broken since the start; not a fault.
    pub broken_joints: u32,
    /// Assemblies awake in the last frame; not a fault.
    pub awake: u32,
    /// Contact searches since the start; not a fault.
    pub searches: u32,
    /// Searches for neighbors in liquid since the start; not a fault.
    pub liquid_searches: u32,
}

impl Health {
    /// Whether nothing was dropped, lost or restored.
    pub fn is_good(&self) -> bool {
        let Self { non_finite, contacts_dropped, neighbors_dropped, out_of_bounds, tears_dropped, sums_cut, .. } =
            *self;
        [non_finite, contacts_dropped, neighbors_dropped, out_of_bounds, tears_dropped, sums_cut] == [0; 6]
    }
}

impl ControlRow {
    /// What outlives the buffers: the rest speaks of lists that are made anew.
    pub(in crate::solver) fn since_start(&self) -> Self {
        Self {
            non_finite: self.non_finite,
            out_of_bounds: self.out_of_bounds,
            joints_broken: self.joints_broken,
            searches: self.searches,
            liquid_searches: self.liquid_searches,
            substeps: self.substeps,
            let_go: self.let_go,
            sums_cut: self.sums_cut,
            tears_dropped: self.tears_dropped,
            tears_due: self.tears_due,
            ..Self::default()
        }
    }
}

impl From<&ControlRow> for Dropped {
    fn from(c: &ControlRow) -> Self {
        Self {
            candidates: c.candidates_dropped,
            colliders: c.colliders_dropped,
            contacts: c.contacts_dropped,
            surfaces: c.surfaces_dropped,
            on_bodies: c.neighbors_dropped,
            pairs: c.manifolds_dropped,
            liquid: c.liquid_dropped,
        }
    }
}

impl From<&ControlRow> for Health {
    fn from(c: &ControlRow) -> Self {
        Self {
            non_finite: c.non_finite,
            contacts_dropped: c.candidates_dropped + c.colliders_dropped + c.contacts_dropped + c.surfaces_dropped,
            neighbors_dropped: c.neighbors_dropped + c.manifolds_dropped + c.liquid_dropped,
            dropped: Dropped::from(c),
            out_of_bounds: c.out_of_bounds,
            tears_dropped: c.tears_dropped,
            sums_cut: c.sums_cut,
            broken_joints: c.joints_broken,
            awake: c.awake,
            searches: c.searches,
            liquid_searches: c.liquid_searches,
        }
    }
}

/// Sizes of a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Particles.
    pub particles: u32,
    /// Bodies.
    pub bodies: u32,
    /// Joints.
    pub joints: u32,
    /// Triangles drawn.
    pub triangles: u32,
    /// Constraints by type.
    pub constraints: Vec<(String, u32)>,
    /// Colors by type.
    pub colors: Vec<(String, u32)>,
    /// Dispatches a frame, those that the GPU may skip included.
    pub dispatches_per_frame: u32,
    /// Those of them that solve constraints between particles.
    pub constraint_dispatches: u32,
}

/// A control row on its way back. A state that was saved meanwhile has it too: who asks first waits for it.
#[derive(Debug)]
pub(in crate::solver) struct Sent {
    late: Option<Arc<Late>>,
    row: OnceLock<Option<ControlRow>>,
}

impl Sent {
    /// One that is here.
    pub(in crate::solver) fn here(row: Option<ControlRow>) -> Arc<Self> {
        Arc::new(Self { late: None, row: OnceLock::from(row) })
    }

    /// The row; none of a lost device.
    pub(in crate::solver) fn row(&self) -> Option<ControlRow> {
        let receive = || Some(bytemuck::pod_read_unaligned(&self.late.as_ref()?.receive()?));
        if self.row.get().is_none() && !self.late.as_ref().is_none_or(|late| late.is_ready()) {
            return None;
        }
        *self.row.get_or_init(receive)
    }
}

/// Copies of the control row on their way back.
#[derive(Debug)]
pub(in crate::solver) struct Readback {
    context: Context,
    /// Room for those under way.
    ring: Vec<Arc<Late>>,
    /// Those that were not taken yet, by frame.
    sent: BTreeMap<u64, Arc<Sent>>,
    last: ControlRow,
}

impl Readback {
    pub(in crate::solver) fn new(context: &Context) -> Self {
        let size = size_of::<ControlRow>() as u64;
        let late = |_| Arc::new(Late::new(context, "control readback", size));
        let ring = (0..=LATENCY).map(late).collect();
        Self { context: context.clone(), ring, sent: BTreeMap::new(), last: ControlRow::default() }
    }

    /// Drops what is under way: it speaks of buffers that are gone.
    pub(in crate::solver) fn forget(&mut self) {
        let last = self.last;
        *self = Self::new(&self.context.clone());
        self.last = last;
    }

    /// What was sent and not taken yet, by frame.
    pub(in crate::solver) fn sent(&self) -> &BTreeMap<u64, Arc<Sent>> {
        &self.sent
    }

    /// Goes on with these.
    pub(in crate::solver) fn resume(&mut self, last: ControlRow, sent: BTreeMap<u64, Arc<Sent>>) {
        self.forget();
        (self.last, self.sent) = (last, sent);
    }

    /// The counters that came back last.
    pub(in crate::solver) fn control(&self) -> ControlRow {
        self.last
    }

    pub(in crate::solver) fn copy(&mut self, encoder: &mut wgpu::CommandEncoder, buffers: &Buffers, frame: u64) {
        let late = &self.ring[(frame % (LATENCY + 1)) as usize];
        let Ok(control) = buffers.get("control") else { return };
        late.send(encoder, control);
        self.sent.insert(frame, Arc::new(Sent { late: Some(Arc::clone(late)), row: OnceLock::new() }));
    }

    /// The counters of `LATENCY` frames ago. They have long arrived unless the GPU is that far behind; then waiting
    /// keeps the run reproducible and the queue short.
    pub(in crate::solver) fn take(&mut self, frame: u64) -> Option<ControlRow> {
        let sent = self.sent.remove(&frame.checked_sub(LATENCY)?)?;
        self.last = sent.row()?;
        Some(self.last)
    }
}

impl Solver {
    /// Counters as of a few frames ago; never waits.
    pub fn health(&self) -> Health {
        Health::from(&self.readback.last)
    }

    /// Waits for the GPU and reads the counters as of now.
    ///
    /// # Errors
    /// A lost device.
    pub fn read_health(&self) -> Result<Health, SolverError> {
        let c = self.read_control()?;
        Ok(Health::from(&c))
    }

    pub(in crate::solver) fn read_control(&self) -> Result<ControlRow, SolverError> {
        Ok(self.buffers.read("control")?.first().copied().unwrap_or_default())
    }

    /// Bytes of each buffer on the device, largest first.
    pub fn memory(&self) -> Vec<(&'static str, u64)> {
        let mut sizes: Vec<_> = self.buffers.sizes().collect();
        sizes.sort_by_key(|(name, bytes)| (std::cmp::Reverse(*bytes), *name));
        sizes
    }

    /// Sizes of the world.
    pub fn counts(&self) -> Counts {
        let scene = &self.scene;
        let kind = |kind| scene.joints.iter().filter(|j| j.desc.kind == kind).count() as u32;
        let constraints = JointKind::ALL
            .map(|k| (k.name().to_owned(), kind(k)))
            .into_iter()
            .chain(self.constraints.counts_by_type())
            .chain([("attachment".into(), scene.attachments.len() as u32)])
            .chain(self.constraints.global.counts())
            .filter(|(_, n)| *n > 0)
            .collect();
        let triangles =
            |i: &crate::scene::Instance| i.model.primitives.iter().map(|p| p.indices.len() / 3).sum::<usize>();
        let dispatches = self.dispatches_now(Woken::Nothing);
        Counts {
            particles: self.stages.particles.world.particles,
            bodies: self.stages.bodies.bodies,
            joints: scene.joints.len() as u32,
            triangles: scene.instances.iter().map(triangles).sum::<usize>() as u32,
            constraints,
            colors: [("joints", self.joints.colors), ("merged", self.constraints.color_count())]
                .into_iter()
                .filter(|(_, n)| *n > 0)
                .map(|(name, n)| (name.into(), n))
                .collect(),
            constraint_dispatches: dispatches.iter().filter(|d| constraints::solves(d.pass.name)).count() as u32,
            dispatches_per_frame: dispatches.len() as u32,
        }
    }

    /// Times every pass from now on, or stops; costs a little, because each dispatch becomes a pass of its own.
    pub fn set_timing(&mut self, on: bool) {
        if on != self.timer.is_some() {
            self.timer = on.then(|| crate::gpu::Timer::new(&self.context));
        }
    }

    /// Median GPU time of each kernel in a frame [ms], in the order they run; empty without timestamps or while
    /// timing is off.
    pub fn pass_times(&self) -> Vec<(String, f64)> {
        self.timer.as_ref().map(crate::gpu::Timer::medians).unwrap_or_default()
    }
}
