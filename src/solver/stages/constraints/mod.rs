//! Constraints of a scene as the GPU holds them: rows in solving order, and a kernel for each type.

pub(in crate::solver) mod global;
pub(in crate::solver) mod levels;
pub(in crate::solver) mod objects;
pub(in crate::solver) mod plasticity;
pub(in crate::solver) mod tear;
pub(in crate::solver) mod users;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::ground::{MOST_SUBSTEPS, NONE, lanes};
use super::rows::{Batch, vec4};
use super::stage::{Frame, Pass};
use crate::constraints::{
    MOST_VALUES, Partition, Partitioned, PlasticTetrahedron, Row, TYPES, Type, place_of, stiffness_place, types_of,
};
use crate::gpu::wgsl::common::color::Color;
use crate::gpu::wgsl::common::workgroup_sum::SUM_WIDTH;
use crate::gpu::wgsl::constraints::attach::{AttachedBody as AttachedBodyRow, Attachment as AttachmentRow};
use crate::gpu::wgsl::constraints::history::History as HistoryRow;
use crate::gpu::wgsl::constraints::object::SLICE_THREADS;
use crate::gpu::wgsl::constraints::phantoms::{PHANTOMS_HYBRID, Start as StartRow};
use crate::gpu::{Buffers, Context, GpuError, shader, wgpu::BufferUsages};
use crate::scene::{Attachment, Follower, Integrator, Params, Particle, Scene, Seams, When};

use global::{GlobalTables, SWEEPS};
use levels::{LevelSizes, LevelTables, Seat, SoftnessRow};
use objects::{Objects, least_members};
use plasticity::{Inverse, PlasticRow};

static REMEMBER: Pass = Pass::new("constraints/remember");
static EXTRAPOLATE: Pass = Pass::new("constraints/extrapolate");
static BEGIN: Pass = Pass::new("constraints/begin");
/// Its kernel is made of all types that a scene has.
static CLUSTERS: Pass = Pass::new("constraints/clusters");
static SPLIT: Pass = Pass::new("constraints/split");
static ATTACH: Pass = Pass::new("constraints/attach");
static END: Pass = Pass::new("constraints/end");
static SETTLE: Pass = Pass::new("constraints/settle_objects");
static PLASTICITY: Pass = Pass::new("constraints/plasticity");

/// Constraints in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) attached_bodies: u32,
    /// Tetrahedra whose rest shape flows.
    pub(in crate::solver) plastic: u32,
    /// Global constraints of each sweep.
    pub(in crate::solver) global: [u32; SWEEPS],
    /// Whether the last color solves phantom particles that start where the others left theirs.
    pub(in crate::solver) hybrid: bool,
    /// Slices of what constraints join, and those of them that objects have.
    pub(in crate::solver) slices: u32,
    pub(in crate::solver) object_slices: u32,
    pub(in crate::solver) joined: u32,
    /// What tears.
    pub(in crate::solver) tears: tear::Sizes,
    /// Clusters, that solve all colors, or 0.
    pub(in crate::solver) clusters: u32,
    /// Threads of each.
    pub(in crate::solver) cluster_threads: u32,
    /// Whether what is joined is of the second order.
    pub(in crate::solver) second_order: bool,
    pub(in crate::solver) levels: LevelSizes,
}

/// Threads that solve a cluster: rows of a color that a graphics card solves at once. A software adapter goes from one bundle of lanes
/// to the next at each barrier: `report s0 --set partition=clusters` takes 1.1 times as long on llvmpipe with 32 threads.
fn cluster_threads(context: &Context) -> u32 {
    if context.info().kind == "software" { lanes(context) } else { 128 }
}

/// Rows that are solved at once, all of one type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solver) struct Solved {
    pub(in crate::solver) pass: &'static Pass,
    pub(in crate::solver) count: u32,
    /// Rows of several types may have the same.
    pub(in crate::solver) color: u32,
}

