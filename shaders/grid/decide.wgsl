#import "common/params"
#import "common/control"
// One thread. Searches contacts again once things may have moved further than the margin of the last search;
// writes the indirect dispatch sizes of the search passes: their full size, or nothing.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> control: Control;
@group(1) @binding(1) var<storage, read> search_sizes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> search_args: array<u32>;

// Substeps that one search should last at the present speed.
const LASTING: f32 = 4.0;
// Margin as a fraction of the largest radius: at rest, and at most (the cell size allows no more).
const MARGIN_LEAST: f32 = 0.3;
const MARGIN_MOST: f32 = 1.0;

@compute @workgroup_size(1)
fn main() {
    let fastest = bitcast<f32>(atomicExchange(&control.motion, 0u));
    let moved = (fastest + max(fastest, params.collider_speed)) * params.gravity.w;
    control.drift += moved;
    // `bodies/sleep` counts once a frame, after the last substep.
    atomicStore(&control.awake, 0u);
    let again = control.searched == 0u || control.drift > control.margin;
    if again {
        let radius = params.particle_radius;
        control.margin = clamp(LASTING * moved, MARGIN_LEAST * radius, MARGIN_MOST * radius);
        control.drift = 0.0;
        control.searched = 1u;
        control.searches += 1u;
        atomicStore(&control.contacts_dropped, 0u);
        atomicStore(&control.neighbors_dropped, 0u);
        atomicStore(&control.pairs_dropped, 0u);
    }
    for (var i = 0u; i < arrayLength(&search_sizes); i++) {
        let size = select(vec4u(0u), search_sizes[i], again);
        search_args[3u * i] = size.x;
        search_args[3u * i + 1u] = size.y;
        search_args[3u * i + 2u] = size.z;
    }
}
