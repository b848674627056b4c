#import "constraints/level_node"
#import "common/thread"
// One thread per node of a large coarse level, before its lengths are solved: it goes where the mean of its coarse neighbors does.

@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> level_nodes: array<LevelNode>;
@group(1) @binding(1) var<storage, read> level_links: array<LevelLink>;
@group(1) @binding(2) var<storage, read> level_places: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> level_moves: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = global_index(id, groups);
    if thread < batch.count {
        level_follow(batch.first + thread);
    }
}
