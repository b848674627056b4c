#import "common/control"
#import "surfaces/body_pair_start"
#import "surfaces/listed_pair"
#import "ccd/plane"
// One thread per pair of a particle of a body and a triangle, at the end of a substep. What is left of the triangle on the way
// of the body goes ahead of it: its tension then slows the body, and a body that nothing moves takes it along.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(6) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = listed_pair(global_index(id, groups));
    if index == NONE {
        return;
    }
    let pair = body_pair(index);
    let start = start_of(pair);
    if is_parted(pair.normal * start, pair.normal * pair.now, false) {
        return;
    }
    let plane = plane_between(start, pair.now, vec3f(0.0), pair.gap, false);
    if plane.distance == 0.0 {
        return;
    }
    // The particle itself is the plane: nothing else gives way to it.
    let least = staying(0.5 * plane.distance, plane.distance, pair.gap);
    for (var k = 0u; k < 3u; k++) {
        let excess = plane.end[k + 1u] - plane.end.x + least;
        if excess > 0.0 && !is_broken(vec4f(excess * plane.normal, 0.0)) {
            carry(pair.corners[k], pair.body, -excess * plane.normal);
        }
    }
}

// Several particles that push one way push no farther than one: for `ccd/follow` the most of a way and the least are kept, 0
// among them.
fn carry(particle: u32, body: u32, displacement: vec3f) {
    let whole = vec3i(round(displacement * DELTA_SCALE));
    atomicMax(&surface_deltas[particle].contacts, i32(body + 1u));
    for (var k = 0u; k < 3u; k++) {
        atomicMax(&surface_deltas[particle].displacement[k], whole[k]);
        atomicMin(&surface_deltas[particle].velocity_part[k], whole[k]);
    }
}
