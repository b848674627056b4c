#import "common/params"
#import "common/body"
#import "common/touched"
#import "common/control"
#import "common/thread"
// One thread per particle. Tells every body that it touches about the contact; the order in the body's list
// depends on timing, so `contacts/order` sorts it.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> reverse_counts: array<atomic<u32>>;
@group(1) @binding(3) var<storage, read_write> reverse_unsorted: array<vec2u>;
@group(1) @binding(4) var<storage, read_write> control: Control;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let first_target = target_base(i, params.contact_capacity) + COLLIDER_SLOTS;
    let count = contact_targets[first_target - COLLIDER_SLOTS - 2u] >> 16u;
    let owner = contact_targets[first_target - COLLIDER_SLOTS - 1u];
    for (var k = 0u; k < count; k++) {
        let body = touched_body(contact_targets[first_target + k]);
        if body == NONE {
            continue;
        }
        let slot = atomicAdd(&reverse_counts[body], 1u);
        if slot >= body_properties[body].reverse_capacity {
            atomicAdd(&control.neighbors_dropped, 1u);
            continue;
        }
        let own = slot_at(i, COLLIDER_SLOTS + k, params.particle_count);
        reverse_unsorted[body_properties[body].first_reverse + slot] = vec2u(owner, own);
    }
}
