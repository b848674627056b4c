#import "common/rotation"
#import "common/inverse"
// Rigid bodies: state, properties, and the response of a body to an impulse.

struct Body {
    center: vec3f,             // of mass [m]
    inv_mass: f32,             // inverse mass in force now [1/kg], 0 when asleep, kinematic or removed
    rotation: vec4f,           // unit quaternion xyzw; zero when removed
    velocity: vec3f,           // of the center [m/s]
    rest_time: f32,            // time spent near one pose [s]
    angular_velocity: vec3f,   // [rad/s]
    margin: f32,               // motion left until contacts are searched again [m]
}

// Where a body is.
struct Pose {
    center: vec3f,             // [m]
    rotation: vec4f,
}

struct BodyProperties {
    inverse_inertia: vec3f,    // xx yy zz of the inverse tensor [1/(kg m²)]
    inv_mass: f32,             // while awake [1/kg], 0 when kinematic
    inverse_inertia_off: vec3f,// xy xz yz
    reach: f32,                // of the particles from the center [m]
    inertia: vec3f,            // xx yy zz of the tensor [kg m²]
    friction: f32,
    inertia_off: vec3f,        // xy xz yz
    restitution: f32,
    shape: u32,
    flags: u32,
    assembly: u32,
    first_link: u32,
    link_count: u32,
    first_reverse: u32,        // slots of contacts that other particles own, all times `reverse_factor`
    reverse_capacity: u32,
    first_ignored: u32,
    ignored_count: u32,
    push_speed: f32,           // fastest that overlaps with it open [m/s]
    gravity_scale: f32,
    damping: u32,              // of its way, and of its spin, beside that of the world: see `own_damping`
}

const BODY_KINEMATIC: u32 = 1u;
const BODY_REMOVED: u32 = 2u;
const BODY_BALL: u32 = 4u; // its particles have PHASE_BALL
const BODY_TIED: u32 = 8u; // joints tie it to others
// Where three bits are: axes of the world along which it does not move, and about which it does not turn.
const LOCKED_BITS: u32 = 4u;
const UPRIGHT_BITS: u32 = 8u;

// The upper half: most force with which a body presses that is held with an end to its strength [N], as the upper half of a number; 0
// of all others.
const HELD_FORCE: u32 = 0xffff0000u;

// Whether some body has locked axes.
override LOCKS: bool = false;

fn has_locks(p: BodyProperties) -> bool {
    return LOCKS && (p.flags & ((7u << LOCKED_BITS) | (7u << UPRIGHT_BITS))) != 0u;
}

// What is left of a way, or of a turn, of a body with these flags.
fn unlocked(flags: u32, first: u32, v: vec3f) -> vec3f {
    if !LOCKS {
        return v;
    }
    return select(v, vec3f(0.0), (vec3u(flags) & (vec3u(1u, 2u, 4u) << vec3u(first))) != vec3u());
}

// Of the way and of the spin [1/s]. Squares of 16 bits: small ones are kept as well as large ones.
const MOST_DAMPING: f32 = 1000.0;

fn own_damping(p: BodyProperties) -> vec2f {
    let root = unpack2x16unorm(p.damping);
    return MOST_DAMPING * root * root;
}

fn free_way(p: BodyProperties, v: vec3f) -> vec3f {
    return unlocked(p.flags, LOCKED_BITS, v);
}

// How much of its inverse mass a body has along a unit vector.
fn yield_along(p: BodyProperties, n: vec3f) -> f32 {
    if !LOCKS {
        return 1.0;
    }
    return dot(n, free_way(p, n));
}

// A particle's place in a body (paper 5, listing 1). Links of one body are contiguous.
struct Link {
    local: vec4f,              // place in the body's frame [m]; w: share of the body's mass [kg]
    particle: u32,
    body: u32,
    next: u32,                 // next link of the same particle, NONE at the end
    primary: u32,              // 1 when this body answers for the particle's contacts
}

