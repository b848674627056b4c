#import "common/params"
#import "common/thread"
// One thread per body. Empties its list of contacts that other particles own.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> reverse_counts: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.body_count {
        reverse_counts[i] = 0u;
    }
}
