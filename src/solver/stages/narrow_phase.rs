//! The narrow phase: of what is near, the contacts that each particle may make until the next search, the bodies told of them, and
//! in every iteration where each contact is now.

use super::ground::{Room, World, list_rows, most_rows};
use super::rows::{BodyProperties, Control};
use super::stage::{Frame, List, Pass, Trigger};
use crate::gpu::wgsl::common::contact::{
    Contact, LIQUID_SUPPORT, LISTED_COLLIDERS, LISTED_OTHERS, ListedContact, MOST_CONTACT_SLOTS,
};
use crate::gpu::{Buffers, Context, GpuError, wgpu::BufferUsages};
use crate::numbers::cubed;
use crate::scene::Scene;

static CLEAR: Pass = Pass::new("narrow_phase/clear");
static FIND_COLLIDERS: Pass = Pass::new("narrow_phase/find_colliders");
static FIND: Pass = Pass::new("narrow_phase/find");
static REVERSE: Pass = Pass::new("narrow_phase/reverse");
static ORDER: Pass = Pass::new("narrow_phase/order");
static ORDER_LONG: Pass = Pass::new("narrow_phase/order_long");
/// Runs when contacts get more room, in no frame.
pub(in crate::solver) static WIDEN: Pass = Pass::new("narrow_phase/widen");
static UPDATE: Pass = Pass::new("narrow_phase/update");
static UPDATE_COLLIDERS: Pass = Pass::new("narrow_phase/update_colliders");

/// Bodies that share a workgroup which sorts long lists, and how many there may be until they do.
const BODIES_OF_GROUP: u32 = 8;
const MOST_ALONE: u32 = 16;
/// Bytes of contacts that a small world may take from the start, so that a sudden crash seldom finds the slots full.
const FIRST_BYTES: usize = 64 << 20;
/// Contact slots of a particle at the start: at least, and at most where particles of bodies are few or many.
const FIRST_SLOTS: u32 = 16;
const FIRST_SLOTS_OF_FREE: usize = 48;
const FIRST_SLOTS_ON_BODIES: usize = 16;
/// Slots of a body for contacts that others own: for each of its particles, and for all.
const REVERSE_OF_PARTICLE: u32 = 16;
const REVERSE_OF_BODY: u32 = 64;

/// The narrow phase in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
}

impl Stage {
    /// Empties what a search fills.
    pub(in crate::solver) fn begin_search(&self, f: &mut Frame) {
        f.run_when(Trigger::Contacts, &CLEAR, self.world.bodies);
    }

    /// Finds contacts among what is near.
    pub(in crate::solver) fn search(&self, f: &mut Frame) {
        let World { particles, colliders, meets, bodies, .. } = self.world;
        let (all, on_bodies) = (if meets { particles } else { 0 }, self.world.on_bodies());
        f.run_when(Trigger::Contacts, &FIND_COLLIDERS, if colliders > 0 { on_bodies } else { 0 });
        f.run_when(Trigger::Contacts, &FIND, all);
        f.run_when(Trigger::Contacts, &REVERSE, all);
        f.run_when(Trigger::Contacts, &ORDER, on_bodies);
        let groups = bodies.min(MOST_ALONE).max(bodies.div_ceil(BODIES_OF_GROUP));
        f.run_when(Trigger::Contacts, &ORDER_LONG, groups * self.world.lanes);
    }

    /// Measures the contacts where things are now.
    pub(in crate::solver) fn update(&self, f: &mut Frame) {
        if self.world.meets {
            f.run_listed(&UPDATE, List::of("contact_list", LISTED_OTHERS));
        }
        if self.world.bodies > 0 && self.world.colliders > 0 {
            f.run_listed(&UPDATE_COLLIDERS, List::of("contact_list", LISTED_COLLIDERS));
        }
    }
}

/// Gives each body its slots for contacts that others own, before they are multiplied by their factor; returns how many there are in all.
pub(in crate::solver) fn share_reverse_slots(scene: &Scene, properties: &mut [BodyProperties]) -> u32 {
    let mut slots = 0;
    for row in properties {
        row.first_reverse = slots;
        row.reverse_capacity = REVERSE_OF_PARTICLE * row.link_count + REVERSE_OF_BODY + liquid_around(scene, row.reach);
        slots += row.reverse_capacity;
    }
    slots
}

