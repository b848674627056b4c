//! Asking a running world: batches of queries that are answered some frames later, or at once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Quat, Vec3};
use rayon::slice::ParallelSliceMut;

use super::query::{Answers, Feature, Hit, Query, QueryKind, Ticket};
use crate::gpu::Context;
use crate::gpu::wgsl::queries::piece::{PIECE_CYLINDER, PIECE_HULL, PIECE_SIMPLE, Piece as PieceRow};
use crate::gpu::wgsl::queries::query::{Hit as HitRow, QUERY_FROM_INSIDE, QUERY_OVERLAP, Query as QueryRow};
use crate::gpu::wgsl::queries::target::{NOTHING, PART_PARTICLE};
use crate::scene::{ColliderId, Layers, ParticleId, Scene, Shape, Thing};
use crate::solver::readback::health::LATENCY;
use crate::solver::readback::late::{Late, Rooms};
use crate::solver::stages::queries::{self, Batch};
use crate::solver::stages::rows::quat;
use crate::solver::upload::colliders;
use crate::solver::{Solver, SolverError};

/// Batches that wait to be taken; of more, the oldest is dropped.
const MOST_WAITING: usize = 256;
/// Rows of hits that there is room for at least where answers come back.
const LEAST_ROOM: usize = 64;
/// A way that may be infinite ends here [m].
const FAR: f32 = 1e9;
/// Numbers of tickets, over all solvers: one of another is stale.
static TICKETS: AtomicU64 = AtomicU64::new(0);

/// What was asked, and what is to come.
#[derive(Debug, Default)]
pub(in crate::solver) struct Asked {
    pub(in crate::solver) stage: queries::Stage,
    waiting: VecDeque<Waiting>,
    rooms: Rooms,
}

impl Asked {
    /// Room for so many hits to come back, and some more.
    fn room(&mut self, context: &Context, hits: usize) -> Late {
        let size = (hits.next_power_of_two().max(LEAST_ROOM) * size_of::<HitRow>()) as u64;
        self.rooms.take(context, "answers", size)
    }
}

/// A batch whose answers were not taken yet.
#[derive(Debug)]
struct Waiting {
    ticket: u64,
    frame: u64,
    time: f64,
    /// None of a batch that has nothing to meet.
    late: Option<Late>,
    /// First row of hits of each query, and how many it has.
    rows: Vec<(u32, u32)>,
}

impl Solver {
    /// Asks about the world as it is after the frames simulated so far; returns without waiting. All queries of a moment should be
    /// asked together: finding out where everything is takes as long for one as for thousands. Best after a step, while the GPU simulates.
    /// The first ray, cast or nearest of a world waits until its kernel is compiled: on software some tenths of a second.
    ///
    /// # Errors
    /// [`SolverError::Query`] naming the first query with a number out of range, [`SolverError::QueryShape`] for a shape that cannot
    /// be asked with, [`SolverError::Missing`] for an ignored thing that the scene does not have, [`SolverError::Gpu`]
    /// when the device cannot hold so many.
    pub fn ask(&mut self, queries: &[Query]) -> Result<Ticket, SolverError> {
        for (index, query) in queries.iter().enumerate() {
            query.check(index)?;
            query.ignored.iter().try_for_each(|thing| self.find_thing(*thing).map(drop))?;
        }
        let (batch, rows) = batch_of(queries, &self.classes);
        let shapes = colliders::kinds(&self.scene);
        let (stage, buffers) = (&mut self.asked.stage, &mut self.buffers);
        let met = !queries.is_empty() && stage.prepare(&self.context, &self.scene, &self.classes, shapes, buffers)?;
        let late = if met { Some(self.submit(&batch)?) } else { None };
        let ticket = TICKETS.fetch_add(1, Ordering::Relaxed);
        if self.asked.waiting.len() == MOST_WAITING {
            self.asked.waiting.pop_front();
        }
        self.asked.waiting.push_back(Waiting { ticket, frame: self.frame, time: self.time, late, rows });
        Ok(Ticket { number: ticket })
    }

