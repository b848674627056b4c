#import "constraints/level_soft"
#import "constraints/level_follow"
#import "constraints/phantoms"
#import "common/thread"
// One thread per particle that follows coarse ones, and per row of constraints of a type that has coarse lengths, after all coarse
// levels: the particle goes where the mean of its coarse neighbors does, with what stands for it, and the row begins with what it
// bears by then.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> level_leaves: array<LevelLeaf>;
@group(1) @binding(1) var<storage, read> level_links: array<LevelLink>;
@group(1) @binding(2) var<storage, read> level_moves: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(4) var<storage, read> level_heirs: array<LevelHeir>;
@group(1) @binding(5) var<storage, read> level_pulls: array<LevelPull>;
@group(1) @binding(6) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(7) var<storage, read_write> constraint_multipliers: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index < arrayLength(&level_leaves) {
        follow(level_leaves[index]);
    }
    if index < arrayLength(&level_heirs) {
        inherit(level_heirs[index]);
    }
}

fn follow(leaf: LevelLeaf) {
    let weight = particle_moves[leaf.particle].w;
    if weight == 0.0 {
        return;
    }
    let shift = level_followed(leaf.first, leaf.count);
    particle_moves[leaf.particle] = vec4f(shift, weight);
    for (var k = leaf.first_phantom; k < leaf.first_phantom + phantom_count(leaf.phantoms); k++) {
        particle_moves[k] = vec4f(shift, particle_moves[k].w);
    }
}

fn inherit(heir: LevelHeir) {
    var multipliers = vec4f(0.0);
    if batch.iteration > 0u {
        multipliers = constraint_multipliers[heir.row];
    }
    multipliers.x += level_inherited(heir.parent, heir.length, level_softness(heir.soft));
    constraint_multipliers[heir.row] = multipliers;
}
