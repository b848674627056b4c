#import "common/params"
#import "common/body"
#import "surfaces/primitive"
#import "common/thread"
// Pairs of a particle of a body and a triangle. The including kernel declares `params`, `surface_pairs`, `particles`,
// `particle_rows` and `bodies`.

struct BodyPair {
    index: u32,                // in `surface_pairs`
    body: u32,
    corners: vec3u,            // of the triangle
    local: vec3f,              // place of the particle in its body [m]
    state: Body,
    normal: vec3f,             // of `SurfacePair`
    gap: f32,
    now: mat4x3f,              // places [m], the particle's first
}

fn body_pair(index: u32) -> BodyPair {
    let four = surface_pairs[index].particles;
    let row = particle_rows[four.x];
    let b = bodies[row.body];
    let now = mat4x3f(b.center + rotate(b.rotation, row.local.xyz), particles[four.y].xyz, particles[four.z].xyz,
        particles[four.w].xyz);
    return BodyPair(index, row.body, four.yzw, row.local.xyz, b, surface_pairs[index].normal, surface_pairs[index].gap, now);
}
