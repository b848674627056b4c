#import "common/params"
#import "common/body"
#import "contacts/borne"
#import "contacts/opening"
#import "common/friction"
#import "narrow_phase/bits"
#import "common/thread"
// One thread per free particle that touches a body or another particle. Jacobi: impulse of each active contact, λ = -C / (n_a w_a + n_b w_b), where n counts the
// active contacts of a side (Tonge et al. 2012) and w is its generalized inverse mass; static and dynamic friction
// act on the stretch between the points that touched when the contact began.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> loads: Loads;
@group(1) @binding(6) var<storage, read> particle_rows: array<ParticleRow>;

// Keeps quotients of impulses numbers [kg m].
const LEAST_IMPULSE: f32 = 1e-20;
// A grain that touches no more than so many things rolls off, others lock it. As grains do not turn, it slides, and loses its speed in so
// long [s].
const ROLLING: f32 = 1.0;
const ROLLING_TIME: f32 = 0.04;

// One side of a contact at the touching point.
struct Side {
    origin: vec3f,
    rotation: vec4f,
    velocity: vec3f,   // at the point [m/s]
    arm: vec3f,
    inv_mass: f32,
    load: f32,         // active contacts it carries
    restitution: f32,
    rolls: bool,       // if it is a grain
    body: u32,
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let listed = global_index(id, groups);
    if listed >= loads.heads[TOUCHING_PARTICLES].count {
        return;
    }
    let i = loads.words[first_touching(TOUCHING_PARTICLES, params.manifold_slots, params.body_count, params.particle_count) + listed];
    let first_target = target_base(i, params.contact_slots);
    // Few of the contacts touch, and threads side by side wait for one another: those are found first.
    let counts = contact_targets[first_target - 2u];
    let still = particle_velocities[i].w == 0.0;
    var touching = vec4u();
    for (var k = 0u; k < (counts >> 16u); k++) {
        if contacts[slot_at(i, k, params.particle_count)].touching != APART {
            touching |= bit(k);
        }
    }
    for (; any(touching != vec4u()); touching &= ~bit(first_bit(touching))) {
        let k = first_bit(touching);
        let contact = contact_targets[first_target + k];
        if !still || (contact & TARGET_KIND) == TARGET_BODY {
            solve(i, slot_at(i, k, params.particle_count), contact);
        }
    }
}

fn solve(particle: u32, slot: u32, contact: u32) {
    var c = contacts[slot];
    let n = c.normal;
    var a = particle_side(particle, c.point, n * c.arm);
    var b = contact_side(contact, c.point, n * -c.other_arm);
    if (contact & TARGET_KIND) == TARGET_PARTICLE {
        // Lower counts as heavier when mass scaling is on (Macklin et al. 2014, section 5.2).
        let scale = exp(clamp(0.5 * params.mass_scaling * n.y * (c.arm + c.other_arm), -3.0, 3.0));
        a.inv_mass *= scale;
        b.inv_mass /= scale;
    }
    if a.inv_mass == 0.0 && b.inv_mass == 0.0 {
        contacts[slot].touching = APART;
        return;
    }
    let h = params.substep_dt;
    let relative = a.velocity - b.velocity;
    let press = press_of(a, b, n, relative, max(-c.separation, 0.0), loads.words[params.body_count + particle]);
    c.normal_impulse = press.shift;
    c.stops = press.stops;
    if c.touching == SLIPPERY {
        contacts[slot].impulse = n * press.impulse;
        contacts[slot].normal_impulse = c.normal_impulse;
        contacts[slot].stops = c.stops;
        return;
    }
    // Friction.
    let slide = tangential(relative * h, n);
    let mu = friction_of(particle, contact) * params.friction_scale;
    let most = most_friction(mu, press.impulse, slide, h, params.dynamic_friction_ratio);
    if (a.rolls || b.rolls) && is_loose(particle) && (contact & TARGET_KIND) == TARGET_PARTICLE && is_loose(contact & TARGET_INDEX) {
        c.hold = 0.0;
        let weight = a.load * a.inv_mass + b.load * b.inv_mass;
        c.impulse = n * press.impulse - shortened(slide * (min(h / ROLLING_TIME, 1.0) / weight), most);
        contacts[slot] = c;
        return;
    }
    if c.hold == 0.0 {
        c.anchor = rotate_back(b.rotation, c.point - slide - b.origin);
        c.hold = 1.0;
        c.grip = rotate_back(a.rotation, c.point - a.origin);
    }
    let held = b.origin + rotate(b.rotation, c.anchor);
    let gripping = a.origin + rotate(a.rotation, c.grip);
    let stretch = tangential(gripping - held, n);
    let length = length(stretch);
    var friction_impulse = vec3f(0.0);
    if length > LEAST_STRETCH {
        let t = stretch / length;
        let tangent_weight = select(a.load * side_weight(a, t), 0.0, press.stops >= 0.0) + b.load * side_weight(b, t);
        var wanted = length / tangent_weight;
        if wanted > most {
            // Beyond the cone the grip is dragged along.
            c.anchor = rotate_back(b.rotation, gripping - t * min(most * tangent_weight, length) - b.origin);
            c.hold = 1.0;
            wanted = most;
        }
        friction_impulse = -t * wanted;
    }
    c.impulse = n * press.impulse + friction_impulse;
    contacts[slot] = c;
}

