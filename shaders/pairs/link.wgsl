#import "common/params"
#import "common/contact"
#import "common/thread"
// One thread per pair slot. Finds the slot of the same pair at the other body; a pair that found no slot there is void.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> pairs: array<Pair>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count * PAIR_SLOTS || i % PAIR_SLOTS == 0u || pairs[i].other == NONE {
        return;
    }
    let body = i / PAIR_SLOTS;
    let first = pairs[i].other * PAIR_SLOTS;
    var twin = NONE;
    for (var k = first + 1u; k < first + PAIR_SLOTS; k++) {
        if pairs[k].other == body {
            twin = k;
        }
    }
    pairs[i].twin = twin;
}