/// The pass that solves a type.
pub(in crate::solver) fn pass_of(kind: &'static Type) -> &'static Pass {
    static PASSES: LazyLock<Vec<Pass>> = LazyLock::new(|| TYPES.iter().map(|kind| Pass::new(kind.shader())).collect());
    if kind.user.is_some() { users::pass_of(kind) } else { &PASSES[kind.index()] }
}

impl Stage {
    /// Keeps where everything is that is of the second order, before anything acts on it in a substep.
    pub(in crate::solver) fn remember(&self, f: &mut Frame) {
        f.run(&REMEMBER, if self.second_order { self.joined } else { 0 });
    }

    /// Predicts it, after the first order has.
    pub(in crate::solver) fn extrapolate(&self, f: &mut Frame) {
        f.run(&EXTRAPOLATE, if self.second_order { self.joined } else { 0 });
    }

    /// Gauss–Seidel: coarse levels if there are any, then a dispatch for each color of each type, over all objects, then the same for
    /// global constraints.
    pub(in crate::solver) fn solve(&self, f: &mut Frame, solved: &[Solved]) {
        f.run(&BEGIN, SLICE_THREADS * self.slices);
        let (colors, large) = solved.split_at(solved.len() - self.levels.large as usize);
        self.levels.solve(f, large, colors.len() as u32);
        let last = colors.last().map(|solved| solved.color);
        let mut split = self.hybrid;
        if self.clusters > 0 {
            f.run_in_iteration(&CLUSTERS, self.cluster_threads * self.clusters);
        }
        for (solved, place) in colors.iter().zip(0..).filter(|_| self.clusters == 0) {
            if split && Some(solved.color) == last {
                f.run(&SPLIT, self.joined);
                split = false;
            }
            f.run_color(solved.pass, solved.count, place);
        }
        for ((kind, count), sweep) in global::sweep_kinds().zip(self.global).zip(0..) {
            f.run_global(&global::passes()[kind], SUM_WIDTH * count, sweep);
        }
        f.run_in_iteration(&ATTACH, self.attached_bodies);
        f.run_in_iteration(&END, SLICE_THREADS * self.slices);
        f.run_in_iteration(&SETTLE, SLICE_THREADS * self.object_slices);
    }

    /// Splits what is stretched too far, at the end of a substep.
    pub(in crate::solver) fn tear(&self, f: &mut Frame) {
        self.tears.run(f);
    }

    /// Rest shapes follow what was strained too far, once a frame.
    pub(in crate::solver) fn yield_shapes(&self, f: &mut Frame) {
        f.run(&PLASTICITY, self.plastic);
    }
}

/// The parameters that constraints are laid out for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::solver) struct MadeFor {
    pub(in crate::solver) partition: Partition,
    pub(super) integrator: Integrator,
    pub(in crate::solver) levels: u32,
}

impl MadeFor {
    pub(in crate::solver) fn of(params: &Params) -> Self {
        Self { partition: params.partition, integrator: params.integrator, levels: params.levels }
    }

    /// Puts them back.
    pub(in crate::solver) fn put(self, params: &mut Params) {
        (params.partition, params.integrator, params.levels) = (self.partition, self.integrator, self.levels);
    }
}

/// Whether a pass is of the solving of constraints, and not of what whole objects keep before and after.
pub(crate) fn solves(pass: &str) -> bool {
    pass.starts_with("constraints/") && pass != SETTLE.name
}

/// Rows in solving order. Kept while the scene's constraints stay as they are: coloring takes seconds for large ones.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct ConstraintTables {
    /// Of each color and type, the particles of all rows, then their numbers; `common/color` says how.
    pub(in crate::solver) words: Vec<u32>,
    /// Number of rows.
    pub(in crate::solver) count: u32,
    /// The constraint of the scene that each row is.
    pub(in crate::solver) order: Vec<u32>,
    /// Of each color where its rows have compliances of their own that all of the type had alike.
    pub(in crate::solver) softened: Vec<Vec<Softened>>,
    /// Whether phantom particles belong to the last color alone.
    pub(in crate::solver) hybrid: bool,
    /// The particle of each phantom.
    pub(super) originals: Vec<u32>,
    /// Inverse mass of each particle [1/kg].
    weights: Vec<f32>,
    /// What is solved at once, in order.
    pub(in crate::solver) colors: Vec<Color>,
    /// The types that rows may be of; their place is their number on the GPU.
    pub(in crate::solver) types: Vec<&'static Type>,
    /// Of each type, the numbers of its rows.
    pub(in crate::solver) numbers: Vec<Numbers>,
    /// Of clusters: `ClusterTable` of `constraints/clusters`, then what it tells; nothing without.
    pub(super) cluster_words: Vec<u32>,
    /// Where the particles of each row are in its cluster, two to a word, laid out as `words`.
    pub(super) cluster_slots: Vec<u32>,
    cluster_threads: u32,
    /// Particles held by bodies, by body.
    pub(in crate::solver) attachments: Vec<AttachmentRow>,
    /// The bodies that hold them.
    pub(in crate::solver) attached_bodies: Vec<AttachedBodyRow>,
    /// Tetrahedra whose rest shape flows, in the order of the scene.
    pub(in crate::solver) plastic: Vec<PlasticRow>,
    /// What tears.
    pub(in crate::solver) tears: tear::Tables,
    /// Those that join more particles than a row does.
    pub(in crate::solver) global: GlobalTables,
    /// What all of them join.
    pub(in crate::solver) objects: Objects,
    /// What they were made from.
    made_for: MadeFor,
    /// Coarse levels of the hierarchical solver.
    pub(in crate::solver) levels: LevelTables,
    lanes: u32,
    counts: [usize; 5],
}