// Between a free particle and what it touches.
fn friction_of(particle: u32, contact: u32) -> f32 {
    let index = contact & TARGET_INDEX;
    if (contact & TARGET_KIND) == TARGET_BODY {
        return pair_friction(particle_rows[particle].friction, body_properties[index].friction);
    }
    return friction_between(particle_rows[particle], particle_rows[index]);
}

// Whether it is a grain: of no object.
fn is_loose(particle: u32) -> bool {
    return group_of(particle_rows[particle].phase) == 0u;
}

// Along the normal [kg m].
struct Press {
    impulse: f32,      // what makes velocity
    shift: f32,        // and what makes none
    stops: f32,        // as that of a contact
}

// For an overlap [m], and the load of the particle. What it comes along the ground is stopped as `contacts/borne` says: all that is too
// fast to come to rest on what it meets, else what overlaps.
fn press_of(a: Side, b: Side, n: vec3f, relative: vec3f, overlap: f32, load: u32) -> Press {
    let h = params.substep_dt;
    let other_weight = b.load * side_weight(b, n);
    var weight = a.load * side_weight(a, n) + other_weight;
    if weight == 0.0 {
        return Press(0.0, 0.0, -1.0);
    }
    var depth = overlap;
    var approach = max(-dot(relative, n), 0.0) * h;
    var stopping = 0.0;
    let borne = b.body != NONE && other_weight > 0.0 && lies_under(load, n);
    if borne {
        let run = max(-dot(level(relative), n), 0.0) * h;
        let ran = select(min(run, depth), run, run > params.restitution_speed * h);
        stopping = ran / (f32(load % LOAD_COLLIDER) * a.inv_mass * slope(n) + other_weight);
        depth = max(depth - ran, 0.0);
        approach = max(approach - run, 0.0);
        weight = other_weight;
    }
    let velocity_part = opened(depth, approach, max(a.restitution, b.restitution));
    let impulse = velocity_part / weight + stopping;
    let stops = select(-1.0, stopping / max(impulse, LEAST_IMPULSE), borne);
    return Press(impulse, max(depth - velocity_part, 0.0) / weight, stops);
}

// `center` is from the point.
fn particle_side(particle: u32, point: vec3f, center: vec3f) -> Side {
    let body = contact_targets[target_base(particle, params.contact_slots) - 1u];
    if body != NONE {
        return body_side(body, point);
    }
    let v = particle_velocities[particle];
    // One asleep bears what it bore awake: what leans on it stays where it is.
    let yielding = bitcast<f32>(loads.words[yielding_of(particle, params.body_count, params.particle_count)]);
    let load = load_of_free(loads.words[params.body_count + particle]);
    let asleep = v.w == 0.0;
    // A free particle does not turn.
    return Side(point + center, vec4f(0.0, 0.0, 0.0, 1.0), v.xyz, vec3f(0.0), select(v.w, yielding, asleep),
        select(load, 1.0, asleep), 0.0, !asleep && load <= ROLLING, NONE);
}

fn body_side(body: u32, point: vec3f) -> Side {
    let b = bodies[body];
    let arm = point - b.center;
    return Side(b.center, b.rotation, body_velocity_at(b, arm), arm, b.inv_mass, load_of_particle(loads.words[body]),
        body_properties[body].restitution, false, body);
}

fn contact_side(contact: u32, point: vec3f, center: vec3f) -> Side {
    let index = contact & TARGET_INDEX;
    if (contact & TARGET_KIND) == TARGET_BODY {
        return body_side(index, point);
    }
    return particle_side(index, point, center);
}

fn side_weight(s: Side, n: vec3f) -> f32 {
    if s.body == NONE || s.inv_mass == 0.0 {
        return s.inv_mass;
    }
    let rn = cross(s.arm, n);
    let p = body_properties[s.body];
    return s.inv_mass * yield_along(p, n) + dot(rn, inverse_inertia_times(p, s.rotation, rn));
}
