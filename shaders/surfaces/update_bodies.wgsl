#import "common/control"
#import "surfaces/body_pair_start"
#import "surfaces/listed_pair"
#import "surfaces/delta"
#import "surfaces/time_of_impact"
// One thread per pair of a particle of a body and a triangle. As `surfaces/update`; counts the contacts of the body.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(6) var<storage, read_write> surface_pairs: array<SurfacePair>;
@group(1) @binding(7) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = listed_pair(global_index(id, groups));
    if index == NONE {
        return;
    }
    let pair = body_pair(index);
    let weights = update_pair(index, pair.normal, pair.gap, start_of(pair), pair.now, false);
    if weights.x == 0.0 {
        return;
    }
    atomicAdd(&surface_deltas[linear_row(pair.body)].contacts, 1);
    for (var k = 0u; k < 3u; k++) {
        if weights[k + 1u] != 0.0 {
            atomicAdd(&surface_deltas[pair.corners[k]].contacts, 1);
        }
    }
}