impl ConstraintTables {
    /// Of a scene, divided as its parameters say or as given.
    pub(in crate::solver) fn new(context: &Context, scene: &Scene, given: Option<Partitioned>) -> Self {
        let types = types_of(&scene.constraints);
        let seams = Seams::new(scene);
        let followers = seams.followers(scene);
        let halves = Halves::new(scene, &followers);
        let rows = &halves.rows;
        let divided = given.unwrap_or_else(|| scene.divide(rows));
        let hybrid = if divided.hybrid { PHANTOMS_HYBRID } else { 0 };
        let phantoms: Vec<_> = divided.phantoms.iter().map(|(first, count)| [*first, count | hybrid]).collect();
        let inverse = |p: &Particle| if p.mass > 0.0 { 1.0 / p.mass } else { 0.0 };
        let mut tables = Self {
            hybrid: divided.hybrid,
            made_for: MadeFor::of(&scene.params),
            lanes: lanes(context),
            counts: Self::counts(scene),
            count: rows.len() as u32,
            cluster_threads: cluster_threads(context),
            numbers: Numbers::of_types(&types, scene),
            types,
            global: GlobalTables::new(scene),
            objects: Objects::new(scene, &seams, &phantoms, least_members(context)),
            weights: scene.particles.iter().map(inverse).collect(),
            ..Self::default()
        };
        let places = tables.order(rows, &divided);
        tables.cluster(rows, &divided);
        (tables.originals, tables.order) = (divided.originals, divided.order);
        tables.order.iter_mut().for_each(|row| *row = halves.constraint(*row));
        for (object, _) in scene.deformables.iter().enumerate().filter(|(_, extent)| !extent.gives.is_empty()) {
            tables.soften(scene, object);
        }
        let row = |t: &PlasticTetrahedron| PlasticRow::new(t, scene, places[t.constraint as usize]);
        tables.plastic = scene.plastic_tetrahedra.iter().map(row).collect();
        let own: Vec<Place> = halves.of_followers.iter().map(|row| places[*row]).collect();
        tables.tears = tear::Tables::new(scene, &seams, &followers, &own, &tables.global.places());
        tables.part_not_yet(&halves, &places);
        (tables.attached_bodies, tables.attachments) = Self::attachments_with(scene, &[]);
        if scene.params.levels > 1 {
            tables.levels = tables.build_levels(scene, rows, &phantoms, &places);
        }
        tables
    }

    /// Coarse levels over the lengths of the scene. `rows` are its constraints, then the other halves of edges that can part: those
    /// inherit nothing, and must be told so.
    fn build_levels(&self, scene: &Scene, rows: &[Row], phantoms: &[[u32; 2]], places: &[Place]) -> LevelTables {
        let length = |row: &Row| row.stretch().filter(|kept| !kept.tension_only).map_or(0.0, |kept| kept.rest_length);
        let heirs: Vec<_> =
            (0..).zip(rows).filter(|(_, row)| row.kind.inherits()).map(|(i, row)| (i, length(row))).collect();
        let seat = |i: u32| self.seat(&rows[i as usize], places[i as usize]);
        let sharing = |particle: u32| match phantoms[particle as usize] {
            [_, count] if count & PHANTOMS_HYBRID == 0 => (count + 1) as f32,
            _ => 1.0,
        };
        LevelTables::new(scene, phantoms, &heirs, seat, sharing)
    }

