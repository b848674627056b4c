#import "common/params"
#import "common/control"
#import "surfaces/free_pair"
#import "surfaces/lists"
#import "surfaces/islands"
#import "ccd/plane"
#import "common/thread"
// One thread per pair of features, at the end of a substep in which some cross. What was apart when it began must not cross: unless a
// direction parts both all the way, none of their particles may pass the plane halfway between them, and its way is cut off before.
// Where a way was cut already, and in the last round, only a plane that stands still counts. All in the frame of their island.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(5) var<storage, read> particle_rows: array<ParticleRow>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= min(surface_list.bound.count, surface_list.room) {
        return;
    }
    let pair = free_pair(i);
    let frame = island_motion(island_of(particle_rows[pair.particles.x]));
    if !frame.crossing {
        return;
    }
    var truncated = surface_list.round == LAST_ROUND;
    for (var k = 0u; k < 4u; k++) {
        truncated |= atomicLoad(&surface_deltas[pair.particles[k]].contacts) != 0;
    }
    let began = pair.normal * pair.start;
    let now = seen_from(frame.way, pair.now);
    let ended = pair.normal * now;
    if (!truncated && is_parted(began, ended, pair.edges)) || is_parted_for_good(began, ended, pair.edges) {
        return;
    }
    let plane = plane_between(pair.start, now, frame.way, pair.gap, pair.edges);
    if plane.distance == 0.0 {
        return;
    }
    let sides = vec4f(1.0, select(-1.0, 1.0, pair.edges), -1.0, -1.0);
    for (var k = 0u; k < 4u; k++) {
        bound_particle(pair.particles[k], plane, k, sides[k]);
    }
}

// Whether a plane that stands still parts them: it does too where others end their ways early.
fn is_parted_for_good(begin: vec4f, end: vec4f, edges: bool) -> bool {
    let low = min(begin, end);
    let high = max(begin, end);
    let first = select(low.x, min(low.x, low.y), edges);
    let second = select(max(high.y, max(high.z, high.w)), max(high.z, high.w), edges);
    return first > second + PARTED;
}
