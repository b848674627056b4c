#import "surfaces/primitive"
#import "surfaces/lists"
#import "common/thread"
// One thread per bucket of leaves, first in a search. Empties it; the words after the buckets too.

@group(1) @binding(0) var<storage, read_write> leaf_chains: array<u32>;
@group(1) @binding(1) var<storage, read> surface_list: SurfaceList;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    let buckets = surface_list.leaf_mask + 1u;
    if i < buckets + LARGEST_WORDS {
        leaf_chains[i] = select(0u, 0xffffffffu, i < buckets);
    }
}