    /// The answers to a batch, three frames after it was asked, or at once while the world is paused or went back in time; none before.
    /// They come once.
    /// Of 256 batches that nobody took the oldest is dropped.
    ///
    /// # Errors
    /// [`SolverError::StaleTicket`] for answers that were taken or dropped, or are another solver's; [`SolverError::Gpu`] for a
    /// lost device.
    pub fn take_answers(&mut self, ticket: &Ticket) -> Result<Option<Answers>, SolverError> {
        let waiting = &self.asked.waiting;
        let place = waiting.iter().position(|w| w.ticket == ticket.number).ok_or(SolverError::StaleTicket)?;
        // After a jump back in time nothing is waited for.
        let asked = waiting[place].frame;
        let due = self.frame >= asked + LATENCY || self.frame < asked || self.scene.params.dt == 0.0;
        if !due || !waiting[place].late.as_ref().is_none_or(Late::is_ready) {
            return Ok(None);
        }
        let Some(waiting) = self.asked.waiting.remove(place) else { return Err(SolverError::StaleTicket) };
        self.received(waiting).map(Some)
    }

    /// Asks, and waits for the answers: for a mouse or a tool, not for every frame.
    ///
    /// # Errors
    /// As [`Solver::ask`]; in a browser also [`GpuError::Later`](crate::gpu::GpuError::Later).
    pub fn ask_now(&mut self, queries: &[Query]) -> Result<Answers, SolverError> {
        self.ask(queries)?;
        let Some(waiting) = self.asked.waiting.pop_back() else { return Err(SolverError::StaleTicket) };
        if Context::CAN_WAIT || waiting.late.is_none() {
            return self.received(waiting);
        }
        let bytes = self.context.read_buffer(self.buffers.get("query_hits")?)?;
        Ok(self.answers(&waiting, &bytes))
    }

    /// The answers to a batch, waiting for them.
    fn received(&mut self, mut waiting: Waiting) -> Result<Answers, SolverError> {
        let Some(late) = waiting.late.take() else { return Ok(self.answers(&waiting, &[])) };
        let answers = late.receive_as(|bytes| self.answers(&waiting, bytes));
        self.asked.rooms.put_back(late);
        Ok(answers.ok_or_else(|| crate::gpu::GpuError::Lost("answers did not come back".into()))?)
    }

    fn submit(&mut self, batch: &Batch) -> Result<Late, SolverError> {
        let stage = &mut self.asked.stage;
        stage.write(&self.context, &mut self.buffers, batch)?;
        if self.scene.colliders.iter().any(|c| c.velocity != Vec3::ZERO || c.angular_velocity != Vec3::ZERO) {
            // They have gone on since the start of the last frame.
            self.buffers.upload("colliders", 0, &colliders::rows(&self.scene))?;
        }
        let late = self.asked.room(&self.context, batch.hits);
        let hits = self.buffers.get("query_hits")?;
        self.context.run("queries", |encoder| {
            self.asked.stage.encode(encoder, batch, self.frame);
            late.send(encoder, hits);
        });
        Ok(late)
    }

    fn answers(&self, waiting: &Waiting, bytes: &[u8]) -> Answers {
        let (hits, _): (&[[u8; size_of::<HitRow>()]], _) = bytes.as_chunks();
        let mut answers = Answers { frame: waiting.frame, time: waiting.time, ..Answers::default() };
        answers.hits.reserve(waiting.rows.len());
        answers.ends.reserve(waiting.rows.len());
        for (first, count) in waiting.rows.iter().copied() {
            let rows = hits.get(first as usize..(first + count) as usize).unwrap_or_default();
            let mut rows = rows.iter().map(|row| bytemuck::pod_read_unaligned::<HitRow>(row)).peekable();
            let has_more = rows.peek().is_some_and(|row| row.more != 0);
            answers.hits.extend(rows.map_while(|row| self.hit(&row)));
            answers.ends.push((answers.hits.len(), has_more));
        }
        answers
    }

    /// What a row tells; none of an empty one.
    fn hit(&self, row: &HitRow) -> Option<Hit> {
        let thing = queries::thing(row.thing)?;
        Some(Hit {
            thing,
            feature: feature(&self.scene, thing, row.part),
            point: row.point.into(),
            normal: row.normal.into(),
            distance: row.distance,
            surface: self.surface_of(thing),
            user_data: self.scene.user_data(thing),
        })
    }
}

