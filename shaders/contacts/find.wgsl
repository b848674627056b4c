#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "common/shape"
#import "common/thread"
// One thread per particle: the narrow phase. Of what is near its proxy, lists what its own ball may touch until the
// next search. A body is one target, measured by its signed distance. Targets listed before keep their grip.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> near_targets: array<u32>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(6) var<storage, read_write> contact_targets: array<u32>;
@group(1) @binding(7) var<storage, read_write> control: Control;

const MOST_SLOTS: u32 = 32u;

var<private> old_targets: array<u32, MOST_SLOTS>;
var<private> old_anchors: array<vec4f, MOST_SLOTS>;
var<private> old_grips: array<vec4f, MOST_SLOTS>;
var<private> old_carried: array<vec4f, MOST_SLOTS>;
var<private> old_count: u32;
var<private> found: u32;
var<private> particle: u32;
var<private> first_target: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    particle = i;
    first_target = target_base(i, params.contact_capacity) + COLLIDER_SLOTS;
    let count_word = first_target - COLLIDER_SLOTS - 2u;
    old_count = min(contact_targets[count_word] >> 16u, MOST_SLOTS);
    for (var k = 0u; k < old_count; k++) {
        old_targets[k] = contact_targets[first_target + k];
        let slot = slot_at(i, COLLIDER_SLOTS + k, params.particle_count);
        old_anchors[k] = contacts[slot].anchor;
        old_grips[k] = contacts[slot].grip;
        old_carried[k] = contacts[slot].carried;
    }
    found = 0u;
    let row = particle_rows[i];
    if (row.phase & PHASE_GHOST) == 0u {
        let reach = reach_of(row);
        let position = position_of(row);
        let first_near = row.proxy * NEAR_ROW + NEAR_HEAD + NEAR_COLLIDERS;
        let near_count = near_targets[row.proxy * NEAR_ROW] >> 16u;
        for (var k = 0u; k < near_count; k++) {
            consider(near_targets[first_near + k], row, position, reach);
        }
        // One of the two limiters owns their contact.
        if params.limiters_meet != 0u && row.limiter != NONE && i < row.limiter && (particle_rows[row.limiter].phase & PHASE_GHOST) == 0u {
            list(TARGET_PARTICLE | row.limiter);
        }
    }
    contact_targets[count_word] = (contact_targets[count_word] & 0xffffu) | (found << 16u);
    if 4u * found > 3u * params.contact_capacity {
        atomicMax(&control.contacts_most, found);
    }
}

fn position_of(row: ParticleRow) -> vec3f {
    if row.body == NONE {
        // A free particle is its own proxy.
        let head = row.proxy * NEAR_ROW;
        return bitcast<vec3f>(vec3u(near_targets[head + 1u], near_targets[head + 2u], near_targets[head + 3u]));
    }
    return bodies[row.body].center.xyz + rotate(bodies[row.body].rotation, row.local.xyz);
}

// Radius and margin.
fn reach_of(row: ParticleRow) -> f32 {
    if row.body == NONE {
        return bitcast<f32>(near_targets[row.proxy * NEAR_ROW + 4u]);
    }
    return row.local.w + bodies[row.body].angular_velocity.w;
}

fn consider(near: u32, own: ParticleRow, position: vec3f, own_reach: f32) {
    let index = near & TARGET_INDEX;
    if (near & TARGET_KIND) == TARGET_BODY {
        let reach = own_reach + bodies[index].angular_velocity.w;
        let offset = position - bodies[index].center.xyz;
        let bound = reach + body_properties[index].inverse_inertia_off.w;
        if dot(offset, offset) < bound * bound
            && shape_at(body_properties[index].shape, rotate_back(bodies[index].rotation, offset)).w < reach {
            list(near);
        }
    } else {
        let other = particle_rows[index];
        if rests_near(own, other) {
            return;
        }
        let offset = position - position_of(other);
        let bound = own_reach + reach_of(other);
        if dot(offset, offset) < bound * bound {
            list(near);
        }
    }
}

// Whether two particles of one object rest closer than they are large: what joins them keeps them apart.
fn rests_near(a: ParticleRow, b: ParticleRow) -> bool {
    return (a.phase >> 8u) != 0u && (a.phase >> 8u) == (b.phase >> 8u)
        && distance(a.local.xyz, b.local.xyz) < 1.05 * (a.local.w + b.local.w);
}

fn list(contact: u32) {
    for (var k = 0u; k < found; k++) {
        if contact_targets[first_target + k] == contact {
            return;
        }
    }
    if found >= params.contact_capacity {
        atomicAdd(&control.contacts_dropped, 1u);
        return;
    }
    var anchor = vec4f(0.0);
    var grip = vec4f(0.0);
    var carried = vec4f(0.0);
    for (var k = 0u; k < old_count; k++) {
        if old_targets[k] == contact {
            anchor = old_anchors[k];
            grip = old_grips[k];
            carried = old_carried[k];
        }
    }
    contact_targets[first_target + found] = contact;
    let slot = slot_at(particle, COLLIDER_SLOTS + found, params.particle_count);
    contacts[slot].anchor = anchor;
    contacts[slot].grip = grip;
    contacts[slot].carried = carried;
    contacts[slot].point.w = 0.0;
    found += 1u;
}
