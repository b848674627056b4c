#import "common/params"
#import "common/contact"
#import "common/control"
#import "surfaces/lists"
// One thread. Lets surfaces bound the way of this substep once more if they have just cut some: others may rely on those.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read_write> control: Control;

// Threads of a group of `ccd/truncate`.
const TRUNCATE_GROUP: u32 = 64u;

@compute @workgroup_size(1)
fn main() {
    let truncated = atomicExchange(&control.truncated, 0u) != 0u;
    surface_list.pairs_again = surface_list.pairs;
    surface_list.body_pairs_again = surface_list.body_pairs;
    let groups = listed_groups(params.particle_count - 1u, TRUNCATE_GROUP);
    surface_list.particle_groups_again = vec3u(groups, 1u);
    if !truncated {
        surface_list.pairs_again = NO_ENTRIES;
        surface_list.body_pairs_again = NO_ENTRIES;
        surface_list.particle_groups_again.x = 0u;
    }
    surface_list.round += 1u;
}
