#import "common/params"
#import "surfaces/primitive"
#import "surfaces/time_of_impact"
#import "common/thread"
// One thread per pair of features. Where they come as near as their gap on the way of this substep, by conservative
// advancement: the frame of that moment is the contact's. Counts, for every particle, the contacts that it takes part in.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<atomic<i32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= min(surface_list[3u], surface_list[ROOM]) {
        return;
    }
    let listed = surface_pairs[i].particles;
    let old = surface_pairs[i].frame;
    let edges = (listed.x & EDGES) != 0u;
    let four = vec4u(listed.x & ~EDGES, listed.yzw);
    let start = mat4x3f(particle_origins[four.x].xyz, particle_origins[four.y].xyz, particle_origins[four.z].xyz,
        particle_origins[four.w].xyz);
    let now = mat4x3f(particles[four.x].xyz, particles[four.y].xyz, particles[four.z].xyz, particles[four.w].xyz);
    let gap = old.w;
    // Most are as far apart as ever, in the direction found last.
    var weights = vec4f(0.0);
    if min(separation(old.xyz * start, edges), separation(old.xyz * now, edges)) < gap {
        let frame = time_of_impact(start, now, gap, edges);
        weights = frame.weights;
        surface_pairs[i].frame = vec4f(frame.normal, gap);
    }
    surface_pairs[i].weights = weights;
    for (var k = 0u; k < 4u; k++) {
        if weights[k] != 0.0 {
            atomicAdd(&surface_deltas[DELTA_WORDS * four[k]], 1);
        }
    }
}
