#import "common/params"
#import "common/contact"
#import "common/control"
#import "common/facet"
#import "common/searching"
// One thread, at the end of a substep. When something strayed so far that it may have met what the search left out, surfaces
// are searched again by the ways of this substep, and bound once more. The next substep searches by itself.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> control: Control;
@group(1) @binding(1) var<storage, read> search_sizes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> search_args: array<u32>;
@group(1) @binding(3) var<storage, read_write> surface_list: array<u32>;
@group(1) @binding(4) var<storage, read_write> near_patches: array<u32>;
@group(1) @binding(5) var<storage, read_write> surface_candidates: array<u32>;

@compute @workgroup_size(1)
fn main() {
    for (var k = 0u; k < LIST_HEAD; k++) {
        near_patches[k] = EMPTY_LIST[k];
        surface_candidates[k] = EMPTY_LIST[k];
    }
    let astray = atomicExchange(&control.astray, 0u) != 0u;
    if astray {
        control.horizon = 1.0;
        atomicStore(&control.surfaces_due, 1u);
        atomicStore(&control.cut, 1u);
        for (var k = 0u; k < LIST_HEAD; k++) {
            surface_list[k] = EMPTY_LIST[k];
            surface_list[BODY_LIST + k] = EMPTY_LIST[k];
        }
    }
    for (var i = 0u; i < arrayLength(&search_sizes); i++) {
        let row = search_sizes[i];
        if row.w == SURFACES_AGAIN {
            search_args[3u * i] = select(0u, row.x, astray);
            search_args[3u * i + 1u] = select(0u, row.y, astray);
            search_args[3u * i + 2u] = select(0u, row.z, astray);
        }
    }
}