    /// Where a row is, and where its compliance.
    fn seat(&self, row: &Row, place: Place) -> Seat {
        let color = &self.colors[self.colors.partition_point(|color| color.first <= place.word) - 1];
        let (own, numbers) = (place.word - color.first, &self.numbers[color.kind as usize]);
        let word = |k: usize| match numbers.are_shared(k) {
            true => color.first + color.particles * color.count + k as u32,
            false => place.number + numbers.place(k) as u32 * place.stride,
        };
        let word = row.gives().next().map_or(NONE, |(k, _)| word(k));
        Seat { row: color.row + own, soft: SoftnessRow { word, row: own, factor: 1.0 } }
    }

    /// Lays the words of all rows out; returns where those of each are.
    fn order(&mut self, rows: &[Row], divided: &Partitioned) -> Vec<Place> {
        let mut places = vec![Place::default(); rows.len()];
        let colors = divided.color_starts.windows(2).zip(0..);
        for (range, color) in colors {
            let of_color = &divided.order[range[0] as usize..range[1] as usize];
            for own in of_color.chunk_by(|a, b| std::ptr::eq(rows[*a as usize].kind, rows[*b as usize].kind)) {
                let kind = rows[own[0] as usize].kind;
                let (first, count) = (self.words.len() as u32, own.len() as u32);
                let row = self.colors.last().map_or(0, |last| last.row + last.count);
                let place = place_of(&self.types, kind);
                let own_kind = place as u32;
                self.colors.push(Color {
                    kind: own_kind,
                    first,
                    count,
                    row,
                    particles: kind.particles as u32,
                    color,
                    slots: 0,
                });
                for k in 0..kind.particles {
                    self.words.extend(own.iter().map(|i| divided.slots[*i as usize][k]));
                }
                let numbers = &self.numbers[place];
                let number = |i: u32, k: usize| numbers.of(&rows[i as usize], k).to_bits();
                self.words.extend((0..numbers.count).map(|k| number(own[0], k)));
                for ((i, word), number) in own.iter().zip(first..).zip(self.words.len() as u32..) {
                    places[*i as usize] = Place { word, number, stride: count };
                }
                for k in (0..numbers.count).filter(|k| !numbers.are_shared(*k)) {
                    self.words.extend(own.iter().map(|i| number(*i, k)));
                }
                let softened = (0..numbers.count).filter(|k| numbers.can_differ(*k)).map(|number| {
                    let first = self.words.len();
                    self.words.resize(first + own.len(), 0);
                    Softened { number, first: first as u32 }
                });
                self.softened.push(softened.collect());
            }
        }
        places
    }

    /// Halves of edges that have not parted do not act.
    fn part_not_yet(&mut self, halves: &Halves, places: &[Place]) {
        places[halves.whole..].iter().for_each(|place| self.words[place.word as usize] = NONE);
    }

    /// Lays clusters out: their members, and where these are in their rows.
    fn cluster(&mut self, rows: &[Row], divided: &Partitioned) {
        let Some(count) = divided.clusters.iter().max().map(|last| last + 1) else { return };
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
        for (i, cluster) in divided.clusters.iter().enumerate() {
            members[*cluster as usize].extend(&divided.slots[i][..rows[i].kind.particles]);
        }
        for own in &mut members {
            own.sort_unstable();
            own.dedup();
        }
        let mut row_starts = Vec::new();
        for color in &mut self.colors {
            let order = &divided.order[color.row as usize..(color.row + color.count) as usize];
            row_starts.extend((0..=count).map(|c| order.partition_point(|i| divided.clusters[*i as usize] < c) as u32));
            color.slots = self.cluster_slots.len() as u32;
            let place = |i: u32, k: usize| {
                let slot = divided.slots[i as usize][k];
                members[divided.clusters[i as usize] as usize].partition_point(|member| *member < slot) as u32
            };
            for k in (0..color.particles as usize).step_by(2) {
                let second = |i: u32| if k + 1 < color.particles as usize { place(i, k + 1) } else { 0 };
                self.cluster_slots.extend(order.iter().map(|i| place(*i, k) | second(*i) << 16));
            }
        }
        let mut firsts = vec![0];
        members.iter().for_each(|own| firsts.push(firsts[firsts.len() - 1] + own.len() as u32));
        let mut words = vec![count, 5];
        let parts = [firsts, members.concat(), row_starts];
        for part in &parts[..2] {
            words.push(words[words.len() - 1] + part.len() as u32);
        }
        words.push(self.colors.len() as u32);
        self.cluster_words = [words, parts.concat()].concat();
    }