struct ParticleRow {
    local: vec4f,              // place in the primary body, of a free one at rest [m]; w: radius [m]
    body: u32,                 // primary body, NONE when free
    phase: u32,
    link: u32,                 // first link, NONE when free
    proxy: u32,
    limiter: u32,              // the hinge limiter across the joint that it meets, NONE for others
    friction: f32,             // of a free one; with PHASE_BALL the radius of the ball [m]
    finest: f32,               // shortest height at rest of the triangles that a free one is a corner of [m], or very long; with
                               // PHASE_BALL how many proxies of the ball come before its own, -1 if it does not stand for the ball;
                               // with PHASE_RING half of the angle between particles of the ring [rad]
    sleeper: f32,              // inverse mass of a grain that may sleep, while awake [1/kg]; 0 of others
}

const PHASE_GHOST: u32 = 1u;
const PHASE_LIMITER: u32 = 2u;
const PHASE_MEETS_ITSELF: u32 = 4u; // particles of its group meet, unless they rest closer than they are large
const PHASE_LIQUID: u32 = 8u;
const PHASE_STILL: u32 = 32u; // a free particle without inverse mass, in `sorted_proxies` only
const PHASE_BALL: u32 = 64u; // of a body that is a ball, in `particle_rows` only: see `narrow_phase/ball`
const PHASE_RING: u32 = 128u; // of a ring about the Y axis of a body, in `particle_rows` only: see `narrow_phase/ring`
const PHASE_SKINNED: u32 = 16u; // triangles stand for it where others have some: solver::surfaces::SKINNED

// Groups are above the flags, and above them what tells its layers: see `common/layers`.
fn group_of(phase: u32) -> u32 {
    return (phase >> 8u) & 0xfffffu;
}

// Particles of one group do not meet unless both say so; group 0 is no group. Liquid meets liquid by its density, and two
// surfaces meet by their triangles.
fn filtered(a: u32, b: u32) -> bool {
    let joined = group_of(a) != 0u && group_of(a) == group_of(b) && (a & b & PHASE_MEETS_ITSELF) == 0u;
    return joined || (a & b & (PHASE_LIQUID | PHASE_SKINNED)) != 0u;
}

// The same for all proxies of a cell: they are numbered what has triangles first, then by group, so that what the first and
// the last have in common all have. Most cells of a soft body.
fn all_filtered(own: u32, first: u32, last: u32) -> bool {
    return ((first ^ last) & PHASE_SKINNED) == 0u && filtered(own, first) && filtered(own, last);
}

// Friction of a pair: the mean; what has none slides on everything.
fn pair_friction(a: f32, b: f32) -> f32 {
    return select(0.5 * (a + b), 0.0, min(a, b) == 0.0);
}

// Of two free particles; nothing rubs on liquid.
fn friction_between(a: ParticleRow, b: ParticleRow) -> f32 {
    return select(pair_friction(a.friction, b.friction), 0.0, ((a.phase | b.phase) & PHASE_LIQUID) != 0u);
}

fn symmetric_times(diagonal: vec3f, off: vec3f, v: vec3f) -> vec3f {
    return vec3f(
        diagonal.x * v.x + off.x * v.y + off.y * v.z,
        off.x * v.x + diagonal.y * v.y + off.z * v.z,
        off.y * v.x + off.z * v.y + diagonal.z * v.z,
    );
}

// I⁻¹ v with the tensor turned into the world.
fn inverse_inertia_times(p: BodyProperties, rotation: vec4f, v: vec3f) -> vec3f {
    if LOCKS && (p.flags & (7u << UPRIGHT_BITS)) != 0u && p.inv_mass != 0.0 {
        return unlocked_response(p, rotation, v);
    }
    return rotate(rotation, symmetric_times(p.inverse_inertia, p.inverse_inertia_off, rotate_back(rotation, v)));
}

