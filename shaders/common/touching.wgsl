#import "common/params"
#import "common/contact"
#import "common/thread"
// Counts touching contacts by pair. The including kernel declares `loads` with atomics.

// Counts a contact of the pair in this slot, of bodies `own` and `other` (NONE is the world). The first one gives the bodies
// their share of the pair (mass splitting, Tonge et al. 2012) and puts the pair into the list that starts at word `list`. The
// list's order depends on timing; nothing depends on the order.
fn count_touch(slot: u32, own: u32, other: u32, list: u32) {
    if atomicAdd(&loads[touch_count(slot, params.body_count, params.particle_count)], 1u) != 0u {
        return;
    }
    atomicAdd(&loads[own], 1u);
    if other != NONE {
        atomicAdd(&loads[other], 1u);
    }
    let place = atomicAdd(&loads[list + 3u], 1u);
    let groups = listed_groups(place, WORKGROUP);
    atomicMax(&loads[list], groups.x);
    atomicMax(&loads[list + 1u], groups.y);
    atomicStore(&loads[list + LIST_HEAD + place], slot);
}
