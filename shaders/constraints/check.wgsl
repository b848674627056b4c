#import "common/params"
#import "common/thread"
#import "common/color"
// One thread per constraint of one color and type: leaves the color's mark on every particle that it may move,
// and counts those that bear it already. Run once for all colors in turn, the count must stay 0.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(1) var<storage, read> particle_moves: array<vec4f>;
// Of each particle or phantom the last color that had it, plus 1; before them the count.
@group(1) @binding(2) var<storage, read_write> color_marks: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = global_index(id, groups);
    if thread >= batch.count {
        return;
    }
    for (var k = 0u; k < batch.particles; k++) {
        let particle = constraint_words[batch.first + k * batch.count + thread];
        // What does not move may be in several constraints of one color.
        if particle == NONE || particle_moves[particle & ~HALF].w == 0.0 {
            continue;
        }
        if atomicExchange(&color_marks[(particle & ~HALF) + 1u], batch.color + 1u) == batch.color + 1u {
            atomicAdd(&color_marks[0], 1u);
        }
    }
}
