#import "common/params"
#import "common/friction"
#import "contacts/borne"
#import "contacts/opening"
#import "contacts/meet_colliders"
#import "common/thread"
// One thread per particle; free ones only. Keeps it out of colliders, one after the other, after all else that moves it: search,
// distance, friction and motion in one. Static and dynamic friction act on the stretch between the points that touched when the
// contact began.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> colliders: array<Collider>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read_write> collider_gaps: array<ColliderGap>;
@group(1) @binding(6) var<storage, read_write> collider_grips: array<ColliderGrip>;
@group(1) @binding(7) var<storage, read_write> loads: Loads;

// Friction of a free particle against a collider, while it lasts.
struct ColliderGrip {
    anchor: vec3f,             // point of the collider that is held, in its frame [m]
    other: u32,                // collider or triangle as in `contact_targets`, 0 for none
    grip: vec3f,               // the point of the particle held to it, from its center [m]
}

// Colliders and triangles that friction can hold one to at once; none where no free particle has friction.
override GRIP_SLOTS: u32 = 6u;

var<private> particle: u32;
var<private> velocity: vec3f;
var<private> friction: f32;
var<private> load: u32;        // by how many colliders and triangles it is touched, as in `loads`
var<private> kept: u32;        // grips that last, as bits

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    particle = global_index(id, groups);
    if particle >= params.particle_count || particle_rows[particle].body != NONE {
        return;
    }
    let phase = particle_rows[particle].phase;
    let v = particle_velocities[particle];
    if v.w == 0.0 || (phase & PHASE_GHOST) != 0u {
        // What meets nothing now may do so later, and colliders come nearer meanwhile.
        spend_gap(select(params.collider_speed * params.substep_dt, 2.0 * FARTHEST_GAP, params.colliders_placed != 0u));
        return;
    }
    let x = particles[particle];
    radius = x.w;
    let near = colliders_near(particle, x.xyz, felt_from(phase, radius), radius);
    spend_gap(params.collider_speed * params.substep_dt);
    friction = particle_rows[particle].friction;
    place = x.xyz;
    velocity = v.xyz;
    meet_all(near);
    if GRIP_SLOTS > 0u {
        let_go();
    }
    // For the next iteration; where nothing else is met there is no load.
    if params.proxy_count > 0u && loads.words[params.body_count + particle] != load {
        loads.words[params.body_count + particle] = load;
    }
    if any(place != x.xyz) || any(velocity != v.xyz) {
        particles[particle] = vec4f(place, radius);
        particle_velocities[particle] = vec4f(velocity, v.w);
    }
}

// Moves the particle out of what is at this normal and distance in the collider's frame.
fn touch(other: u32, index: u32, c: Collider, at: vec4f) {
    let separation = at.w - radius;
    if separation > GRIP_KEPT * radius {
        return;
    }
    let slot = grip_of(other);
    let rests = slot < GRIP_SLOTS && collider_grips[row_of(slot)].other == other;
    if separation >= CONTACT_SLOP * radius {
        // A short gap keeps the grip, so that a shaking contact does not creep; a longer one does not.
        if rests {
            kept |= 1u << slot;
        }
        return;
    }
    let h = params.substep_dt;
    let n = rotate(c.rotation, at.xyz);
    let point = place - n * (radius + separation);
    let relative = velocity - collider_velocity_at(c, point);
    // Where it was a substep ago tells from which side it comes, unless it rests here.
    if ONE_WAY && !rests && lets_pass(c.shape, at.xyz, h * dot(relative, n) - at.w, dot(relative, n)) {
        return;
    }
    load += LOAD_COLLIDER;
    if dot(n, params.gravity) < -BEARING * length(params.gravity) {
        load |= LOAD_BORNE;
    }
    // C = separation, all of it: nothing else gives way.
    let depth = max(-separation, 0.0);
    let push = opened(depth, max(-dot(relative, n), 0.0) * h, c.restitution);
    var gained = n * push;
    if GRIP_SLOTS > 0u && slot < GRIP_SLOTS {
        gained += held_back(slot, other, c, n, point, relative, push);
    }
    place += gained + n * max(depth - push, 0.0);
    velocity += gained / h;
}

// What friction moves it by [m], for a push along the normal [m].
fn held_back(slot: u32, other: u32, c: Collider, n: vec3f, point: vec3f, relative: vec3f, push: f32) -> vec3f {
    let h = params.substep_dt;
    let runs = running(c, n) * h;
    let slide = tangential(relative, n) * h - runs;
    var grip = collider_grips[row_of(slot)];
    let fresh = grip.other != other;
    if fresh {
        grip = ColliderGrip(rotate_back(c.rotation, point - slide - c.position), other, point - place);
    } else {
        grip.anchor += select(vec3f(0.0), rotate_back(c.rotation, runs), batch.iteration == 0u);
    }
    kept |= 1u << slot;
    let gripping = place + grip.grip;
    let stretch = tangential(gripping - c.position - rotate(c.rotation, grip.anchor), n);
    let length = length(stretch);
    var back = vec3f(0.0);
    if length > LEAST_STRETCH {
        let mu = pair_friction(friction, c.friction) * params.friction_scale;
        // It slides where static friction would let it: all else has moved it already.
        let sliding = length - mu * push > SLIDING * h;
        let most = min(mu * push * select(1.0, params.dynamic_friction_ratio, sliding), length);
        if most < length {
            // Beyond the cone the grip is dragged along.
            grip.anchor = rotate_back(c.rotation, gripping - stretch * (most / length) - c.position);
        }
        back = stretch * (-most / length);
    }
    if fresh || length > LEAST_STRETCH {
        collider_grips[row_of(slot)] = grip;
    }
    return back;
}

// Takes a way of colliders [m] from the gap to the nearest one that is not near.
fn spend_gap(way: f32) {
    let before = collider_gaps[particle].gap;
    let left = max(before - way, -FARTHEST_GAP);
    if left != before {
        collider_gaps[particle].gap = left;
    }
}

fn row_of(slot: u32) -> u32 {
    return slot * params.particle_count + particle;
}

// The grip on a collider or triangle, or a slot for one: an empty one, else one of what was not met yet. None without friction.
fn grip_of(other: u32) -> u32 {
    var empty = NONE;
    var last = NONE;
    for (var k = 0u; k < select(0u, GRIP_SLOTS, friction > 0.0); k++) {
        let held = collider_grips[row_of(k)].other;
        if held == other {
            return k;
        }
        empty = select(empty, k, held == 0u && empty == NONE);
        last = select(last, k, (kept & (1u << k)) == 0u);
    }
    return select(empty, last, empty == NONE);
}

// Ends the grips on what is not near any more.
fn let_go() {
    for (var k = 0u; k < GRIP_SLOTS; k++) {
        if (kept & (1u << k)) == 0u && collider_grips[row_of(k)].other != 0u {
            collider_grips[row_of(k)].other = 0u;
        }
    }
}
