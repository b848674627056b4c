#import "common/params"
#import "common/copies"
#import "common/thread"
// One thread per particle, before the last color of a hybrid partition: its copies go where the colors before it moved it.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_copies: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let copies = particle_copies[i];
    for (var c = copies.x; c < end_of(copies); c++) {
        particle_moves[c] = particle_moves[i];
    }
}
