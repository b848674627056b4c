#import "common/params"
#import "common/control"
#import "surfaces/free_pair"
#import "surfaces/lists"
#import "surfaces/delta"
#import "surfaces/time_of_impact"
#import "common/thread"
// One thread per pair of features. Where they come as near as their gap on the way of this substep, by conservative
// advancement: the frame of that moment is the contact's. Counts, for every particle, the contacts that it takes part in.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= min(surface_list.pairs.count, surface_list.room) {
        return;
    }
    let pair = free_pair(i);
    let weights = update_pair(i, pair.normal, pair.gap, pair.start, pair.now, pair.edges);
    for (var k = 0u; k < 4u; k++) {
        if weights[k] != 0.0 {
            atomicAdd(&surface_deltas[pair.particles[k]].contacts, 1);
        }
    }
}
