#import "common/params"
#import "common/body"
#import "common/touched"
#import "common/thread"
#import "narrow_phase/precedes"
// One thread per particle. Puts its contacts into the sorted lists of the bodies they touch: the place is the number
// of contacts before it by owning body, then id. Sums never depend on timing, and a pair's contacts lie together.
// `narrow_phase/order_long` does so where counting would take long.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(3) var<storage, read> reverse_unsorted: array<vec2u>;
@group(1) @binding(4) var<storage, read_write> reverse_contacts: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let first_target = target_base(i, params.contact_slots);
    let count = contact_targets[first_target - 2u] >> 16u;
    let owner = contact_targets[first_target - 1u];
    for (var k = 0u; k < count; k++) {
        let body = touched_body(contact_targets[first_target + k]);
        if body == NONE {
            continue;
        }
        let own = vec2u(owner, slot_at(i, k, params.particle_count));
        let first = params.reverse_factor * body_properties[body].first_reverse;
        let end = first + min(reverse_counts[body], params.reverse_factor * body_properties[body].reverse_capacity);
        if end > first + SHORT_LIST && end <= first + LONG_LIST {
            continue;
        }
        var rank = 0u;
        var present = false;
        for (var r = first; r < end; r++) {
            let other = reverse_unsorted[r];
            rank += u32(precedes(other, own));
            present = present || other.y == own.y;
        }
        if present {
            reverse_contacts[first + rank] = own;
        }
    }
}
