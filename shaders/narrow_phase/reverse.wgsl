#import "common/params"
#import "common/body"
#import "common/touched"
#import "common/contact"
#import "common/control"
#import "common/thread"
// One thread per particle. Lists its contacts, and tells every body that it touches about them. The order in the lists
// depends on timing: nothing depends on that of all contacts, and `narrow_phase/order` sorts those of bodies.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> reverse_counts: array<atomic<u32>>;
@group(1) @binding(3) var<storage, read_write> reverse_unsorted: array<vec2u>;
@group(1) @binding(4) var<storage, read_write> control: Control;
@group(1) @binding(5) var<storage, read_write> contact_list: GrowingContactList;
@group(1) @binding(6) var<storage, read> particle_rests: array<vec4f>;
@group(1) @binding(7) var<storage, read> particle_velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let first_target = target_base(i, params.contact_slots);
    let counts = contact_targets[first_target - 2u];
    let owner = contact_targets[first_target - 1u];
    let others = counts >> 16u;
    // What is still meets bodies only: all else meets it.
    let moves = owner != NONE || particle_velocities[i].w != 0.0;
    var listed = others;
    if moves {
        let place = entries(LISTED_COLLIDERS, counts & 0xffffu);
        for (var k = 0u; k < (counts & 0xffffu); k++) {
            let own = slot_at(i, params.contact_capacity + k, params.particle_count);
            contact_list.contacts[place + k] = ListedContact(own, contact_targets[first_target + params.contact_capacity + k]);
        }
    } else {
        listed = 0u;
        for (var k = 0u; k < others; k++) {
            listed += u32(touched_body(contact_targets[first_target + k]) != NONE);
        }
    }
    let rested = params.sleeper_count > 0u && owner == NONE && particle_rests[i].w >= params.sleep_time;
    let still = select(0u, STILL, rested);
    var place = entries(LISTED_OTHERS, listed);
    for (var k = 0u; k < others; k++) {
        let contact = contact_targets[first_target + k];
        let own = slot_at(i, k, params.particle_count);
        let body = touched_body(contact);
        if moves || body != NONE {
            contact_list.contacts[place] = ListedContact(own | still, contact);
            place++;
        }
        if body == NONE {
            continue;
        }
        let slot = atomicAdd(&reverse_counts[body], 1u);
        if slot >= params.reverse_factor * body_properties[body].reverse_capacity {
            atomicAdd(&control.neighbors_dropped, 1u);
            continue;
        }
        reverse_unsorted[params.reverse_factor * body_properties[body].first_reverse + slot] = vec2u(owner, own);
    }
}

// The first of `count` new entries of a list.
fn entries(list: u32, count: u32) -> u32 {
    if count == 0u {
        return 0u;
    }
    let place = atomicAdd(&contact_list.heads[list].count, count);
    let needed = listed_groups(place + count - 1u, WORKGROUP);
    atomicMax(&contact_list.heads[list].groups[0], needed.x);
    atomicMax(&contact_list.heads[list].groups[1], needed.y);
    return first_listed(list, params.contact_capacity, params.particle_count) + place;
}