/// Which part of a thing has this number. Triangles of other shapes than meshes and heightfields are nobody's.
fn feature(scene: &Scene, thing: Thing, part: u32) -> Feature {
    if part != NOTHING && part & PART_PARTICLE != 0 {
        return Feature::Particle(ParticleId(part & !PART_PARTICLE));
    }
    let is_mesh =
        |id: ColliderId| matches!(scene.colliders[id.0 as usize].shape, Shape::Mesh(_) | Shape::Heightfield(_));
    match thing {
        Thing::Deformable(_) => Feature::Triangle(part),
        Thing::Collider(id) if part != NOTHING && is_mesh(id) => Feature::Triangle(part),
        _ => Feature::Whole,
    }
}

/// The rows of queries, and those of their hits in the order in which they were asked. Queries of a walk that begin near one another
/// and go the same way lie together: what they come by is much the same.
fn batch_of(queries: &[Query], classes: &[Layers]) -> (Batch, Vec<(u32, u32)>) {
    let mut batch = Batch { queries: Vec::with_capacity(queries.len()), ..Batch::default() };
    let mut rows = Vec::with_capacity(queries.len());
    let mut order = order_of(queries);
    for query in queries {
        let count = hits_of(query);
        rows.push((batch.hits as u32, count));
        batch.hits += count as usize;
        batch.counts[walk_of(query)] += 1;
    }
    order.par_sort_unstable();
    for index in order.into_iter().map(|key| key as u32 as usize) {
        let query = &queries[index];
        let first_ignored = batch.ignored.len() as u32;
        batch.ignored.extend(query.ignored.iter().map(|thing| queries::number(*thing)));
        let (first_hit, hit_count) = rows[index];
        let ignored_count = query.ignored.len() as u32;
        let (first_piece, row) = (batch.pieces.len() as u32, row_of(query));
        if let Some(shape) = pieced(query) {
            add_pieces(shape, &mut batch);
        }
        let layers = queries::layers(classes, |layers| layers.are_any_of(query.layers));
        let piece_count = batch.pieces.len() as u32 - first_piece;
        let row = QueryRow { first_piece, piece_count, kinds: row.kinds | layers, ..row };
        batch.queries.push(QueryRow { first_hit, hit_count, first_ignored, ignored_count, ..row });
    }
    (batch, rows)
}

/// A number for each query, with its index below: its walk, the eighth of all directions that it goes to, and its place along a
/// curve that fills the box around all (Morton 1966).
fn order_of(queries: &[Query]) -> Vec<u64> {
    const CELLS: f32 = 32.0;
    let places = queries.iter().map(|query| start_of(query).0);
    let (low, high) = places.fold((Vec3::MAX, Vec3::MIN), |(low, high), place| (low.min(place), high.max(place)));
    let scale = (CELLS - 1.0) / (high - low).max(Vec3::splat(1e-9));
    let spread = |x: u32| (0..5).fold(0, |bits, bit| bits | (x >> bit & 1) << (3 * bit));
    let table: [u32; CELLS as usize] = std::array::from_fn(|x| spread(x as u32));
    let key = |(query, index): (&Query, u64)| {
        let (place, direction) = start_of(query);
        let cell = ((place - low) * scale).to_array().map(|x| table[(x as usize).min(CELLS as usize - 1)]);
        let octant =
            u32::from(direction.x < 0.0) | u32::from(direction.y < 0.0) << 1 | u32::from(direction.z < 0.0) << 2;
        let near = cell[0] | cell[1] << 1 | cell[2] << 2;
        (walk_of(query) as u64) << 60 | u64::from(octant << 15 | near) << 32 | index
    };
    queries.iter().zip(0..).map(key).collect()
}

/// Where a query begins, and where it goes to.
fn start_of(query: &Query) -> (Vec3, Vec3) {
    match query.kind {
        QueryKind::Ray { origin, direction, .. } | QueryKind::Cast { origin, direction, .. } => (origin, direction),
        QueryKind::Overlap { origin, .. } | QueryKind::Nearest { origin, .. } => (origin, Vec3::ZERO),
    }
}

/// Things that it is told at most.
fn hits_of(query: &Query) -> u32 {
    if let QueryKind::Overlap { count, .. } = query.kind { count } else { 1 }
}

fn walk_of(query: &Query) -> usize {
    match query.kind {
        QueryKind::Ray { .. } if !query.from_inside => 0,
        QueryKind::Ray { .. } => 1,
        QueryKind::Cast { .. } if pieced(query).is_some() => 3,
        QueryKind::Cast { .. } => 2,
        QueryKind::Overlap { .. } if pieced(query).is_some() => 5,
        QueryKind::Overlap { .. } | QueryKind::Nearest { .. } => 4,
    }
}

