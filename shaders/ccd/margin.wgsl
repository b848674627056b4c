#import "common/control"
#import "surfaces/primitive"
// What makes surfaces be searched again at the end of a substep. The including kernel declares `control`.

// Of something that is `off` from where it was expected, has `moved` since the last search `age` substeps ago, and may stray by
// its `margin` [m]; how fast it is [m/s] sets how long the next search lasts.
fn check(off: f32, moved: f32, margin: f32, age: f32, speed: f32) {
    if off > REBUILD_MARGIN * margin {
        atomicStore(&control.rebuild, 1u);
    }
    if off > margin || (age >= control.horizon && moved > margin) {
        atomicStore(&control.surfaces_due, 1u);
    }
    let bits = ordered_bits(speed);
    if bits > atomicLoad(&control.fastest) {
        atomicMax(&control.fastest, bits);
    }
}
