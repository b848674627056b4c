#import "common/params"
#import "common/thread"
// One thread per constraint of one color, as `constraints/solve`: leaves the color's mark on every particle that it may move,
// and counts those that bear it already. Run once for all colors in turn, the count must stay 0.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_heads: array<vec2u>;
@group(1) @binding(1) var<storage, read> constraint_words: array<vec4u>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
// Of each particle or phantom the first constraint of the last color that had it, plus 1; before them the count.
@group(1) @binding(3) var<storage, read_write> color_marks: array<atomic<u32>>;

const HEAD_FIRST: u32 = 0x03ffffffu;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let thread = global_index(id, groups);
    if thread >= batch.count {
        return;
    }
    let slots = constraint_words[constraint_heads[batch.first + thread].x & HEAD_FIRST];
    for (var k = 0u; k < 4u; k++) {
        // What does not move may be in several constraints of one color.
        if slots[k] == NONE || particle_velocities[slots[k]].w == 0.0 {
            continue;
        }
        if atomicExchange(&color_marks[slots[k] + 1u], batch.first + 1u) == batch.first + 1u {
            atomicAdd(&color_marks[0], 1u);
        }
    }
}
