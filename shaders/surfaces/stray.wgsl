#import "common/control"
#import "surfaces/primitive"
#import "surfaces/span"
// What makes surfaces be searched again. The including kernel declares `control` and `params`.

// Of something that is `off` from where it was expected, has `moved` since the last search, and may stray by `most` [m].
fn check_stray(off: f32, most: f32, moved: f32, margin: f32) {
    if moved > margin && atomicLoad(&control.surfaces_moved) == 0u {
        atomicStore(&control.surfaces_moved, 1u);
    }
    if off > most || (moved > margin && search_age() > span_of(max(control.surfaces_parts, 1u)) - 0.5 * params.substep_dt) {
        atomicStore(&control.surfaces_due, 1u);
    }
}

// From the search of surfaces to the end of this substep [s].
fn search_age() -> f32 {
    return f32(control.surfaces_age + 1u) * params.substep_dt;
}
