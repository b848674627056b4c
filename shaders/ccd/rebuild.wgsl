#import "common/params"
#import "common/contact"
#import "common/control"
#import "surfaces/lists"
#import "search/searching"
// One thread, at the end of a substep. When something strayed so far that it may have met what the search left out, surfaces
// are searched again by the ways of this substep, and bound once more. The next substep searches by itself.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> control: Control;
@group(1) @binding(1) var<storage, read> search_sizes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> search_args: array<u32>;
@group(1) @binding(3) var<storage, read_write> surface_list: SurfaceList;
@group(1) @binding(4) var<storage, read_write> leaf_pairs: LeafPairs;
@group(1) @binding(5) var<storage, read_write> surface_candidates: Candidates;

@compute @workgroup_size(1)
fn main() {
    leaf_pairs.head = NO_ENTRIES;
    surface_candidates.head = NO_ENTRIES;
    let rebuild = atomicExchange(&control.rebuild, 0u) != 0u;
    if rebuild {
        control.horizon = 1.0;
        atomicStore(&control.surfaces_due, 1u);
        atomicStore(&control.truncated, 1u);
        surface_list.pairs = NO_ENTRIES;
        surface_list.body_pairs = NO_ENTRIES;
    }
    for (var i = 0u; i < arrayLength(&search_sizes); i++) {
        let row = search_sizes[i];
        if row.w == SURFACES_REBUILD {
            search_args[3u * i] = select(0u, row.x, rebuild);
            search_args[3u * i + 1u] = select(0u, row.y, rebuild);
            search_args[3u * i + 2u] = select(0u, row.z, rebuild);
        }
    }
}
