#import "constraints/level_solve"
#import "common/thread"
// One thread per length of a color of a large coarse level.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(1) var<storage, read> level_lengths: array<LevelLength>;
@group(1) @binding(2) var<storage, read> level_places: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> level_moves: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> level_pulls: array<LevelPull>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = global_index(id, groups);
    if thread < batch.count {
        level_solve(batch.first + thread);
    }
}
