#import "surfaces/primitive"
// Pairs of features of free particles, on their way of this substep. The including kernel declares `surface_pairs`, `particles` and
// `particle_origins`.

struct FreePair {
    particles: vec4u,
    edges: bool,
    normal: vec3f,             // of `SurfacePair`
    gap: f32,
    start: mat4x3f,            // places where the substep began [m]
    now: mat4x3f,              // [m]
}

fn free_pair(i: u32) -> FreePair {
    let listed = surface_pairs[i].particles;
    let four = pair_particles(listed);
    let start = mat4x3f(particle_origins[four.x].xyz, particle_origins[four.y].xyz, particle_origins[four.z].xyz,
        particle_origins[four.w].xyz);
    let now = mat4x3f(particles[four.x].xyz, particles[four.y].xyz, particles[four.z].xyz, particles[four.w].xyz);
    return FreePair(four, (listed.x & EDGES) != 0u, surface_pairs[i].normal, surface_pairs[i].gap, start, now);
}
