#import "surfaces/body_pair"
#import "ccd/plane"
// One thread per pair of a particle of a body and a triangle, at the end of a substep. As `ccd/bound`; the plane gives way
// as far as the triangle went by itself, so that a body is held up by no more than what does not get out of its way.

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
    let now = pair.now;
    let truncation_word = pair.words + BODY_TRUNCATION;
    var truncated = surface_list[ROUND] == LAST_ROUND || (atomicLoad(&surface_deltas[pair.words + BODY_TRUNCATED]) & i32(TRUNCATED_NOW)) != 0;
    for (var k = 0u; k < 3u; k++) {
        truncated |= atomicLoad(&surface_deltas[DELTA_WORDS * pair.corners[k]]) != 0;
    }
    let n = pair.frame.xyz;
    if !truncated && are_parted(n, start, now, false) {
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
    let least = staying(half, half, pair.frame.w);
    let reached = max(end.y, max(end.z, end.w)) + least;
    let plane = select(min(middle, reached), middle, truncated);
    // The way of the particle, cut where it stays ahead of the plane.
    if end.x < plane + least && end.x < begin.x && pair.state.inv_mass != 0.0 {
        atomicMax(&surface_deltas[truncation_word], truncation(begin.x - plane - least, begin.x - end.x));
    }
    for (var k = 0u; k < 3u; k++) {
        let before = middle - begin[k + 1u];
        let after = middle - end[k + 1u];
        if after < least && after < before {
            let word = DELTA_WORDS * pair.corners[k] + DELTA_TRUNCATION;
            atomicMax(&surface_deltas[word], truncation(before - least, before - after));
        }
    }
}