/// Particles of liquid that a body of this reach [m] may touch: those in a shell around a ball, as thick as they feel and one
/// more for what moves.
fn liquid_around(scene: &Scene, reach: f32) -> u32 {
    let Some(liquid) = scene.liquids.first() else { return 0 };
    let spacing = 2.0 * liquid.radius;
    let ball = |radius: f32| 4.0 / 3.0 * std::f32::consts::PI * cubed(radius / spacing);
    let all: usize = scene.liquids.iter().flat_map(|l| &l.blocks).map(ExactSizeIterator::len).sum();
    ((ball(reach + 0.5 * LIQUID_SUPPORT * spacing + spacing) - ball(reach)) as u32).min(all as u32)
}

/// Contact slots at the start: many where free particles, which crowd, are few.
pub(in crate::solver) fn first_slots(scene: &Scene) -> u32 {
    let held: usize = scene.bodies.iter().map(|body| body.links.len()).sum();
    let most = if scene.particles.len() > held { FIRST_SLOTS_OF_FREE } else { FIRST_SLOTS_ON_BODIES };
    let fitting = FIRST_BYTES / (scene.particles.len().max(1) * size_of::<Contact>());
    fitting.clamp(FIRST_SLOTS as usize, most) as u32
}

/// Contact slots against bodies and particles that the device can hold.
pub(in crate::solver) fn most_slots(context: &Context, world: &World) -> u32 {
    let rows = most_rows(context, size_of::<Contact>());
    (rows / world.particles.max(1) as usize).saturating_sub(world.contact_slots(0) as usize) as u32
}

/// Gives lists that overflowed, or soon may, more room.
/// Bodies have so many slots for contacts of others, before they are multiplied.
pub(in crate::solver) fn grow(
    control: &Control,
    room: &mut Room,
    context: &Context,
    world: &World,
    reverse_slots: u32,
) {
    let most = most_slots(context, world).min(MOST_CONTACT_SLOTS);
    let crowded = control.contacts_dropped > 0 || 4 * control.contacts_most > 3 * room.contacts;
    if crowded && room.contacts < most {
        room.contacts = (room.contacts + room.contacts / 2).max(control.contacts_most * 4 / 3).min(most);
    }
    if control.neighbors_dropped > 0 && room.reverse_factor < most_factor(context, reverse_slots) {
        room.reverse_factor *= 2;
    }
}

/// Times so many slots for contacts that others own that the device can hold.
fn most_factor(context: &Context, reverse_slots: u32) -> u32 {
    most_rows(context, size_of::<[u32; 2]>()) as u32 / (2 * reverse_slots.max(1))
}

/// Makes the buffers of contacts. `primary` is the body of each particle, `NONE` for free ones; bodies have so many slots for contacts
/// of others, before they are multiplied.
pub(in crate::solver) fn create(
    b: &mut Buffers,
    primary: &[u32],
    world: &World,
    reverse_slots: u32,
    room: &Room,
) -> Result<(), GpuError> {
    create_contacts(b, world, room)?;
    // Each row knows its particle's body.
    let words = 2 + world.contact_slots(room.contacts) as usize;
    let mut targets = vec![0; primary.len() * words];
    for (row, body) in targets.chunks_exact_mut(words).zip(primary) {
        row[1] = *body;
    }
    b.upload("contact_targets", 0, &targets)?;
    b.create::<u32>("reverse_counts", world.bodies as usize, BufferUsages::empty())?; // [body_count] contacts that others own
    create_reverse(b, (reverse_slots * room.reverse_factor) as usize)
}

/// Makes the lists of contacts that particles own, empty.
pub(in crate::solver) fn create_contacts(b: &mut Buffers, world: &World, room: &Room) -> Result<(), GpuError> {
    let (particles, none) = (world.particles as usize, BufferUsages::empty());
    let slots = world.contact_slots(room.contacts) as usize;
    b.create::<u32>("contact_targets", particles * (2 + slots), none)?; // [particle_count * (2 + slots)]
    let listed = list_rows::<ListedContact>(2, particles * slots);
    b.create::<ListedContact>("contact_list", listed, BufferUsages::INDIRECT)?; // of two lists
    b.create::<Contact>("contacts", particles * slots, none) // [slots * particle_count]
}

/// Makes the lists of contacts that others own, with so many slots in all.
pub(in crate::solver) fn create_reverse(b: &mut Buffers, slots: usize) -> Result<(), GpuError> {
    b.create::<[u32; 2]>("reverse_unsorted", slots, BufferUsages::empty())?; // owner, contact; ranges in body_properties
    b.create::<[u32; 2]>("reverse_contacts", slots, BufferUsages::empty()) // the same, sorted
}
