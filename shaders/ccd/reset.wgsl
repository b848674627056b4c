#import "common/params"
#import "surfaces/primitive"
#import "common/thread"
// One thread per particle or body, whichever are more, last in a substep. Forgets whose way was cut; of bodies
// it counts in how many substeps in a row.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> surface_deltas: array<i32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.particle_count {
        surface_deltas[DELTA_WORDS * i] = 0;
    }
    if i < params.body_count {
        let word = body_words(i, params.particle_count) + BODY_TRUNCATED;
        let held = u32(surface_deltas[word]);
        surface_deltas[word] = i32(select(0u, held - TRUNCATED_NOW + TRUNCATED_BEFORE, (held & TRUNCATED_NOW) != 0u));
    }
}
