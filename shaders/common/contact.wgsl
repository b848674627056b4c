#import "common/rotation"
#import "common/friction"
#import "common/list"
// Contact records. A particle owns its contacts; slots are fixed, so one thread writes and everyone may read.

struct Contact {
    normal: vec3f,             // from the target to the particle
    separation: f32,           // [m], negative is overlap
    point: vec3f,              // where they touch in the world [m]; of liquid: on the surface of the target
    touching: f32,             // APART, TOUCHING or SLIPPERY in this iteration
    impulse: vec3f,            // between bodies: friction; of a free particle: all that makes velocity [kg m]
    normal_impulse: f32,       // along the normal: between bodies all; of a free particle what makes no velocity [kg m]
    anchor: vec3f,             // point of the target that friction holds on to, in its frame [m]; at a body of liquid: impulse
                               // of its viscosity [kg m]
    hold: f32,                 // 1 when the anchor holds; WET at a body of liquid
    grip: vec3f,               // the point of the particle's side held to it, in its frame [m]; at a body of liquid x: how
                               // fast it displaces liquid [1/m], y: impulse of the pressure on it [kg m], z: that for the next substep
    partner: u32,              // of a body the collider it touches, or the manifold's slot at its lower body, NONE for none
    stops: f32,                // of a free particle that lies under a body: the part of the impulse that stops it, else -1
    arm: f32,                  // of a free particle: from its center to the point along the normal [m]; between bodies: how fast
                               // an impact lets them part [m/s], 0 once they do
    other_arm: f32,            // from there to the center of a particle that it touches [m]; at a body of liquid: how much of the
                               // room behind the surface is the body, 1 behind a face; between bodies: what is left of the
                               // impulse of an impact [kg m]
    warm_start: f32,           // between bodies: normal impulse that the next substep begins with [kg m]
}

// Whether a contact touches: not; with friction; without.
const APART: f32 = 0.0;
const TOUCHING: f32 = 1.0;
const SLIPPERY: f32 = 2.0;

// Mark of a body's contact with liquid, which presses from afar and has no friction to hold.
const WET: f32 = 2.0;

// Contacts this near count as touching, in radii [dimensionless]. Counting only overlap makes the shares of a resting
// body jump whenever one contact opens by a micrometre, and the body rocks for ever.
const CONTACT_SLOP: f32 = 0.02;
// A body that the host has put no farther stays where it was, to those that touch it [particle radii].
const UNNOTICED: f32 = 2.0 * CONTACT_SLOP;

// How far surfaces displace liquid, in radii of its particles: it feels contacts from there on; solver::fluid::SUPPORT.
const LIQUID_SUPPORT: f32 = 4.0;

// Slots against colliders of a particle of a body, after `contact_capacity` slots against bodies and particles. Free particles
// meet colliders without: `contacts/collide`.
const COLLIDER_SLOTS: u32 = 6u;
// Most slots against bodies and particles.
const MOST_CONTACT_SLOTS: u32 = 64u;

// `contact_targets` has a row per particle: counts (low half colliders, high half bodies and particles), the
// particle's primary body, then one word a slot. First slot word of a particle:
fn target_base(particle: u32, contact_slots: u32) -> u32 {
    return particle * (2u + contact_slots) + 2u;
}

// Rows in `contacts`: the first slots of all particles, then the second ones, and so on, because most are empty.
fn slot_at(particle: u32, k: u32, particle_count: u32) -> u32 {
    return k * particle_count + particle;
}

const TARGET_KIND: u32 = 0xc0000000u;
const TARGET_INDEX: u32 = 0x3fffffffu;
const TARGET_BODY: u32 = 0x00000000u;      // body index; normal from the body's signed distance
const TARGET_PARTICLE: u32 = 0x40000000u;  // particle index; normal between the centres, owned by both sides
const TARGET_COLLIDER: u32 = 0x80000000u;  // collider index
const TARGET_TRIANGLE: u32 = 0xc0000000u;  // row of the triangle in `shapes`

// A body and another (or, in its first slot, the world) that may touch until the next search. Both bodies have one.
struct Manifold {
    other: u32,                // NONE in an empty slot
    first: u32,                // contacts that the other's particles own on this body, in `reverse_contacts`;
    count: u32,                // in the first slot: contacts with colliders, in `world_contacts`
    twin: u32,                 // the other body's slot
}

// Where contact `k` of a pair stands in `reverse_contacts`: those that the particles of the other body own come first, then its own.
fn contact_of_pair(own: Manifold, twin: Manifold, k: u32) -> u32 {
    return select(twin.first + k - own.count, own.first + k, k < own.count);
}

// Slots of a body at the start, `manifold_slots` of the parameters; the first is the world's.
const FIRST_MANIFOLD_SLOTS: u32 = 32u;

// What a pair does to the body: see `Push`.
struct ManifoldImpulse {
    linear: vec4f,             // w: 1 when something touches, -1 after the last pair of the body
    angular: vec4f,
    velocity_linear: vec4f,
    velocity_angular: vec4f,
    warm_start_linear: vec4f,     // what the next substep begins with
    warm_start_angular: vec4f,
}

