#import "common/params"
#import "common/body"
#import "common/meeting"
#import "common/thread"
// One thread per pair of a particle of a body and a triangle. As `triangles/measure`; counts the contacts of the body.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(6) var<storage, read_write> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> triangle_pushes: array<atomic<i32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let listed = global_index(id, groups);
    if listed >= min(surface_list[BODY_LIST + 3u], surface_list[ROOM]) {
        return;
    }
    let i = surface_list[ROOM] + listed;
    let four = surface_pairs[i].particles;
    let gap = surface_pairs[i].frame.w;
    let row = particle_rows[four.x];
    let origin = body_origins[row.body];
    let b = bodies[row.body];
    let start = mat4x3f(origin.center.xyz + rotate(origin.rotation, row.local.xyz), particle_origins[four.y].xyz,
        particle_origins[four.z].xyz, particle_origins[four.w].xyz);
    let now = mat4x3f(b.center.xyz + rotate(b.rotation, row.local.xyz), particles[four.y].xyz, particles[four.z].xyz,
        particles[four.w].xyz);
    var weights = vec4f(0.0);
    let n = surface_pairs[i].frame.xyz;
    if min(apart(n * start, false), apart(n * now, false)) < gap {
        let frame = meeting(start, now, gap, false);
        weights = frame.weights;
        surface_pairs[i].frame = vec4f(frame.normal, gap);
    }
    surface_pairs[i].weights = weights;
    if weights.x == 0.0 {
        return;
    }
    atomicAdd(&triangle_pushes[body_words(row.body, params.particle_count)], 1);
    for (var k = 1u; k < 4u; k++) {
        if weights[k] != 0.0 {
            atomicAdd(&triangle_pushes[PUSH_WORDS * four[k]], 1);
        }
    }
}
