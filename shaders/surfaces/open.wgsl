#import "surfaces/stray"
#import "surfaces/lists"
#import "search/searching"
// Lets surfaces be searched, or not. The including kernel declares what is used here.

// The shortest search counts for so many substeps: that in which it was made, and the next one.
const LEAST_SPAN: u32 = 2u;

// For how many substeps the next search counts: for a frame and a substep, but no longer than things have gone as expected. What is
// thrown about would list all that its speed could reach within a frame, and be searched again in the next substep.
fn next_span() -> u32 {
    let most = u32(round(params.dt / params.substep_dt)) + 1u;
    let before = control.surfaces_span;
    if before == 0u {
        return most;
    }
    let strayed = atomicLoad(&control.surfaces_due) == SURFACES_STRAYED;
    return clamp(select(before + 1u, control.surfaces_age, strayed), LEAST_SPAN, most);
}

// The passes of a search run, all or none; `age` counts the substeps that the search is for and that are over.
fn open_search(due: bool, age: u32) {
    leaf_pairs.head = NO_ENTRIES;
    surface_candidates.head = NO_ENTRIES;
    if due {
        control.surfaces_span = next_span();
        surface_list.span = f32(control.surfaces_span) * params.substep_dt;
        atomicStore(&control.surfaces_due, 0u);
        atomicStore(&control.surfaces_moved, 0u);
        atomicStore(&control.surfaces_dropped, 0u);
        atomicStore(&control.surfaces_most, 0u);
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