// `loads`: what touches, as three lists and as counts.
struct Loads {
    heads: array<ListHead, 3>,    // of TOUCHING_MANIFOLDS, TOUCHING_WORLD, TOUCHING_PARTICLES
    words: array<u32>,            // touching pairs and particles of each body, touching contacts of each free particle, what it
                                  // bore, then what the functions below tell
}

// The same where threads count.
struct GrowingLoads {
    heads: array<GrowingListHead, 3>,
    words: array<atomic<u32>>,
}

// Slots of touching pairs of bodies; first slots of bodies that touch the world; free particles that touch anything.
const TOUCHING_MANIFOLDS: u32 = 0u;
const TOUCHING_WORLD: u32 = 1u;
const TOUCHING_PARTICLES: u32 = 2u;

// Word of the load over its mass [1/kg] of a free particle when it last moved.
fn yielding_of(particle: u32, body_count: u32, particle_count: u32) -> u32 {
    return body_count + particle_count + particle;
}

// Word of a pair's touching contacts, counted at its slot of the lower body.
fn touch_count(slot: u32, body_count: u32, particle_count: u32) -> u32 {
    return yielding_of(particle_count, body_count, particle_count) + slot;
}

// Word of the first entry of a list. A touching pair has one slot of two.
fn first_touching(list: u32, slots: u32, body_count: u32, particle_count: u32) -> u32 {
    var first = touch_count(body_count * slots, body_count, particle_count);
    if list > TOUCHING_MANIFOLDS {
        first += body_count * slots / 2u;
    }
    if list > TOUCHING_WORLD {
        first += body_count;
    }
    return first;
}

struct ListedContact {
    slot: u32,                 // row in `contacts`, with STILL
    other: u32,                // as in `contact_targets`
}

// `contact_list`: contacts with bodies and particles, then those with colliders.
struct ContactList {
    heads: array<ListHead, 2>,    // of LISTED_COLLIDERS, LISTED_OTHERS
    contacts: array<ListedContact>,
}

// The same where threads add contacts.
struct GrowingContactList {
    heads: array<GrowingListHead, 2>,
    contacts: array<ListedContact>,
}

const LISTED_COLLIDERS: u32 = 0u;
const LISTED_OTHERS: u32 = 1u;

// The first contact of a list.
fn first_listed(list: u32, contact_capacity: u32, particle_count: u32) -> u32 {
    return select(0u, contact_capacity * particle_count, list == LISTED_COLLIDERS);
}

// Set in the slot of a contact of a grain that has come to rest: it does not wake a body.
const STILL: u32 = 0x80000000u;

// What a collider adds to the load of a free particle that it touches; a body or a particle adds 1.
const LOAD_COLLIDER: u32 = 0x10000u;
// Set in it where one of them is below the particle.
const LOAD_BORNE: u32 = 0x80000000u;

// Shares that the mass of a free particle is split into for bodies and particles: colliders bear some of what presses on it.
fn load_of_free(load: u32) -> f32 {
    return f32(load % LOAD_COLLIDER + (load & ~LOAD_BORNE) / LOAD_COLLIDER);
}

// Set in a body's load when a moving neighbour touched it while asleep.
const LOAD_WAKE: u32 = 0x80000000u;
// What a free particle adds to the load of the body it touches; a pair adds 1.
const LOAD_PARTICLE: u32 = 0x1000u;

// Shares that the mass of a body is split into: one for each pair, and one for all free particles together, so that cloth
// over a box does not soften the ground under it.
fn load_shares(load: u32) -> f32 {
    let count = load & ~LOAD_WAKE;
    return f32(count % LOAD_PARTICLE + min(count / LOAD_PARTICLE, 1u));
}

// The same for one of those particles, which split their share again.
fn load_of_particle(load: u32) -> f32 {
    return load_shares(load) * f32(max((load & ~LOAD_WAKE) / LOAD_PARTICLE, 1u));
}

struct Collider {
    position: vec3f,           // at the start of the frame [m]
    friction: f32,
    rotation: vec4f,
    velocity: vec3f,           // [m/s]
    restitution: f32,
    angular_velocity: vec3f,   // [rad/s]
    shape: u32,
    surface_velocity: vec3f,   // of its surface along itself, as a belt's, in its frame [m/s]
}

// Whether it is elsewhere after a while.
fn travels(c: Collider) -> bool {
    return any(c.velocity != vec3f(0.0)) || any(c.angular_velocity != vec3f(0.0));
}

// Whether it moves what lies on it.
fn carries(c: Collider) -> bool {
    return travels(c) || any(c.surface_velocity != vec3f(0.0));
}

// Of a point of it [m/s].
fn collider_velocity_at(c: Collider, point: vec3f) -> vec3f {
    return c.velocity + cross(c.angular_velocity, point - c.position);
}

// Of its surface over that, where it faces along `n` [m/s].
fn running(c: Collider, n: vec3f) -> vec3f {
    return tangential(rotate(c.rotation, c.surface_velocity), n);
}

// The collider's pose `time` after the start of the frame.
fn collider_at(c: Collider, time: f32) -> Collider {
    var out = c;
    out.position = c.position + c.velocity * time;
    out.rotation = turn(c.rotation, c.angular_velocity * time);
    return out;
}
