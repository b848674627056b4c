//! Listening to a running world: what began, goes on and ended between what touches, told a few frames later.

use std::collections::{BTreeSet, VecDeque};

use glam::Vec3;

use super::breaks::Broken;
use super::comings::Comings;
use super::event::{Contact, ContactPhase, Event, EventKind, Listener, ListenerId};
use super::sensors::Sensed;
use crate::gpu::wgsl::articulations::joint::JointState;
use crate::gpu::wgsl::events::tell::STATE_BITS;
use crate::gpu::wgsl::events::touch::{
    LISTENED_ASLEEP, LISTENED_OUTSIDE, LISTENED_REMOVED, ListenerRow, ToldRow, Touch,
};
use crate::gpu::wgsl::queries::target::{NOTHING, THING_BITS, THING_BODY};
use crate::gpu::{Context, wgpu};
use crate::scene::{BodyId, Joint, JointDesc, JointId, Kinds, Scene, Thing};
use crate::solver::edits::joints::JointRef;
use crate::solver::readback::health::LATENCY;
use crate::solver::readback::late::{Late, Rooms, Source};
use crate::solver::stages::events::{self, create};
use crate::solver::stages::queries;
use crate::solver::{Solver, SolverError};

/// Most objects, liquids and grains that there is room for at first to touch two things each.
const FIRST_FREE: usize = 512;

/// What comes back of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    States,
    Count,
    Told,
    Dropped,
    Joints,
    Added,
    Tears,
    Inside,
}

/// The numbers of two things, of two bodies the lower first: in the order of [`Thing`].
type Pair = [u32; 2];

/// A [`ToldRow`] as it came back.
type Row = [u8; size_of::<ToldRow>()];

/// A frame on its way back: its parts one after the other, with their sizes [bytes].
#[derive(Debug)]
struct Sent {
    frame: u64,
    late: Late,
    parts: Vec<(Part, usize)>,
    /// Joints that were added, by row.
    added: Vec<(JointRef, JointDesc)>,
}

/// What the host listens to, and what it has heard.
#[derive(Debug, Default)]
pub(in crate::solver) struct Heard {
    listeners: Vec<Listener>,
    /// Numbers of the listeners, and how many there ever were.
    ids: Vec<u32>,
    made: u32,
    bodies: Vec<u32>,
    /// Rows of what is told that come back, and most that there are.
    room: usize,
    most_told: usize,
    under_way: VecDeque<Sent>,
    rooms: Rooms,
    /// What touches and was told of, as it was last, in the order of pairs.
    known: Vec<(Pair, Contact)>,
    /// Room for the same of the next frame, and for the rows of a frame by pairs.
    known_before: Vec<(Pair, Contact)>,
    order: Vec<(Pair, u32)>,
    /// State of each body when it was heard of last, by id; 0 of those that were not.
    states: Vec<u32>,
    /// What broke and tore.
    pub(in crate::solver) broken: Broken,
    /// What is inside sensors.
    pub(in crate::solver) sensed: Sensed,
    /// Who came and left since the frame that was heard of last.
    pub(in crate::solver) comings: Comings,
    events: Vec<Event>,
    dropped: u64,
}

impl Heard {
    /// Whether nobody listens.
    pub(in crate::solver) fn is_idle(&self) -> bool {
        self.listeners.is_empty()
    }

    /// Whether nobody listens and nothing senses.
    pub(super) fn is_deaf(&self) -> bool {
        self.is_idle() && self.sensed.is_idle()
    }

    /// Bodies that somebody listens to, in order.
    fn wanted(&self, scene: &Scene) -> Vec<u32> {
        let all = || 0..scene.bodies.len() as u32;
        // Free particles tell by themselves of the bodies that they touch.
        if self.listeners.iter().any(|listener| listener.body().is_none() && !listener.is_of_free()) {
            return all().collect();
        }
        let bodies: BTreeSet<u32> = self.listeners.iter().filter_map(|l| l.body()).map(|id| id.0).collect();
        bodies.into_iter().collect()
    }

