#import "common/control"
#import "surfaces/body_pair"
#import "ccd/plane"
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
@group(1) @binding(7) var<storage, read_write> surface_deltas: array<atomic<i32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = listed_pair(global_index(id, groups));
    if index == NONE {
        return;
    }
    let pair = body_pair(index);
    let start = beginning(pair, body_origins[pair.body], mat3x3f(particle_origins[pair.corners.x].xyz,
        particle_origins[pair.corners.y].xyz, particle_origins[pair.corners.z].xyz));
    let n = pair.frame.xyz;
    if are_parted(n, start, pair.now, false) {
        return;
    }
    let frame = frame_of(start, false);
    if frame.distance == 0.0 {
        return;
    }
    let end = frame.normal * pair.now;
    let least = staying(0.5 * frame.distance, frame.distance, pair.frame.w);
    for (var k = 0u; k < 3u; k++) {
        let excess = end[k + 1u] - end.x + least;
        if excess > 0.0 {
            if is_broken(vec4f(excess * frame.normal, 0.0)) {
                continue;
            }
            let words = DELTA_WORDS * pair.corners[k];
            let whole = vec3i(round(-excess * frame.normal * DELTA_SCALE));
            atomicMax(&surface_deltas[words], i32(pair.body + 1u));
            // Several particles that push one way push no farther than one.
            for (var j = 0u; j < 3u; j++) {
                atomicMax(&surface_deltas[words + DELTA_TOTAL + j], whole[j]);
                atomicMin(&surface_deltas[words + DELTA_VELOCITY + j], whole[j]);
            }
        }
    }
}
