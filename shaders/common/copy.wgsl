#import "common/thread"
// One thread per row. Copies four words: what every kernel that reads and writes in order can reach at most.

@group(0) @binding(0) var<storage, read> copied_from: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> copied_to: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < arrayLength(&copied_to) {
        copied_to[i] = copied_from[i];
    }
}
