#import "common/params"
#import "common/control"
#import "surfaces/free_pair"
#import "surfaces/lists"
#import "surfaces/islands"
#import "ccd/plane"
#import "common/thread"
// One thread per pair of features, at the end of a substep. Finds those whose ways may cross: only then are ways bound, in a frame
// that goes as they do in the mean.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(5) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= min(surface_list.pairs.count, surface_list.room) {
        return;
    }
    let pair = free_pair(i);
    if is_parted(pair.normal * pair.start, pair.normal * pair.now, pair.edges) {
        return;
    }
    add_motion(island_of(particle_rows[pair.particles.x]), (pair.now - pair.start) * vec4f(0.25));
}