// About locked axes the world takes what it takes to hold the body: about the others it answers by their own part of I.
fn unlocked_response(p: BodyProperties, rotation: vec4f, v: vec3f) -> vec3f {
    let free = unlocked(p.flags, UPRIGHT_BITS, vec3f(1.0));
    if all(free == vec3f(0.0)) {
        return vec3f(0.0);
    }
    let size = p.inertia.x + p.inertia.y + p.inertia.z;
    var part: mat3x3f;
    for (var i = 0u; i < 3u; i++) {
        let axis = vec3f(vec3u(i) == vec3u(0u, 1u, 2u));
        part[i] = select(size * axis, free * inertia_times(p, rotation, axis), free[i] != 0.0);
    }
    return inverse(part) * (free * v);
}

fn inertia_times(p: BodyProperties, rotation: vec4f, v: vec3f) -> vec3f {
    return rotate(rotation, symmetric_times(p.inertia, p.inertia_off, rotate_back(rotation, v)));
}

// Generalized inverse mass along n at the arm r from the centre: 1/M + (r×n)ᵀ I⁻¹ (r×n) [1/kg].
fn body_weight(b: Body, p: BodyProperties, arm: vec3f, n: vec3f) -> f32 {
    if b.inv_mass == 0.0 {
        return 0.0;
    }
    let rn = cross(arm, n);
    return b.inv_mass * yield_along(p, n) + dot(rn, inverse_inertia_times(p, b.rotation, rn));
}

fn body_velocity_at(b: Body, arm: vec3f) -> vec3f {
    return b.velocity + cross(b.angular_velocity, arm);
}

// Impulse of contacts with which the next substep begins [kg m], [kg m²].
struct WarmStart {
    linear: vec3f,
    angular: vec3f,
}

// An impulse on a body: what moves it, and how much of that also becomes velocity. Units of a substep: [kg m], [kg m²].
struct Push {
    linear: vec3f,
    angular: vec3f,
    velocity_linear: vec3f,
    velocity_angular: vec3f,
}

// Moves and turns a body. Angular momentum is what the push adds to it, whichever way the body turns.
fn body_pushed(b: Body, p: BodyProperties, push: Push, substep_dt: f32) -> Body {
    var out = b;
    out.center = b.center + b.inv_mass * free_way(p, push.linear);
    out.velocity = b.velocity + b.inv_mass * free_way(p, push.velocity_linear) / substep_dt;
    let momentum = inertia_times(p, b.rotation, b.angular_velocity) + push.velocity_angular / substep_dt;
    out.rotation = turn(b.rotation, shortened(inverse_inertia_times(p, b.rotation, push.angular), 0.5));
    out.angular_velocity = inverse_inertia_times(p, out.rotation, momentum);
    return out;
}

// Motion of a body in this substep that is not part of its velocity: overlap is pushed out without making any. And
// what the next substep begins with.
struct PseudoMotion {
    linear: vec4f,             // [m]
    rotation: vec4f,           // unit quaternion
    warm_start_linear: vec4f,     // see `WarmStart`
    warm_start_angular: vec4f,
}

// `shift` after a push.
fn pseudo_moved(shift: PseudoMotion, b: Body, p: BodyProperties, push: Push) -> PseudoMotion {
    let turned = shortened(inverse_inertia_times(p, b.rotation, push.angular), 0.5)
        - inverse_inertia_times(p, b.rotation, push.velocity_angular);
    var out = shift;
    out.linear += vec4f(b.inv_mass * free_way(p, push.linear - push.velocity_linear), 0.0);
    out.rotation = turn(shift.rotation, turned);
    return out;
}

// How far any point of a body may have gone from where it was `before` [m].
fn way_from(before: Body, b: Body, reach: f32) -> f32 {
    let turned = quat_mul(b.rotation, quat_conjugate(before.rotation));
    return length(b.center - before.center) + 2.0 * length(turned.xyz) * reach;
}
