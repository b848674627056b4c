#import "common/params"
#import "common/list"
#import "surfaces/lists"
#import "surfaces/islands"
#import "ccd/groups"
// One thread, at the end of a substep. Lets all ways be bound if some cross.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(1)
fn main() {
    if any_cross() {
        surface_list.bound = surface_list.pairs;
        surface_list.bound_bodies = surface_list.body_pairs;
        surface_list.particle_groups = particle_groups();
        surface_list.body_groups = body_groups();
    }
}
