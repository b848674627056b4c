// Contact records. A particle owns its contacts; slots are fixed, so one thread writes and everyone may read.

struct Contact {
    normal: vec4f,             // from the target to the particle; w: separation [m], negative is overlap
    point: vec4f,              // where they touch in the world [m]; w: the target's share of the impulse, 0 when inactive
    impulse: vec4f,            // velocity-making correction of the particle's side [kg m]; w: further push along n [kg m]
    anchor: vec4f,             // point of the target that friction holds on to, in its frame [m]; w: 1 when it holds
    grip: vec4f,               // the point of the particle's side held to it, in its frame [m]
    passing: vec4f,            // half the relative motion of the two centers in this substep [m]
}

// Contacts this near count as touching, in radii [dimensionless]. Counting only overlap makes the shares of a resting
// body jump whenever one contact opens by a micrometre, and the body rocks for ever.
const CONTACT_SLOP: f32 = 0.02;

// Slots against colliders come first, then `contact_capacity` slots against bodies and particles.
const COLLIDER_SLOTS: u32 = 4u;

// `contact_targets` has a row per particle: counts (low half colliders, high half bodies and particles), the
// particle's primary body, then one word a slot. First slot word of a particle:
fn target_base(particle: u32, contact_capacity: u32) -> u32 {
    return particle * (2u + COLLIDER_SLOTS + contact_capacity) + 2u;
}

fn slot_base(particle: u32, contact_capacity: u32) -> u32 {
    return particle * (COLLIDER_SLOTS + contact_capacity);
}

const TARGET_KIND: u32 = 0xc0000000u;
const TARGET_INDEX: u32 = 0x3fffffffu;
const TARGET_BODY: u32 = 0x00000000u;      // body index; normal from the body's signed distance
const TARGET_PARTICLE: u32 = 0x40000000u;  // particle index; normal between the centres, owned by both sides
const TARGET_COLLIDER: u32 = 0x80000000u;  // collider index
const TARGET_TRIANGLE: u32 = 0xc0000000u;  // row of the triangle in `shapes`

// Set in a body's load when a moving neighbour touched it while asleep.
const LOAD_WAKE: u32 = 0x80000000u;

struct Collider {
    position: vec4f,           // at the start of the frame [m]; w: friction
    rotation: vec4f,
    velocity: vec4f,           // [m/s]; w: restitution
    angular_velocity: vec4f,   // [rad/s]
    shape: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
}

// The collider's pose `time` after the start of the frame.
fn collider_at(c: Collider, time: f32) -> Collider {
    var out = c;
    out.position = vec4f(c.position.xyz + c.velocity.xyz * time, c.position.w);
    out.rotation = turn(c.rotation, c.angular_velocity.xyz * time);
    return out;
}
