#import "common/params"
#import "common/body"
#import "common/facet"
#import "common/thread"
// One thread per pair of a particle of a body and a triangle, at the end of a substep. What is left of the triangle on the way
// of the body goes ahead of it: its tension then slows the body, and a body that nothing moves takes it along.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(6) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> triangle_pushes: array<atomic<i32>>;

// Part of the distance that stays.
const STAYS: f32 = 0.15;
// Part of the gap from which on all of it does.
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
    let n = surface_pairs[i].frame.xyz;
    if min(apart(n * start, false), apart(n * now, false)) > 1e-6 {
        return;
    }
    let frame = frame_of(start, false);
    if frame.distance == 0.0 {
        return;
    }
    let end = frame.normal * now;
    let least = max(STAYS * frame.distance, min(frame.distance, KEPT * surface_pairs[i].frame.w));
    for (var k = 1u; k < 4u; k++) {
        let excess = end[k] - end.x + least;
        if excess > 0.0 {
            let words = PUSH_WORDS * four[k];
            let whole = vec3i(round(-excess * frame.normal * PUSH_SCALE));
            atomicStore(&triangle_pushes[words], 1);
            // Several particles that push one way push no farther than one.
            for (var j = 0u; j < 3u; j++) {
                atomicMax(&triangle_pushes[words + 1u + j], whole[j]);
                atomicMin(&triangle_pushes[words + 4u + j], whole[j]);
            }
        }
    }
}
