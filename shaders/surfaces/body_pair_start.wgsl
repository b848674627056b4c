#import "surfaces/body_pair"
// Where a pair of a body began its substep. The including kernel declares `body_origins` and `particle_origins` too.

// Places [m], the particle's first.
fn start_of(pair: BodyPair) -> mat4x3f {
    let origin = body_origins[pair.body];
    return mat4x3f(origin.center + rotate(origin.rotation, pair.local), particle_origins[pair.corners.x].xyz,
        particle_origins[pair.corners.y].xyz, particle_origins[pair.corners.z].xyz);
}
