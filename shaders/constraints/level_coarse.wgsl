#import "constraints/level_solve"
#import "constraints/level_node"
// One workgroup, before the constraints of an iteration: all coarse levels that are small, from the coarsest on. Each node follows
// those of the coarser level, then lengths are solved, color after color.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(1) var<storage, read> level_lengths: array<LevelLength>;
@group(1) @binding(2) var<storage, read> level_places: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> level_moves: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> level_pulls: array<LevelPull>;
@group(1) @binding(5) var<storage, read> level_nodes: array<LevelNode>;
@group(1) @binding(6) var<storage, read> level_links: array<LevelLink>;
@group(1) @binding(7) var<storage, read> level_steps: array<LevelStep>;

// A software adapter goes from one bundle of lanes to the next at each barrier: as `constraints/clusters`.
override LANES: u32 = 32u;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) local: u32) {
    for (var k = 0u; k < arrayLength(&level_steps); k++) {
        let own = level_steps[k];
        for (var i = local; i < own.nodes; i += LANES) {
            level_follow(own.first_node + i);
        }
        storageBarrier();
        for (var i = local; i < own.lengths; i += LANES) {
            level_solve(own.first_length + i);
        }
        storageBarrier();
    }
}
