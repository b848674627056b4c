#import "common/params"
#import "common/thread"
// One thread per proxy. Takes a slot of its bucket; which one depends on timing, so `broad_phase/sort` orders them.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> proxy_buckets: array<u32>;
@group(1) @binding(1) var<storage, read> cell_starts: array<u32>;
@group(1) @binding(2) var<storage, read_write> cell_counts: array<atomic<u32>>;
@group(1) @binding(3) var<storage, read_write> bucket_proxies: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.proxy_count {
        return;
    }
    let bucket = proxy_buckets[i];
    let slot = atomicSub(&cell_counts[bucket], 1u) - 1u;
    bucket_proxies[cell_starts[bucket] + slot] = i;
}
