#import "common/params"
#import "common/control"
#import "surfaces/primitive"
// What makes surfaces be searched again. The including kernel declares `control` and `params`.

// Values of `surfaces_due`: it counts no longer, or something strayed from the way it was expected to go.
const SURFACES_OLD: u32 = 1u;
const SURFACES_STRAYED: u32 = 2u;

// Of something that is `off` from where it was expected, has `moved` since the last search, and may stray by `most` [m].
fn check_stray(off: f32, most: f32, moved: f32, margin: f32) {
    if moved > margin && atomicLoad(&control.surfaces_moved) == 0u {
        atomicStore(&control.surfaces_moved, 1u);
    }
    if off > most {
        atomicMax(&control.surfaces_due, SURFACES_STRAYED);
    } else if moved > margin && control.surfaces_age + 1u >= control.surfaces_span {
        atomicMax(&control.surfaces_due, SURFACES_OLD);
    }
}

// From the search of surfaces to the end of this substep [s].
fn search_age() -> f32 {
    return f32(control.surfaces_age + 1u) * params.substep_dt;
}
