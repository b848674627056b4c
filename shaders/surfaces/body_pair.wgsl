#import "common/params"
#import "common/body"
#import "surfaces/primitive"
#import "common/thread"
// Pairs of a particle of a body and a triangle. The including kernel declares `params`, `surface_list`, `surface_pairs`,
// `particles`, `particle_rows` and `bodies`.

struct BodyPair {
    index: u32,                // in `surface_pairs`
    body: u32,
    corners: vec3u,            // of the triangle
    local: vec3f,              // place of the particle in its body [m]
    words: u32,                // of the body in `surface_deltas`
    state: Body,
    frame: vec4f,              // of `SurfacePair`
    now: mat4x3f,              // places [m], the particle's first
}

// Index of the pair in this row of the list; NONE after its end.
fn listed_pair(row: u32) -> u32 {
    let listed = min(surface_list[BODY_LIST + 3u], surface_list[ROOM]);
    return select(NONE, surface_list[ROOM] + row, row < listed);
}

fn body_pair(index: u32) -> BodyPair {
    let four = surface_pairs[index].particles;
    let row = particle_rows[four.x];
    let b = bodies[row.body];
    let now = mat4x3f(b.center + rotate(b.rotation, row.local.xyz), particles[four.y].xyz, particles[four.z].xyz,
        particles[four.w].xyz);
    let words = body_words(row.body, params.particle_count);
    return BodyPair(index, row.body, four.yzw, row.local.xyz, words, b, surface_pairs[index].frame, now);
}

// Where they began, when the body did at `origin`.
fn beginning(pair: BodyPair, origin: Pose, corners: mat3x3f) -> mat4x3f {
    let particle = origin.center + rotate(origin.rotation, pair.local);
    return mat4x3f(particle, corners[0], corners[1], corners[2]);
}
