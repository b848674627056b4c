#import "common/params"
#import "common/body"
#import "common/facet"
#import "common/thread"
// One thread per pair of a particle of a body and a triangle, at the end of a substep. As `triangles/bound`; the plane gives way
// as far as the triangle went by itself, so that a body is held up by no more than what does not get out of its way.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(6) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> triangle_pushes: array<atomic<i32>>;

// Part of the distance to the plane that stays, and of the gap from which on all of it does: what is pressed for long would
// come so near that rounding carries it across.
const STAYS: f32 = 0.3;
const KEPT: f32 = 0.02;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let listed = global_index(id, groups);
    if listed >= min(surface_list[BODY_LIST + 3u], surface_list[ROOM]) {
        return;
    }
    let i = surface_list[ROOM] + listed;
    let four = surface_pairs[i].particles;
    let row = particle_rows[four.x];
    let origin = body_origins[row.body];
    let b = bodies[row.body];
    let start = mat4x3f(origin.center.xyz + rotate(origin.rotation, row.local.xyz), particle_origins[four.y].xyz,
        particle_origins[four.z].xyz, particle_origins[four.w].xyz);
    let now = mat4x3f(b.center.xyz + rotate(b.rotation, row.local.xyz), particles[four.y].xyz, particles[four.z].xyz,
        particles[four.w].xyz);
    let cut_word = body_words(row.body, params.particle_count) + BODY_CUT;
    var cut = atomicLoad(&triangle_pushes[cut_word + 1u]) != 0;
    for (var k = 1u; k < 4u; k++) {
        cut |= atomicLoad(&triangle_pushes[PUSH_WORDS * four[k]]) != 0;
    }
    let n = surface_pairs[i].frame.xyz;
    if !cut && min(apart(n * start, false), apart(n * now, false)) > 1e-6 {
        return;
    }
    let frame = frame_of(start, false);
    if frame.distance == 0.0 {
        return;
    }
    let begin = frame.normal * start;
    let end = frame.normal * now;
    let half = 0.5 * frame.distance;
    let middle = dot(begin, max(frame.weights, vec4f(0.0))) - half;
    let least = max(STAYS * half, min(half, KEPT * surface_pairs[i].frame.w));
    let reached = max(end.y, max(end.z, end.w)) + least;
    let plane = select(min(middle, reached), middle, cut);
    // The way of the particle, cut where it stays ahead of the plane.
    if end.x < plane + least && end.x < begin.x && b.center.w != 0.0 {
        let part = clamp((begin.x - plane - least) / (begin.x - end.x), 0.0, 1.0);
        atomicMax(&triangle_pushes[cut_word], i32((1.0 - part) * CUT_SCALE));
    }
    for (var k = 1u; k < 4u; k++) {
        let before = middle - begin[k];
        let after = middle - end[k];
        if after < least && after < before {
            let part = clamp((before - least) / (before - after), 0.0, 1.0);
            atomicMax(&triangle_pushes[PUSH_WORDS * four[k] + 7u], i32((1.0 - part) * CUT_SCALE));
        }
    }
}

