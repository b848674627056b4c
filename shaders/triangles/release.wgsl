#import "common/params"
#import "common/facet"
#import "common/thread"
// One thread per particle or body, whichever are more, last in a substep. Forgets whose way was cut.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> triangle_pushes: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.particle_count {
        triangle_pushes[PUSH_WORDS * i] = 0;
    }
    if i < params.body_count {
        triangle_pushes[body_words(i, params.particle_count) + BODY_CUT + 1u] = 0;
    }
}
