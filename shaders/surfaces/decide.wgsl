#import "common/params"
#import "surfaces/open"
// One thread, at the end of a substep, before ways are bound. Surfaces are searched once more, by the ways of this substep, when
// something strayed so far that it may have met what the last search left out, or the last one found more than its lists hold.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> control: Control;
@group(1) @binding(1) var<storage, read> search_sizes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> search_args: array<u32>;
@group(1) @binding(3) var<storage, read_write> surface_list: SurfaceList;
@group(1) @binding(4) var<storage, read_write> leaf_pairs: LeafPairs;
@group(1) @binding(5) var<storage, read_write> surface_candidates: Candidates;
@group(1) @binding(6) var<storage, read_write> surface_list_again: SurfaceList;
@group(1) @binding(7) var<storage, read_write> surface_list_last: SurfaceList;

@compute @workgroup_size(1)
fn main() {
    control.surfaces_age += 1u;
    surface_list.renewed = u32(open_search(atomicLoad(&control.surfaces_due) != 0u, 1u));
    surface_list.bound = NO_ENTRIES;
    surface_list.bound_bodies = NO_ENTRIES;
    surface_list.particle_groups = vec3u(0u, 1u, 1u);
    surface_list.body_groups = vec3u(0u, 1u, 1u);
    surface_list_again = no_round(1u);
    surface_list_last = no_round(LAST_ROUND);
}

// A round in which nothing is bound.
fn no_round(round: u32) -> SurfaceList {
    var list = surface_list;
    list.round = round;
    return list;
}
