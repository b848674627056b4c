#import "common/control"
#import "surfaces/lists"
#import "search/searching"
// Lets surfaces be searched, or not. The including kernel declares what is used here.

// The passes of a search run, all or none; `age` counts the substeps that the search is for and that are over.
fn open_search(due: bool, age: u32) {
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
        control.surface_searches += 1u;
        control.surfaces_age = age;
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
}
