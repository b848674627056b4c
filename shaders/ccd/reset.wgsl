#import "common/params"
#import "common/control"
#import "surfaces/delta"
#import "common/thread"
// One thread per particle or body, whichever are more, last in a substep. Forgets whose way was cut; of bodies
// it counts in how many substeps in a row.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.particle_count {
        atomicStore(&surface_deltas[i].contacts, 0);
    }
    if i < params.body_count {
        let hold = hold_of(i);
        hold_body(i, select(0u, hold - TRUNCATED_NOW + TRUNCATED_BEFORE, (hold & TRUNCATED_NOW) != 0u));
    }
}
