#import "common/params"
#import "common/triangle"
#import "common/thread"
// One thread per triangle. Counts, for every particle, the triangle contacts that it takes part in.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> triangle_lists: array<vec2u>;
@group(1) @binding(3) var<storage, read_write> triangle_pushes: array<atomic<i32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let t = global_index(id, groups);
    if t >= params.triangle_count {
        return;
    }
    let count = triangle_lists[t].x;
    if count == 0u {
        return;
    }
    let corners = triangles[t].xyz;
    let a = particles[corners.x].xyz;
    let b = particles[corners.y].xyz;
    let c = particles[corners.z].xyz;
    for (var k = 1u; k <= count; k++) {
        let slot = triangle_slot(t, k, params.triangle_count);
        let p = triangle_lists[slot].x;
        let gap = bitcast<f32>(triangle_lists[slot].y);
        let touch = touch_of(particles[p].xyz, a, b, c, gap);
        if touch.beside && touch.height < 0.0 {
            // It has gone around.
            triangle_lists[slot].y = bitcast<u32>(-gap);
        } else if is_touching(touch, gap) {
            atomicAdd(&triangle_pushes[PUSH_WORDS * p], 1);
            for (var corner = 0u; corner < 3u; corner++) {
                if touch.weights[corner] > 0.0 {
                    atomicAdd(&triangle_pushes[PUSH_WORDS * corners[corner]], 1);
                }
            }
        }
    }
}