    /// Sends what the frame noted on its way.
    fn send(
        &mut self,
        context: &Context,
        encoder: &mut wgpu::CommandEncoder,
        parts: &[(Part, Source<'_>)],
        frame: u64,
        added: Vec<(JointRef, JointDesc)>,
    ) {
        let size = parts.iter().map(|(_, source)| source.size).sum();
        let late = self.rooms.take(context, "events readback", size);
        let sources: Vec<Source<'_>> = parts.iter().map(|(_, source)| *source).collect();
        late.send_parts(encoder, &sources);
        let parts = parts.iter().map(|(part, source)| (*part, source.size as usize)).collect();
        self.under_way.push_back(Sent { frame, late, parts, added });
    }

    /// Hears of all frames up to this one. Joints come back in this order.
    pub(in crate::solver) fn receive(&mut self, scene: &Scene, joints: &[u32], last: Option<u64>) {
        while let Some(sent) = self.under_way.pop_front_if(|sent| last.is_none_or(|last| sent.frame <= last)) {
            match sent.late.receive_as(|bytes| self.hear_parts(scene, joints, &sent, bytes)) {
                Some(()) => self.rooms.put_back(sent.late),
                None => {
                    log::warn!(
                        "the events of frame {} are lost: it was not submitted, or the device is lost",
                        sent.frame
                    );
                }
            }
        }
    }

    fn hear_parts(&mut self, scene: &Scene, joints: &[u32], sent: &Sent, mut bytes: &[u8]) {
        let (mut count, frame) = (0, sent.frame);
        for (part, size) in &sent.parts {
            let (own, rest) = bytes.split_at((*size).min(bytes.len()));
            bytes = rest;
            match part {
                Part::States => self.hear_states(frame, &bytemuck::pod_collect_to_vec(own)),
                Part::Count => count = own.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize),
                Part::Dropped => {
                    self.dropped += own.first_chunk().map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
                }
                Part::Told => self.hear(scene, frame, count, own),
                Part::Inside => {
                    let counts: Vec<u32> = bytemuck::pod_collect_to_vec(own);
                    self.sensed.hear(scene, &self.comings, frame, &counts, &mut self.events);
                }
                Part::Joints | Part::Added => {
                    let states: Vec<JointState> = bytemuck::pod_collect_to_vec(own);
                    let told = match part {
                        Part::Joints => self.broken.hear_joints(scene, joints, frame, &states),
                        _ => self.broken.hear_added(&sent.added, frame, &states),
                    };
                    self.tell(frame, told);
                }
                Part::Tears => {
                    let told = self.broken.hear_tears(scene, &bytemuck::pod_collect_to_vec::<u8, u32>(own));
                    self.tell(frame, told);
                }
            }
        }
        let left = self.broken.hear_left(frame);
        self.tell(frame, left);
    }

    /// Tells those who listen to one of the things that something happened to.
    fn tell(&mut self, frame: u64, told: Vec<(Vec<Thing>, EventKind)>) {
        let heard = |thing: &Thing| self.listeners.iter().any(|listener| listener.follows(*thing));
        let told = told.into_iter().filter(|(things, _)| things.iter().any(heard));
        self.events.extend(told.map(|(_, kind)| Event { frame, kind }));
    }

    /// Hears of what touches: so many things, of which these rows came back.
    fn hear(&mut self, scene: &Scene, frame: u64, count: usize, rows: &[u8]) {
        let (rows, _): (&[Row], _) = rows.as_chunks();
        let came = count.min(rows.len());
        let (lost, rows) = (count - came, &rows[..came]);
        self.dropped += lost as u64;
        if 2 * count > self.room {
            self.room = (4 * count).min(self.most_told);
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend((0..).zip(rows).map(|(i, row)| (pair(&told_row(row)), i)));
        order.sort_unstable();
        order.dedup_by_key(|(pair, _)| *pair);
        self.compare(scene, frame, (&order, rows), lost > 0);
        self.order = order;
    }

    /// Hears how bodies are.
    fn hear_states(&mut self, frame: u64, words: &[u32]) {
        let bodies = std::mem::take(&mut self.bodies);
        for (body, word) in bodies.iter().zip(words) {
            self.dropped += u64::from(word >> STATE_BITS);
            self.hear_state(frame, BodyId(*body), word & ((1 << STATE_BITS) - 1));
        }
        self.bodies = bodies;
    }

    /// Tells how a body changed.
    fn hear_state(&mut self, frame: u64, body: BodyId, state: u32) {
        let id = body.0 as usize;
        if id >= self.states.len() {
            self.states.resize(id + 1, 0);
        }
        let mut before = std::mem::replace(&mut self.states[id], state);
        if self.comings.came_in(Thing::Body(body), frame) {
            before = 0;
        }
        if state == before {
            return;
        }
        if !self.listeners.iter().any(|listener| listener.follows(Thing::Body(body))) {
            return;
        }
        let (came, went) = (state & !before, before & !state);
        let removed = state & LISTENED_REMOVED != 0;
        let told = [
            (came & LISTENED_ASLEEP != 0, EventKind::Asleep(body)),
            (went & LISTENED_ASLEEP != 0 && !removed, EventKind::Awake(body)),
            (came & LISTENED_OUTSIDE != 0, EventKind::OutOfWorld(body)),
        ];
        let told = told.into_iter().filter(|(happened, _)| *happened);
        self.events.extend(told.map(|(_, kind)| Event { frame, kind }));
    }

    /// Tells of what touches now, in the order of pairs, against what touched in the frame before.
    fn compare(&mut self, scene: &Scene, frame: u64, (touching, rows): (&[(Pair, u32)], &[Row]), lost: bool) {
        let mut before = std::mem::take(&mut self.known);
        self.known = std::mem::take(&mut self.known_before);
        before.retain(|(pair, contact)| {
            let is_other = [contact.thing, contact.other].iter().any(|thing| self.comings.came_in(*thing, frame));
            // Where something was lost, what touches is not known to have ended.
            let stays = !is_other
                && (lost
                    || touching.binary_search_by_key(pair, |(pair, _)| *pair).is_ok()
                    || self.lasts(scene, frame, contact));
            if !stays {
                let ended = Contact { phase: ContactPhase::Ended, impulse: 0.0, speed: 0.0, ..*contact };
                self.events.push(Event { frame, kind: EventKind::Contact(ended) });
            }
            stays
        });
        self.events.reserve(touching.len());
        let mut left = before.iter().peekable();
        for (pair, row) in touching {
            while let Some(earlier) = left.next_if(|(earlier, _)| earlier < pair) {
                self.known.push(*earlier);
            }
            let was_known = left.next_if(|(earlier, _)| earlier == pair).is_some();
            let row = told_row(&rows[*row as usize]);
            let heard = row.quiet == 0;
            let Some(mut contact) = self.contact(scene, frame, *pair, &row).filter(|_| heard || was_known) else {
                continue;
            };
            if heard {
                contact.phase = if was_known { ContactPhase::Stays } else { ContactPhase::Began };
                self.events.push(Event { frame, kind: EventKind::Contact(contact) });
            }
            self.known.push((*pair, contact));
        }
        self.known.extend(left);
        before.clear();
        self.known_before = before;
    }

    /// Whether two things touch on without being told of: contacts of what sleeps are not solved.
    fn lasts(&self, scene: &Scene, frame: u64, contact: &Contact) -> bool {
        let asleep = |thing: Thing| match thing {
            Thing::Body(id) => self.states.get(id.0 as usize).is_some_and(|state| state & LISTENED_ASLEEP != 0),
            _ => false,
        };
        let rests = |thing: Thing| match thing {
            Thing::Body(_) | Thing::Collider(_) => self.comings.was_there(scene, thing, frame),
            _ => false,
        };
        let (one, other) = (contact.thing, contact.other);
        (asleep(one) || asleep(other)) && rests(one) && rests(other)
    }

    /// What a row tells of two things; none if it is empty.
    fn contact(&self, scene: &Scene, frame: u64, pair: Pair, row: &ToldRow) -> Option<Contact> {
        let [thing, other] = pair.map(queries::thing);
        let (thing, other) = (thing?, other?);
        let impulse = Vec3::from(row.touch.impulse);
        let normal = impulse.try_normalize().unwrap_or(Vec3::from(row.touch.normal));
        Some(Contact {
            phase: ContactPhase::Began,
            thing,
            other,
            point: Vec3::from(row.touch.point),
            normal: if row.own == pair[0] { normal } else { -normal },
            impulse: impulse.length(),
            speed: row.touch.speed,
            user_data: [thing, other].map(|thing| self.comings.user_data(scene, thing, frame)),
        })
    }

    /// Forgets what is under way and what touches: time has jumped.
    pub(in crate::solver) fn forget(&mut self) {
        self.drop_sent();
        self.known.clear();
        self.states.clear();
        self.broken = Broken::default();
        self.sensed.forget();
        self.comings.forget();
        self.events.clear();
    }

    /// Hears no more of frames that are under way.
    fn drop_sent(&mut self) {
        for sent in self.under_way.drain(..) {
            // Room that is not read stays mapped.
            if sent.late.receive().is_some() {
                self.rooms.put_back(sent.late);
            }
        }
    }
}

fn told_row(row: &Row) -> ToldRow {
    bytemuck::pod_read_unaligned(row)
}

/// Of whom a row tells.
fn pair(row: &ToldRow) -> Pair {
    let (own, other) = (row.own, row.touch.thing);
    let is_second = other < own && own >> THING_BITS == THING_BODY;
    if is_second { [other, own] } else { [own, other] }
}

/// What told so far of two things that touch, for the GPU to watch them.
fn told(contact: &Contact) -> ToldRow {
    let touch = Touch { thing: queries::number(contact.other), ..Touch::default() };
    ToldRow { own: queries::number(contact.thing), touch, ..ToldRow::default() }
}

/// What a listener hears of, for the GPU.
fn row_of(listener: &Listener) -> ListenerRow {
    let number = |thing: Option<Thing>| thing.map_or(NOTHING, queries::number);
    let Listener { thing, other, kinds, least_impulse, least_speed } = *listener;
    // Without thresholds nothing is below one.
    let thresholds = u32::from(least_impulse > 0.0 || least_speed > 0.0);
    let [thing, other] = [thing, other].map(number);
    ListenerRow { thing, other, kinds: kinds.0, least_impulse, least_speed, thresholds }
}

impl Solver {
    /// Listens from the next frame on; [`Solver::take_events`] tells. The first listener makes kernels ready, which takes some
    /// milliseconds; each further one adds to those there are.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a thing that the scene does not have, [`SolverError::Removed`] for a body that is out of the world,
    /// [`SolverError::Listener`] where both things are colliders, one of them cannot be of its kinds, or a threshold is below 0 or no number,
    /// [`SolverError::Gpu`] when the device has no room. Then nothing changes.
    pub fn listen(&mut self, listener: Listener) -> Result<ListenerId, SolverError> {
        self.check_listener(&listener)?;
        self.hear_all();
        if self.heard.is_idle() {
            self.know_broken()?;
        }
        self.heard.listeners.push(listener);
        if let Err(error) = self.ready_events() {
            self.heard.listeners.pop();
            self.listen_again();
            return Err(error);
        }
        let id = self.heard.made;
        self.heard.ids.push(id);
        self.heard.made += 1;
        Ok(ListenerId(id))
    }

    /// Takes one listener away. What only it has heard of is not told to end; what was not taken can still be. A listener that names a
    /// thing of a pool hears of whoever is in that place, until it is taken away.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a listener that is not there, [`SolverError::Gpu`] when the device has no room; then it stays.
    pub fn remove_listener(&mut self, id: ListenerId) -> Result<(), SolverError> {
        let missing = SolverError::Missing { what: "listener", index: id.0 as usize, count: self.heard.made as usize };
        let place = self.heard.ids.iter().position(|known| *known == id.0).ok_or(missing)?;
        self.hear_all();
        let listener = self.heard.listeners.remove(place);
        if self.heard.is_idle() {
            self.listen_to_nothing(|_| true);
            return Ok(());
        }
        let Heard { known, listeners, .. } = &mut self.heard;
        let before = known.clone();
        known.retain(|(_, contact)| listeners.iter().any(|left| left.concerns(contact.thing, contact.other)));
        if let Err(error) = self.ready_events() {
            self.heard.listeners.insert(place, listener);
            self.heard.known = before;
            self.listen_again();
            return Err(error);
        }
        self.heard.ids.remove(place);
        Ok(())
    }

    /// Takes what is broken and torn now for known. Waits for the GPU, if anything can be.
    pub(in crate::solver) fn know_broken(&mut self) -> Result<(), SolverError> {
        let (joints, tears) = (self.read_broken_joints()?, self.read_torn()?);
        let joints = (0..joints.len())
            .filter(|joint| joints[*joint])
            .map(|joint| JointRef::Scene(JointId(joint as u32)))
            .collect();
        let added = self.read_broken_added_joints()?.into_iter().map(JointRef::Added).collect();
        self.heard.broken.begin(joints, added, tears);
        Ok(())
    }

    /// Listens to nothing any more, and forgets what was not taken. Sensors go on, and what they have told can still be taken.
    pub fn stop_listening(&mut self) {
        self.listen_to_nothing(|event| matches!(event.kind, EventKind::Entered { .. } | EventKind::Left { .. }));
    }

    /// Forgets all listeners, and of what was not taken what is not to be kept.
    fn listen_to_nothing(&mut self, is_kept: impl FnMut(&Event) -> bool) {
        self.heard.drop_sent();
        let Heard { sensed, comings, mut events, made, .. } = std::mem::take(&mut self.heard);
        events.retain(is_kept);
        self.heard = Heard { sensed, comings, events, made, ..Heard::default() };
        self.stages.events = events::Stage::default();
    }

    /// What happened since the last call, in the order of frames: each frame is told three frames later. Within a frame first how
    /// bodies changed, then what ended, then what touches, each in the order of ids. Never waits.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.heard.events)
    }

    /// Waits for the GPU and tells all that happened until now, with what [`Solver::take_events`] would.
    pub fn take_events_now(&mut self) -> Vec<Event> {
        self.hear_all();
        self.take_events()
    }

    /// Contacts that were not told, since the first listener: of bodies that touched more than 16 things in a frame, of free particles where more
    /// than some thousand pairs of things touched, and of frames that told of more than twice as many as any before.
    pub fn events_dropped(&self) -> u64 {
        self.heard.dropped
    }

    fn check_listener(&self, listener: &Listener) -> Result<(), SolverError> {
        for thing in [listener.thing, listener.other].into_iter().flatten() {
            self.find_thing(thing)?;
            if let Thing::Body(id) = thing
                && self.scene.bodies[id.0 as usize].removed
                && !self.scene.bodies[id.0 as usize].pooled
            {
                return Err(SolverError::Removed(id));
            }
        }
        if listener.kinds == Kinds::NONE {
            return Err(SolverError::Listener("it has no kinds, and would hear nothing; use Kinds::ALL"));
        }
        let touches = |kinds: Kinds, thing: Option<Thing>| thing.is_none_or(|thing| kinds.contains(Kinds::of(thing)));
        let movers = Kinds::BODIES | Kinds::PARTICLES;
        if !touches(movers, listener.thing) && (!touches(movers, listener.other) || !listener.kinds.meets(movers)) {
            return Err(SolverError::Listener(
                "colliders do not touch one another; one of the two must be something else",
            ));
        }
        if !touches(listener.kinds, listener.other) {
            return Err(SolverError::Listener("the other thing is of none of its kinds; leave out `only`"));
        }
        let least = |value: f32| value.is_finite() && value >= 0.0;
        if !least(listener.least_impulse) || !least(listener.least_speed) {
            return Err(SolverError::Listener("its thresholds must be numbers of 0 or more"));
        }
        Ok(())
    }

    /// Makes buffers and kernels for the bodies that are listened to now.
    fn ready_events(&mut self) -> Result<(), SolverError> {
        let bodies = self.heard.wanted(&self.scene);
        let stage = self.events_of(&bodies);
        if stage.free.is_heard() && !events::are_countable(&self.scene, stage.world.colliders) {
            return Err(SolverError::Listener("there are too many things for all that touch to be told; name bodies"));
        }
        let listeners: Vec<ListenerRow> = self.heard.listeners.iter().map(row_of).collect();
        let known = self.heard.known.iter().map(|(_, contact)| told(contact)).collect();
        let rows = events::Rows { bodies: &bodies, listeners: &listeners, known };
        let is_heard = |thing: Thing| self.heard.listeners.iter().any(|listener| listener.names(thing));
        create(&mut self.buffers, &stage, &self.scene, &rows, self.room.manifolds, is_heard)?;
        self.bind_passes(&stage.passes(), Vec::new())?;
        self.stages.events = stage;
        self.heard.most_told = stage.most_told();
        let free = if stage.free.is_heard() { self.scene.things(0).count() - self.scene.bodies.len() } else { 0 };
        self.heard.room = (2 * (bodies.len() + free.min(FIRST_FREE)) + 32).min(self.heard.most_told);
        self.heard.bodies = bodies;
        self.heard.rooms.clear();
        Ok(())
    }

    fn events_of(&self, bodies: &[u32]) -> events::Stage {
        let (world, surfaces) = (self.stages.particles.world, &self.stages.surfaces);
        let wanted = self.heard.listeners.iter().fold(Kinds::NONE, |kinds, listener| kinds | listener.partners());
        let free = events::Free {
            partners: if world.free_particles > 0 { wanted } else { Kinds::NONE },
            liquid: self.stages.fluid.particles,
            surfaces: surfaces.is_met(),
            on_bodies: surfaces.meets_bodies(),
            poked: surfaces.poked(),
        };
        events::Stage { listened: bodies.len() as u32, free, world }
    }

    /// After all buffers were made anew.
    pub(in crate::solver) fn listen_again(&mut self) {
        if self.heard.listeners.is_empty() {
            return;
        }
        if let Err(error) = self.ready_events() {
            log::error!("events are not told any more: {error}");
        }
    }

    /// Hears of the frame that was `LATENCY` before the last one.
    pub(in crate::solver) fn hear_events(&mut self) {
        let Some(last) = self.frame.checked_sub(LATENCY + 1) else { return };
        self.heard.receive(&self.scene, &self.joints.order, Some(last));
        self.heard.comings.forget_until(last);
    }

    /// Hears of all frames so far.
    pub(in crate::solver) fn hear_all(&mut self) {
        self.heard.receive(&self.scene, &self.joints.order, None);
    }

    /// Sends what this frame notes on its way.
    pub(in crate::solver) fn send_events(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let listens = !self.heard.listeners.is_empty();
        let breakable = |joint: &Joint| joint.desc.break_force.is_finite();
        let broken = &self.heard.broken;
        let of_scene = listens && (broken.awaits(false) || self.scene.joints.iter().any(breakable));
        let of_added = listens && (broken.awaits(true) || self.added_joints().any(|(_, joint)| breakable(joint)));
        let (told, free) = (self.heard.most_told > 0 && listens, self.stages.events.free.is_heard());
        let wanted = [
            (self.stages.events.listened > 0, Part::States, "listened_states"),
            (told, Part::Count, "told_count"),
            (told, Part::Told, "told"),
            (free, Part::Dropped, "free_touches"),
            (of_scene, Part::Joints, "joint_states"),
            (of_added, Part::Added, "added_joint_states"),
            (listens && self.stages.constraints.tears.corners > 0, Part::Tears, "torn_edges"),
            (self.stages.sensors.particles > 0, Part::Inside, "inside_counts"),
        ];
        let (buffers, room) = (&self.buffers, self.heard.room);
        let source = |(wanted, part, name): (bool, Part, &'static str)| {
            let buffer = if wanted { buffers.get(name).ok()? } else { return None };
            let (offset, size) = match part {
                Part::Told => (0, (room * size_of::<ToldRow>()) as u64),
                Part::Dropped => (events::dropped_at(), 4),
                _ => (0, buffer.size()),
            };
            Some((part, Source { buffer, offset, size }))
        };
        let parts: Vec<(Part, Source<'_>)> = wanted.into_iter().filter_map(source).collect();
        if parts.is_empty() {
            return;
        }
        let added = if of_added { self.added.joints.by_row() } else { Vec::new() };
        self.heard.send(&self.context, encoder, &parts, self.frame, added);
        if let Some((_, counts)) = parts.iter().find(|(part, _)| *part == Part::Inside) {
            // The next frame counts anew.
            encoder.clear_buffer(counts.buffer, 0, None);
        }
    }
}
