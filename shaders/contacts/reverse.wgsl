#import "common/params"
#import "common/body"
#import "common/touched"
#import "common/contact"
#import "common/control"
#import "common/thread"
// One thread per particle. Lists its contacts, and tells every body that it touches about them. The order in the lists
// depends on timing: nothing depends on that of all contacts, and `contacts/order` sorts those of bodies.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> reverse_counts: array<atomic<u32>>;
@group(1) @binding(3) var<storage, read_write> reverse_unsorted: array<vec2u>;
@group(1) @binding(4) var<storage, read_write> control: Control;
@group(1) @binding(5) var<storage, read_write> contact_list: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let first_target = target_base(i, params.contact_capacity) + COLLIDER_SLOTS;
    let count = contact_targets[first_target - COLLIDER_SLOTS - 2u] >> 16u;
    let owner = contact_targets[first_target - COLLIDER_SLOTS - 1u];
    if count == 0u {
        return;
    }
    let place = atomicAdd(&contact_list[3], count);
    let needed = listed_groups(place + count - 1u, WORKGROUP);
    atomicMax(&contact_list[0], needed.x);
    atomicMax(&contact_list[1], needed.y);
    for (var k = 0u; k < count; k++) {
        let contact = contact_targets[first_target + k];
        let own = slot_at(i, COLLIDER_SLOTS + k, params.particle_count);
        atomicStore(&contact_list[LIST_HEAD + 2u * (place + k)], own);
        atomicStore(&contact_list[LIST_HEAD + 2u * (place + k) + 1u], contact);
        let body = touched_body(contact);
        if body == NONE {
            continue;
        }
        let slot = atomicAdd(&reverse_counts[body], 1u);
        if slot >= body_properties[body].reverse_capacity {
            atomicAdd(&control.neighbors_dropped, 1u);
            continue;
        }
        reverse_unsorted[body_properties[body].first_reverse + slot] = vec2u(owner, own);
    }
}
