#import "common/params"
#import "common/body"
#import "common/contact"
#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid. Bodies and colliders near a particle of liquid count as half spaces full of liquid:
// the sum of what they displace, where that pushes, and how much they give way.

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

// From the member to each wall [m]. Reckoned once: what decides which of two walls hides the other must not differ in its last
// bit between two places, or both were hidden.
var<private> distances: array<f32, COLLIDER_SLOTS + MOST_CONTACT_SLOTS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    let first_target = target_base(i, params.contact_capacity);
    let counts = contact_targets[first_target - 2u];
    let own = textureLoad(fluid_places, row_at(s), 0);
    // Contacts of what is no liquid are not for liquid to write.
    if counts == 0u || is_solid(fluid, own) {
        fluid_boundaries[s].count = 0.0;
        return;
    }
    let place = vector_of(own);
    let colliders = counts & 0xffffu;
    let total = colliders + (counts >> 16u);
    var walls: Boundary;
    for (var n = 0u; n < total; n++) {
        let contact = contacts[slot_at(i, wall_slot(n, colliders), params.particle_count)];
        distances[n] = dot(place - contact.point, contact.normal);
    }
    // Half spaces at right angles overlap by the product of what they fill.
    var left = 1.0;
    for (var n = 0u; n < total; n++) {
        let k = wall_slot(n, colliders);
        if !is_wall(contact_targets[first_target + k]) {
            continue;
        }
        let slot = slot_at(i, k, params.particle_count);
        let contact = contacts[slot];
        let distance = distances[n];
        let body = contact_targets[first_target + k];
        let part = select(1.0, fluid.body_part, (body & TARGET_KIND) == TARGET_BODY);
        let fill = part * half_space(fluid, distance);
        if (body & TARGET_KIND) == TARGET_BODY {
            contacts[slot].grip.x = 0.0;
            if fill <= 0.0 {
                contacts[slot].anchor = vec3f(0.0);
                contacts[slot].hold = 0.0;
            }
        }
        if fill <= 0.0 || is_hidden(i, n, total, colliders) {
            continue;
        }
        left *= 1.0 - fill;
        let push = part * half_space_slope(fluid, distance);
        walls.push += push * contact.normal;
        if (body & TARGET_KIND) == TARGET_BODY {
            let b = bodies[body];
            let weight = body_weight(b, body_properties[body], contact.point - b.center, contact.normal);
            walls.give += push * push * weight * max(load_of_particle(loads.words[body]), 1.0);
            contacts[slot].grip.x = push;
            contacts[slot].hold = WET;
        }
    }
    walls.fill = 1.0 - left;
    walls.count = 1.0;
    fluid_boundaries[s] = walls;
}

// Whether a nearer wall faces the same way: triangles of one plane are one half space.
fn is_hidden(i: u32, own: u32, total: u32, colliders: u32) -> bool {
    let first_target = target_base(i, params.contact_capacity);
    let mine = contacts[slot_at(i, wall_slot(own, colliders), params.particle_count)];
    let distance = distances[own];
    for (var n = 0u; n < total; n++) {
        let k = wall_slot(n, colliders);
        if n == own || !is_wall(contact_targets[first_target + k]) {
            continue;
        }
        let other = contacts[slot_at(i, k, params.particle_count)];
        let away = distances[n];
        if dot(mine.normal.xyz, other.normal.xyz) > SAME_WALL && (away < distance || (away == distance && n < own)) {
            return true;
        }
    }
    return false;
}

fn is_wall(contact: u32) -> bool {
    let removed = (contact & TARGET_KIND) == TARGET_BODY && (body_properties[contact & TARGET_INDEX].flags & BODY_REMOVED) != 0u;
    return (contact & TARGET_KIND) != TARGET_PARTICLE && !removed;
}
