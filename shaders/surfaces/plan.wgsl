#import "common/params"
#import "surfaces/open"
// One thread, once a frame, at its start. Surfaces are searched for all of the frame when something moved since they last were, and
// that search would end within the frame.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> control: Control;
@group(1) @binding(1) var<storage, read> search_sizes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> search_args: array<u32>;
@group(1) @binding(3) var<storage, read_write> surface_list: SurfaceList;
@group(1) @binding(4) var<storage, read_write> leaf_pairs: LeafPairs;
@group(1) @binding(5) var<storage, read_write> surface_candidates: Candidates;

@compute @workgroup_size(1)
fn main() {
    let part = params.dt / f32(max(control.surfaces_parts, 1u));
    let ends = atomicLoad(&control.surfaces_moved) != 0u && 2.0 * f32(control.surfaces_age) * params.substep_dt > part;
    open_search(ends || atomicLoad(&control.surfaces_due) != 0u || control.surfaces_searched == 0u, 0u);
    control.surfaces_searched = 1u;
    surface_list.renewed = 0u;
}