    /// Attachments of a scene and those that were added, by body, and the bodies; with empty rows for all that can be added.
    pub(in crate::solver) fn attachments_with(
        scene: &Scene,
        added: &[Attachment],
    ) -> (Vec<AttachedBodyRow>, Vec<AttachmentRow>) {
        let mut order: Vec<_> = scene.attachments.iter().chain(added).collect();
        order.sort_by_key(|a| a.body);
        let (mut bodies, mut attachments): (Vec<AttachedBodyRow>, Vec<AttachmentRow>) = (Vec::new(), Vec::new());
        for attachment in order {
            let first = attachments.len() as u32;
            attachments.push(AttachmentRow {
                local: vec4(attachment.local, attachment.compliance),
                particle: attachment.particle.0,
                ..AttachmentRow::default()
            });
            match bodies.last_mut() {
                Some(last) if last.body == attachment.body.0 => last.count += 1,
                _ => bodies.push(AttachedBodyRow { body: attachment.body.0, first, count: 1 }),
            }
        }
        let reserved = scene.reserve.attachments as usize;
        let own = scene.attachments.iter().map(|a| a.body).collect::<BTreeSet<_>>().len();
        bodies.resize(own + reserved, AttachedBodyRow::default());
        attachments.resize(scene.attachments.len() + reserved, AttachmentRow::default());
        (bodies, attachments)
    }

    /// Whether they still describe this scene; constraints and particles are only ever added.
    pub(in crate::solver) fn fit(&self, scene: &Scene) -> bool {
        self.counts == Self::counts(scene) && self.made_for == MadeFor::of(&scene.params)
    }

    /// How they are divided and integrated.
    pub(in crate::solver) fn made_for(&self) -> MadeFor {
        self.made_for
    }

    pub(in crate::solver) fn is_second_order(&self) -> bool {
        self.made_for.integrator == Integrator::Bdf2
    }

    fn counts(scene: &Scene) -> [usize; 5] {
        let (global, plastic) = (scene.global_constraints.len(), scene.plastic_tetrahedra.len());
        let attachments = scene.attachments.len() + scene.reserve.attachments as usize;
        [scene.constraints.len(), scene.particles.len(), attachments, global, plastic]
    }

    /// What is left of them in a frame.
    pub(in crate::solver) fn stage(&self) -> Stage {
        Stage {
            attached_bodies: self.attached_bodies.len() as u32,
            plastic: self.plastic.len() as u32,
            global: std::array::from_fn(|sweep| self.global.ranges.get(sweep).map_or(0, |range| range.1)),
            hybrid: self.hybrid,
            slices: self.objects.slices.len() as u32,
            object_slices: self.objects.object_slices,
            joined: self.objects.members.len() as u32,
            tears: self.tears.sizes(),
            clusters: self.cluster_words.first().copied().unwrap_or(0),
            cluster_threads: self.cluster_threads,
            second_order: self.is_second_order(),
            levels: self.levels.sizes(self.lanes),
        }
    }

