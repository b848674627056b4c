#import "common/params"
#import "surfaces/primitive"
#import "ccd/plane"
#import "common/thread"
// One thread per pair of features, at the end of a substep. What was apart when it began must not cross: unless a direction
// parts both all the way, none of their particles may pass the plane halfway between them, and its way is cut off before.
// Where a way was cut already, and in the last round, only a plane that stands still counts.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<atomic<i32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= min(surface_list[3u], surface_list[ROOM]) {
        return;
    }
    let listed = surface_pairs[i].particles;
    let edges = (listed.x & EDGES) != 0u;
    let four = vec4u(listed.x & ~EDGES, listed.yzw);
    let start = mat4x3f(particle_origins[four.x].xyz, particle_origins[four.y].xyz, particle_origins[four.z].xyz,
        particle_origins[four.w].xyz);
    let now = mat4x3f(particles[four.x].xyz, particles[four.y].xyz, particles[four.z].xyz, particles[four.w].xyz);
    var truncated = surface_list[ROUND] == LAST_ROUND;
    for (var k = 0u; k < 4u; k++) {
        truncated |= atomicLoad(&surface_deltas[DELTA_WORDS * four[k]]) != 0;
    }
    let n = surface_pairs[i].frame.xyz;
    let began = n * start;
    let ended = n * now;
    if !truncated && are_parted(n, start, now, edges) {
        return;
    }
    let first = select(vec2f(began.x, ended.x), vec2f(min(began.x, began.y), min(ended.x, ended.y)), edges);
    let others = select(vec2f(max(began.y, max(began.z, began.w)), max(ended.y, max(ended.z, ended.w))),
        vec2f(max(began.z, began.w), max(ended.z, ended.w)), edges);
    if min(first.x, first.y) > max(others.x, others.y) + PARTED {
        return;
    }
    let frame = frame_of(start, edges);
    if frame.distance == 0.0 {
        return;
    }
    let begin = frame.normal * start;
    let end = frame.normal * now;
    let half = 0.5 * frame.distance;
    let middle = dot(begin, max(frame.weights, vec4f(0.0))) - half;
    let sides = vec4f(1.0, select(-1.0, 1.0, edges), -1.0, -1.0);
    let least = staying(half, half, surface_pairs[i].frame.w);
    for (var k = 0u; k < 4u; k++) {
        let before = sides[k] * (begin[k] - middle);
        let after = sides[k] * (end[k] - middle);
        if after < least && after < before {
            atomicMax(&surface_deltas[DELTA_WORDS * four[k] + DELTA_TRUNCATION], truncation(before - least, before - after));
        }
    }
}
