#import "common/params"
#import "common/scan"
#import "common/thread"
// One thread per bucket. Adds the start of its block; the entry after the last bucket is the proxy count.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> block_sums: array<u32>;
@group(1) @binding(1) var<storage, read_write> cell_starts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i > params.cell_mask {
        return;
    }
    cell_starts[i] += block_sums[i / SCAN_BLOCK];
    if i == params.cell_mask {
        cell_starts[i + 1u] = params.proxy_count;
    }
}
