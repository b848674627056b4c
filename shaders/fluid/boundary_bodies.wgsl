#import "common/params"
#import "common/body"
#import "common/contact"
#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid. As `fluid/boundary` for bodies near it, and how much they give way.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(3) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(6) var<storage, read> loads: Loads;
@group(1) @binding(7) var<storage, read_write> fluid_boundaries: array<Boundary>;

// From the member to each body [m]. Reckoned once: what decides which of two hides the other must not differ in its last
// bit between two places, or both were hidden.
var<private> distances: array<f32, MOST_CONTACT_SLOTS>;
var<private> boundary: Boundary;
var<private> first_target: u32;
var<private> member: u32;
// What colliders fill, and the way they push, while no body hides them.
var<private> filled: f32;
var<private> pushed: vec3f;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    member = sorted_particles[s];
    first_target = target_base(member, params.contact_slots);
    let count = contact_targets[first_target - 2u] >> 16u;
    let own = textureLoad(fluid_places, row_at(s), 0);
    // Contacts of what is no liquid are not for liquid to write.
    if count == 0u || is_solid(fluid, own) {
        return;
    }
    boundary = Boundary();
    filled = 0.0;
    if fluid_boundaries[s].count != 0.0 {
        boundary = fluid_boundaries[s];
        filled = boundary.fill;
    }
    pushed = boundary.push;
    let place = vector_of(own);
    for (var k = 0u; k < count; k++) {
        let contact = contacts[slot_at(member, k, params.particle_count)];
        distances[k] = dot(place - contact.point, contact.normal);
    }
    for (var k = 0u; k < count; k++) {
        if is_wall(contact_targets[first_target + k]) {
            add_body(k, count);
        }
    }
    boundary.count = 1.0;
    fluid_boundaries[s] = boundary;
}

// Half spaces at right angles overlap by the product of what they fill. Where the surface of a body turns away, at an edge, less of
// one is the body.
fn add_body(k: u32, count: u32) {
    let slot = slot_at(member, k, params.particle_count);
    let body = contact_targets[first_target + k];
    let contact = contacts[slot];
    let part = fluid.body_part * contact.other_arm;
    let fill = part * half_space(fluid, distances[k]);
    contacts[slot].grip.x = 0.0;
    if fill <= 0.0 {
        contacts[slot].anchor = vec3f(0.0);
        contacts[slot].hold = 0.0;
        return;
    }
    let behind = filled > 0.0 && dot(contact.normal, pushed) > SAME_WALL * length(pushed);
    if (behind && fill <= filled) || is_hidden(k, count, contact.normal) {
        return;
    }
    if behind {
        boundary.fill = 1.0 - (1.0 - boundary.fill) / (1.0 - filled);
        boundary.push -= pushed;
        filled = 0.0;
    }
    let push = part * half_space_slope(fluid, distances[k]);
    boundary.fill = 1.0 - (1.0 - boundary.fill) * (1.0 - fill);
    boundary.push += push * contact.normal;
    let b = bodies[body];
    let weight = body_weight(b, body_properties[body], contact.point - b.center, contact.normal);
    boundary.give += push * push * weight * max(load_of_particle(loads.words[body]), 1.0);
    contacts[slot].grip.x = push;
    contacts[slot].hold = WET;
}

// Whether a nearer body faces the same way.
fn is_hidden(own: u32, count: u32, normal: vec3f) -> bool {
    let distance = distances[own];
    for (var k = 0u; k < count; k++) {
        if k == own || !is_wall(contact_targets[first_target + k]) {
            continue;
        }
        let other = contacts[slot_at(member, k, params.particle_count)].normal;
        let away = distances[k];
        if dot(normal, other) > SAME_WALL && (away < distance || (away == distance && k < own)) {
            return true;
        }
    }
    return false;
}

fn is_wall(contact: u32) -> bool {
    return (contact & TARGET_KIND) == TARGET_BODY && (body_properties[contact & TARGET_INDEX].flags & BODY_REMOVED) == 0u;
}