    /// Rows of `batch`: of the substeps in their first and in later iterations, written every frame, and of colors and global constraints; see `stage::color_row`.
    fn batches(&self) -> Vec<Batch> {
        let mut rows = vec![Batch::default(); 2 * MOST_SUBSTEPS];
        let attached = self.attached_bodies.len() as u32;
        for (iteration, last) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let solved = |c: &Color| {
                let Color { first, count, row, particles, color, .. } = *c;
                Batch { iteration, last, first, count, row, particles, color, ..Batch::default() }
            };
            let row = |(first, count)| Batch { iteration, last, first, count, ..Batch::default() };
            rows.extend(self.colors.iter().map(solved));
            rows.extend(self.levels.batches().map(|own| Batch { iteration, last, ..own }));
            rows.extend([(0, attached)].into_iter().chain(self.global.ranges.iter().copied()).map(row));
        }
        rows
    }

    /// Makes the buffers of constraints.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, particles: usize) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create_uniform("batch", &self.batches())?; // rows of the substeps, then of the colors
        b.create_with("constraint_words", &self.words)?; // particles and numbers of each
        b.create::<[f32; 4]>("constraint_multipliers", self.count as usize + 1, none)?; // [constraint_count + 1] λ of this substep; whether an equation was none
        b.create_with("constraint_colors", &self.colors)?; // what is solved at once, in order
        b.create_with("cluster_words", &self.cluster_words)?; // members, rows and colors of clusters: `constraints/clusters`
        b.create_with("cluster_slots", &self.cluster_slots)?; // where each row's particles are in its cluster, two to a word
        b.create::<u32>("color_marks", self.marks(particles), none)?; // clashes; of each particle its last color
        b.create_with("phantom_originals", &self.originals)?; // the particle of each phantom
        self.tears.create(b)?;
        b.create_with("plastic_tetrahedra", &self.plastic)?; // those whose rest shape flows, into constraint_words
        b.create_with("attached_bodies", &self.attached_bodies)?; // [attached_body_count] ranges of attachments
        b.create_with("attachments", &self.attachments)?; // [attachment_count] particles on bodies
        b.create::<[f32; 4]>("attachment_multipliers", self.attachments.len(), none)?; // [attachment_count] λ of this substep
        self.global.create(b)?;
        self.levels.create(b)?;
        b.create_with("objects", &self.objects.rows)?; // [object_count] what constraints join
        b.create_with("slices", &self.objects.slices)?; // of what they join, those of objects first
        b.create_with("joined_particles", &self.objects.members)?; // what they join, by slice
        let originals = self.originals.iter().map(|i| self.weights[*i as usize]);
        let weights = self.weights.iter().copied().filter(|_| !self.objects.slices.is_empty());
        let moves: Vec<_> = weights.chain(originals).map(|w| [0.0, 0.0, 0.0, w]).collect();
        let remembered = if self.is_second_order() { particles } else { 0 };
        b.create::<HistoryRow>("particle_histories", remembered, none)?; // [particle_count] with integrator=bdf2
        b.create::<StartRow>("particle_starts", moves.len(), none)?; // [particle_count + phantoms] before the constraints
        b.create_with("particle_moves", &moves) // [particle_count + phantoms] moved by them [m], 1/mass
    }

    /// Words of `color_marks`: the count, then one for every particle and phantom.
    pub(in crate::solver) fn marks(&self, particles: usize) -> usize {
        if self.count == 0 { 1 } else { 1 + particles + self.originals.len() }
    }

    /// What is solved at once, in order.
    pub(in crate::solver) fn solved(&self) -> Vec<Solved> {
        let solved = |c: &Color| Solved { pass: pass_of(self.types[c.kind as usize]), count: c.count, color: c.color };
        self.colors.iter().map(solved).chain(self.levels.solved()).collect()
    }

    /// Name of each type and how many rows it has.
    pub(in crate::solver) fn counts_by_type(&self) -> impl Iterator<Item = (String, u32)> {
        self.types.iter().zip(&self.numbers).map(|(kind, numbers)| (kind.name.to_owned(), numbers.rows))
    }

    /// Number of colors.
    pub(in crate::solver) fn color_count(&self) -> u32 {
        self.colors.last().map_or(0, |last| last.color + 1)
    }

    /// Words as they go on after these tetrahedra flowed.
    pub(in crate::solver) fn words_after(&self, plastic: &[Inverse]) -> Vec<u32> {
        let mut words = self.words.clone();
        self.plastic.iter().zip(plastic).for_each(|(row, inverse)| row.put(&mut words, inverse));
        words
    }
}

/// The constraints of a scene, then the other halves of edges that can part.
struct Halves {
    rows: Vec<Row>,
    /// Number of constraints of the scene.
    whole: usize,
    /// The row of each follower.
    of_followers: Vec<usize>,
    /// The constraint that each other half is of.
    others: Vec<u32>,
}

impl Halves {
    fn new(scene: &Scene, followers: &[Follower]) -> Self {
        let (rows, whole) = (scene.constraints.clone(), scene.constraints.len());
        let mut halves = Self { rows, whole, of_followers: Vec::new(), others: Vec::new() };
        for follower in followers {
            let constraint = follower.constraint as usize;
            if follower.when == When::Parted {
                halves.of_followers.push(halves.rows.len());
                halves.rows.push(halves.rows[constraint]);
                halves.others.push(follower.constraint);
            } else {
                halves.of_followers.push(constraint);
            }
        }
        halves
    }

    /// The constraint of the scene that a row is.
    fn constraint(&self, row: u32) -> u32 {
        (row as usize).checked_sub(self.whole).map_or(row, |other| self.others[other])
    }
}

/// Where the words of a row are: the first, the first number that is its own, and how far apart they are.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Place {
    pub(in crate::solver) word: u32,
    pub(in crate::solver) number: u32,
    pub(in crate::solver) stride: u32,
}

/// Where the rows of a color have a number of their own once it is changed for one object.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Softened {
    pub(in crate::solver) number: usize,
    /// Word of the first row.
    pub(in crate::solver) first: u32,
}

