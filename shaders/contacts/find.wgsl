#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "common/thread"
// One thread per particle, in sorted order. Lists the bodies and free particles within reach until the next search.
// Near particles of a body stand for the body: one contact per particle and body, measured by signed distance.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> cell_starts: array<u32>;
@group(1) @binding(1) var<storage, read> sorted_particles: array<SortedParticle>;
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(3) var<storage, read> ignored_bodies: array<u32>;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read_write> contact_targets: array<u32>;
@group(1) @binding(6) var<storage, read_write> control: Control;

// The middle of four lattice particles is 1.23 diameters from them when a surface touches there.
const REACH: f32 = 1.25;
const MOST_SLOTS: u32 = 32u;

var<private> old_targets: array<u32, MOST_SLOTS>;
var<private> old_anchors: array<vec4f, MOST_SLOTS>;
var<private> old_grips: array<vec4f, MOST_SLOTS>;
var<private> old_count: u32;
var<private> found: u32;
var<private> first_slot: u32;
var<private> first_target: u32;
var<private> first_ignored: u32;
var<private> end_ignored: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= params.particle_count {
        return;
    }
    let own = sorted_particles[s];
    first_slot = slot_base(own.particle, params.contact_capacity) + COLLIDER_SLOTS;
    first_target = target_base(own.particle, params.contact_capacity) + COLLIDER_SLOTS;
    let count_word = first_target - COLLIDER_SLOTS - 2u;
    old_count = min(contact_targets[count_word] >> 16u, MOST_SLOTS);
    for (var k = 0u; k < old_count; k++) {
        old_targets[k] = contact_targets[first_target + k];
        old_anchors[k] = contacts[first_slot + k].anchor;
        old_grips[k] = contacts[first_slot + k].grip;
    }
    found = 0u;
    if (own.phase & PHASE_GHOST) == 0u {
        if own.body != NONE {
            first_ignored = body_properties[own.body].first_ignored;
            end_ignored = first_ignored + body_properties[own.body].ignored_count;
        }
        let cell = grid_cell(own.position.xyz, params.cell_size);
        for (var n = 0; n < 27; n++) {
            search_cell(own, cell + vec3i(n % 3 - 1, (n / 3) % 3 - 1, n / 9 - 1));
        }
    }
    contact_targets[count_word] = (contact_targets[count_word] & 0xffffu) | (found << 16u);
}

fn search_cell(own: SortedParticle, cell: vec3i) {
    let bucket = grid_bucket(cell, params.cell_mask);
    let end = cell_starts[bucket + 1u];
    for (var k = cell_starts[bucket]; k < end; k++) {
        let body = sorted_particles[k].body;
        let phase = sorted_particles[k].phase;
        if (body == own.body && body != NONE) || (phase & PHASE_GHOST) != 0u {
            continue;
        }
        let other = sorted_particles[k].position;
        let offset = own.position.xyz - other.xyz;
        let reach = REACH * (own.position.w + other.w) + control.margin;
        if dot(offset, offset) >= reach * reach || sorted_particles[k].particle == own.particle {
            continue;
        }
        // Particles of one group do not meet; group 0 is no group.
        if (phase >> 8u) != 0u && (phase >> 8u) == (own.phase >> 8u) {
            continue;
        }
        let both_limit = (phase & own.phase & PHASE_LIMITER) != 0u;
        if body == NONE {
            // A body meets a free particle through the particle's own contact.
            if own.body == NONE {
                list(TARGET_PARTICLE | sorted_particles[k].particle);
            }
        } else if ignores(body) {
            if both_limit {
                list(TARGET_PARTICLE | sorted_particles[k].particle);
            }
        } else {
            list(TARGET_BODY | body);
        }
    }
}

fn ignores(body: u32) -> bool {
    for (var k = first_ignored; k < end_ignored; k++) {
        if ignored_bodies[k] == body {
            return true;
        }
    }
    return false;
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
    for (var k = 0u; k < old_count; k++) {
        if old_targets[k] == contact {
            anchor = old_anchors[k];
            grip = old_grips[k];
        }
    }
    contact_targets[first_target + found] = contact;
    contacts[first_slot + found].anchor = anchor;
    contacts[first_slot + found].grip = grip;
    contacts[first_slot + found].point.w = 0.0;
    found += 1u;
}
