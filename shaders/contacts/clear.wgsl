#import "common/params"
#import "common/contact"
#import "common/thread"
// One thread per body. Empties its list of contacts that other particles own, and its stretch of the list of pairs.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> reverse_counts: array<u32>;
@group(1) @binding(1) var<storage, read_write> pair_list: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.body_count {
        reverse_counts[i] = 0u;
        // Each pair of slots makes one pair at most.
        for (var k = 0u; k < PAIR_SLOTS / 2u; k++) {
            pair_list[i * PAIR_SLOTS / 2u + k] = NONE;
        }
    }
}
