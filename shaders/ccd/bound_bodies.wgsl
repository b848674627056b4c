#import "common/control"
#import "surfaces/body_pair_start"
#import "surfaces/listed_pair"
#import "surfaces/islands"
#import "ccd/plane"
// One thread per pair of a particle of a body and a triangle, at the end of a substep in which some cross. As `ccd/bound`; the plane gives way
// as far as the triangle went by itself, so that a body is held up by no more than what does not get out of its way.

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
    let frame = island_motion(island_of(particle_rows[pair.corners.x]));
    if !frame.crossing {
        return;
    }
    let now = seen_from(frame.way, pair.now);
    var truncated = surface_list.round == LAST_ROUND || (hold_of(pair.body) & TRUNCATED_NOW) != 0u;
    for (var k = 0u; k < 3u; k++) {
        truncated |= atomicLoad(&surface_deltas[pair.corners[k]].contacts) != 0;
    }
    if !truncated && is_parted(pair.normal * start, pair.normal * now, false) {
        return;
    }
    let plane = plane_between(start, now, frame.way, pair.gap, false);
    if plane.distance == 0.0 {
        return;
    }
    let reached = max(plane.end.y, max(plane.end.z, plane.end.w)) + plane.least;
    let middle = select(min(plane.middle, reached), plane.middle, truncated);
    let begin = plane.begin.x;
    let end = plane.end.x;
    // The way of the particle, cut where it stays ahead of the plane.
    if end < middle + plane.least && end < begin && pair.state.inv_mass != 0.0 {
        truncate_way(linear_row(pair.body), plane.frame, begin - middle - plane.least, begin - end);
    }
    for (var k = 0u; k < 3u; k++) {
        bound_particle(pair.corners[k], plane, k + 1u, -1.0);
    }
}
