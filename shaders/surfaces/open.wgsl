#import "common/control"
#import "surfaces/lists"
#import "surfaces/span"
#import "surfaces/wanted"
#import "search/searching"
// Lets surfaces be searched, or not. The including kernel declares what is used here.

// The passes of a search run, all or none, and whether they do; `age` counts the substeps that the search is for and that are over.
// What the lists have no room for at their speeds is searched for shorter times, and therefore more often: up to once a substep. Who
// found no room is searched for at once.
fn open_search(asked: bool, age: u32) -> bool {
    let room = surface_list.room;
    let wanted = atomicLoad(&control.surfaces_wanted);
    let before = max(control.surfaces_parts, 1u);
    let most = max(u32(params.dt / params.substep_dt + 0.5), 1u);
    let due = asked || (wanted > room && before < most);
    leaf_pairs.head = NO_ENTRIES;
    surface_candidates.head = NO_ENTRIES;
    if due {
        atomicStore(&control.surfaces_due, 0u);
        atomicStore(&control.surfaces_moved, 0u);
        if age == 0u {
            // What found no room in any search of a frame is told at its end.
            atomicStore(&control.surfaces_dropped, 0u);
            atomicStore(&control.surfaces_most, 0u);
        }
        atomicStore(&control.surfaces_wanted, 0u);
        control.surface_searches += 1u;
        control.surfaces_age = age;
        let longer = select(before, max(before / 2u, 1u), wanted == 0u);
        let shorter = min(select(2u, 4u, wanted > 2u * room) * before, most);
        control.surfaces_parts = select(longer, shorter, wanted > room / CROWDED);
        surface_list.time = span_of(control.surfaces_parts);
        surface_list.pairs = NO_ENTRIES;
        surface_list.body_pairs = NO_ENTRIES;
    }
    for (var i = 0u; i < arrayLength(&search_sizes); i++) {
        let row = search_sizes[i];
        if row.w == OF_SURFACES {
            search_args[3u * i] = select(0u, row.x, due);
            search_args[3u * i + 1u] = select(0u, row.y, due);
            search_args[3u * i + 2u] = select(0u, row.z, due);
        }
    }
    return due;
}