/// Which numbers the rows of a type have.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Numbers {
    /// Those of the type, and one more where a row is damped.
    pub(in crate::solver) count: usize,
    /// A bit for each number that all rows share.
    shared: u32,
    /// A bit for each compliance among them that is of several objects or means several things: one may be changed alone.
    soft: u32,
    /// Number of rows.
    rows: u32,
}

impl Numbers {
    /// Of all types, in their order.
    fn of_types(types: &[&'static Type], scene: &Scene) -> Vec<Self> {
        let rows = &scene.constraints;
        let mut firsts: Vec<Option<&Row>> = vec![None; types.len()];
        let mut numbers: Vec<Self> = types.iter().map(|kind| Self { count: kind.values, ..Self::default() }).collect();
        for row in rows {
            let kind = place_of(types, row.kind);
            if numbers[kind].rows == 0 {
                // What can flow is written in place.
                let shared = if row.yields() { 0 } else { u32::MAX };
                numbers[kind] = Self { count: row.kind.values, shared, ..Self::default() };
            }
            numbers[kind].rows += 1;
            let (own, first) = (&mut numbers[kind], *firsts[kind].get_or_insert(row));
            if row.damping != 0.0 {
                own.count = row.kind.values + 1;
            }
            for k in 0..=row.kind.values {
                if own.of(row, k).to_bits() != own.of(first, k).to_bits() {
                    own.shared &= !(1 << k);
                }
            }
        }
        let mut objects = vec![NONE; rows.len()];
        for (extent, object) in scene.deformables.iter().zip(0..) {
            objects[extent.constraints()].fill(object);
        }
        let mut firsts = vec![[None; MOST_VALUES]; types.len()];
        for (row, object) in rows.iter().zip(objects) {
            let kind = place_of(types, row.kind);
            for (k, give) in row.gives() {
                let own = Some((object, give));
                if *firsts[kind][k].get_or_insert(own) != own {
                    numbers[kind].soft |= numbers[kind].shared & 1 << k;
                }
            }
        }
        numbers
    }

    /// Number `k` of a row; the one after those of the type is its damping [1/s].
    pub(in crate::solver) fn of(&self, row: &Row, k: usize) -> f32 {
        match row.kind.gives.iter().any(|(compliance, _)| *compliance == k) {
            // Its sign is free to say that it stands elsewhere.
            true => row.values[k].abs(),
            false if k < row.kind.values => row.values[k],
            false => row.damping,
        }
    }

    /// Whether rows have a number of their own once it is changed for one object.
    fn can_differ(&self, k: usize) -> bool {
        self.soft >> k & 1 != 0
    }

    /// Place of a number among those that are not shared.
    pub(in crate::solver) fn place(&self, k: usize) -> usize {
        (0..k).filter(|k| !self.are_shared(*k)).count()
    }

    pub(in crate::solver) fn are_shared(&self, k: usize) -> bool {
        self.shared >> k & 1 != 0
    }
}

/// What the kernels of a scene have beside its types.
#[derive(Clone, Copy, Debug)]
struct Extra {
    /// Edges can break.
    tears: bool,
    /// Rows begin with what coarse levels hand down.
    heirs: bool,
}

/// For the guide.
#[cfg(test)]
const ALL: Extra = Extra { tears: true, heirs: true };

/// The kernels that solve the types of a scene, as text: nothing is computed that none of its rows has.
pub(in crate::solver) fn kernels(tables: &ConstraintTables) -> Vec<(&'static str, String)> {
    let extra = Extra { tears: tables.tears.sizes().corners > 0, heirs: !tables.levels.heirs.is_empty() };
    let types = || tables.types.iter().zip(&tables.numbers).zip(0..).filter(|((_, numbers), _)| numbers.rows > 0);
    if !tables.cluster_words.is_empty() {
        return vec![(
            CLUSTERS.kernel,
            cluster_source(types().map(|((kind, numbers), i)| (*kind, *numbers, i)), extra, tables.cluster_threads),
        )];
    }
    types().map(|((kind, numbers), _)| (kind.shader(), source(kind, *numbers, extra))).collect()
}

/// Name of the composed kernel of a type: another one than that of the file that it imports.
pub(in crate::solver) fn composed_as(shader: &str) -> String {
    shader.replace('/', "/solve_")
}

/// The kernel of a pass that solves a type, as text: for the guide.
#[cfg(test)]
pub(in crate::solver) fn composed(pass: &Pass) -> Option<crate::gpu::shader::Composed> {
    if pass == &CLUSTERS {
        let all =
            TYPES.iter().zip(0..).map(|(kind, i)| (*kind, Numbers { count: kind.values + 1, ..Numbers::default() }, i));
        return crate::gpu::shader::compose_source(&composed_as(pass.kernel), &cluster_source(all, ALL, SUM_WIDTH))
            .ok();
    }
    let kind = TYPES.iter().find(|kind| kind.shader() == pass.kernel)?;
    crate::gpu::shader::compose_source(
        &composed_as(pass.kernel),
        &source(kind, Numbers { count: kind.values + 1, ..Numbers::default() }, ALL),
    )
    .ok()
}

/// What is constant for a type, and how a row of it is solved.
fn row_source(kind: &Type, numbers: Numbers, extra: Extra) -> String {
    let Type { particles, equations, values, .. } = kind;
    let (name, equation, stiffness) = (name_of(kind), equation_source(kind), stiffness_place(kind));
    let (count, shared, soft, damped) = (numbers.count, numbers.shared, numbers.soft, numbers.count > *values);
    let (tears, heirs) = (extra.tears, extra.heirs && kind.inherits());
    let mut row = shader::text("constraints/row").unwrap_or_default().replace("TYPE_", &format!("{name}_"));
    if kind.user.is_some() {
        row = users::guarded(&row, &name);
    }
    format!(
        "{equation}\
         const {name}_PARTICLES: u32 = {particles}u;\nconst {name}_EQUATIONS: u32 = {equations}u;\n\
         const {name}_VALUES: u32 = {values}u;\nconst {name}_NUMBERS: u32 = {count}u;\n\
         const {name}_SHARED: u32 = {shared}u;\nconst {name}_SOFT: u32 = {soft}u;\n\
         const {name}_DAMPED: bool = {damped};\n\
         const {name}_TEARS: bool = {tears};\nconst {name}_HEIRS: bool = {heirs};\nconst {name}_STIFFNESS: u32 = {stiffness}u;\n{row}\n"
    )
}

/// What the names of a type begin with in kernels.
fn name_of(kind: &Type) -> String {
    kind.user.map_or_else(|| kind.name.to_owned(), |user| users::prefix(&user.definition))
}

/// The equation of a type.
fn equation_source(kind: &Type) -> String {
    kind.user.map_or_else(
        || format!("#import \"constraints/{}\"\n", kind.name),
        |user| users::equation_source(&user.definition),
    )
}

/// A kernel that solves a color of a type, as text.
fn source(kind: &Type, numbers: Numbers, extra: Extra) -> String {
    let (name, row) = (name_of(kind), row_source(kind, numbers, extra));
    format!(
        "#import \"constraints/colors\"\n{row}\n\
         @compute @workgroup_size(WORKGROUP)\n\
         fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {{\n\
         let row = global_index(id, groups);\nif begin(row) {{ {name}_solve(row); }}\n}}\n"
    )
}

/// The kernel that solves whole clusters of these types, as text.
fn cluster_source(types: impl Iterator<Item = (&'static Type, Numbers, usize)>, extra: Extra, threads: u32) -> String {
    let (mut rows, mut calls) = (String::new(), String::new());
    for (kind, numbers, index) in types {
        let name = name_of(kind);
        rows += &row_source(kind, numbers, extra);
        let _ = write!(
            calls,
            "let {name}_end = select(rows.x, rows.y, solved.kind == {index}u);\n\
             for (var row = rows.x + local; row < {name}_end; row += CLUSTER_THREADS) {{ {name}_solve(row); }}\n"
        );
    }
    format!(
        "#import \"constraints/clusters\"\nconst CLUSTER_THREADS: u32 = {threads}u;\n{rows}\n\
         @compute @workgroup_size(CLUSTER_THREADS)\n\
         fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,\n\
         @builtin(local_invocation_index) local: u32) {{\n\
         let cluster = group.y * groups.x + group.x;\n\
         if cluster >= cluster_words[0] {{ return; }}\n\
         gather(cluster, local);\n\
         for (var color = 0u; color < cluster_words[CLUSTER_COLORS]; color++) {{\n\
         let rows = rows_of(color, cluster);\n{calls}workgroupBarrier();\n}}\n\
         scatter(cluster, local);\n}}\n"
    )
}