/// Its shape, if that is told by pieces and not by the numbers of a row.
fn pieced(query: &Query) -> Option<&Shape> {
    let (QueryKind::Cast { shape, .. } | QueryKind::Overlap { shape, .. }) = &query.kind else { return None };
    matches!(shape, Shape::Cylinder { .. } | Shape::Hull(_) | Shape::Compound(_)).then_some(shape)
}

/// Adds the rows of a shape's pieces.
fn add_pieces(shape: &Shape, batch: &mut Batch) {
    match shape {
        Shape::Compound(pieces) => {
            pieces.iter().for_each(|piece| add_piece(&piece.shape, piece.position, piece.rotation.normalize(), batch));
        }
        _ => add_piece(shape, Vec3::ZERO, Quat::IDENTITY, batch),
    }
}

fn add_piece(shape: &Shape, position: Vec3, rotation: Quat, batch: &mut Batch) {
    let first_row = batch.corners.len() as u32;
    let at = |position: Vec3, kind| PieceRow {
        position: position.to_array(),
        kind,
        rotation: quat(rotation),
        first_row,
        end_row: first_row,
        ..PieceRow::default()
    };
    let row = match shape {
        Shape::Sphere(radius) => PieceRow { radius: *radius, reach: *radius, ..at(position, PIECE_SIMPLE) },
        Shape::Capsule { radius, half_length } => {
            let reach = radius + half_length;
            PieceRow { radius: *radius, height: *half_length, reach, ..at(position, PIECE_SIMPLE) }
        }
        Shape::Cylinder { radius, half_length } => {
            let reach = radius.hypot(*half_length);
            PieceRow { radius: *radius, height: *half_length, reach, ..at(position, PIECE_CYLINDER) }
        }
        Shape::Cuboid(half) => PieceRow { half: half.to_array(), reach: half.length(), ..at(position, PIECE_SIMPLE) },
        Shape::Hull(hull) => {
            let corners = &hull.mesh().positions;
            // Its middle is inside of it.
            let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
            for part in corners.chunks(16) {
                let corner = |k: usize| part[k.min(part.len() - 1)] - middle;
                let rows = [0, 4, 8, 12].map(|k| [0, 1, 2].map(|axis| [0, 1, 2, 3].map(|i| corner(k + i)[axis])));
                batch.corners.extend(rows.into_iter().flatten());
            }
            let reach = corners.iter().fold(0.0, |reach: f32, corner| reach.max(corner.distance(middle)));
            let end_row = batch.corners.len() as u32;
            PieceRow { end_row, reach, ..at(position + rotation * middle, PIECE_HULL) }
        }
        _ => return,
    };
    batch.pieces.push(row);
}

fn row_of(query: &Query) -> QueryRow {
    let flags = if query.from_inside { QUERY_FROM_INSIDE } else { 0 };
    let row = |origin: Vec3, length: f32| QueryRow {
        origin: origin.to_array(),
        most: length.min(FAR),
        rotation: quat(Quat::IDENTITY),
        kinds: query.kinds.0,
        flags,
        ..QueryRow::default()
    };
    // The longest part first: squares of very long or short vectors are no numbers.
    let unit = |v: Vec3| (v / v.abs().max_element()).normalize().to_array();
    match &query.kind {
        QueryKind::Ray { origin, direction, length } => {
            QueryRow { direction: unit(*direction), ..row(*origin, *length) }
        }
        QueryKind::Cast { shape, origin, rotation, direction, length } => {
            QueryRow { direction: unit(*direction), ..with_shape(row(*origin, *length), shape, *rotation) }
        }
        QueryKind::Overlap { shape, origin, rotation, .. } => {
            QueryRow { flags: flags | QUERY_OVERLAP, ..with_shape(row(*origin, f32::INFINITY), shape, *rotation) }
        }
        QueryKind::Nearest { origin, length } => row(*origin, *length),
    }
}

fn with_shape(row: QueryRow, shape: &Shape, rotation: Quat) -> QueryRow {
    let row = QueryRow { rotation: quat(rotation.normalize()), ..row };
    match *shape {
        Shape::Sphere(radius) => QueryRow { radius, ..row },
        Shape::Capsule { radius, half_length } => QueryRow { radius, axis: [0.0, half_length, 0.0], ..row },
        Shape::Cuboid(half) => QueryRow { half: half.to_array(), ..row },
        _ => row,
    }
}
