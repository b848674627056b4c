#import "common/params"
#import "common/contact"
#import "common/control"
#import "surfaces/primitive"
// One thread. Lets surfaces bound the way of this substep once more if they have just cut some: others may rely on those.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> surface_list: array<u32>;
@group(1) @binding(1) var<storage, read_write> control: Control;

// Threads of a group of `ccd/truncate`.
const HOLD_GROUP: u32 = 64u;

@compute @workgroup_size(1)
fn main() {
    let truncated = atomicExchange(&control.truncated, 0u) != 0u;
    for (var k = 0u; k < 3u; k++) {
        surface_list[AGAIN + k] = select(0u, surface_list[k], truncated);
        surface_list[AGAIN + 4u + k] = select(0u, surface_list[BODY_LIST + k], truncated);
    }
    let groups = listed_groups(params.particle_count - 1u, HOLD_GROUP);
    surface_list[AGAIN + 8u] = select(0u, groups.x, truncated);
    surface_list[AGAIN + 9u] = groups.y;
    surface_list[AGAIN + 10u] = 1u;
    surface_list[ROUND] += 1u;
}
