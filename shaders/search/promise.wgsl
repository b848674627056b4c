#import "search/margin"
// When a margin does not last. The including kernel declares `params`, `batch` and `control`.

// What is left of a margin [m] must last at this speed [m/s] until the next substep in which contacts may be searched; else they
// are searched now. `most` is the largest margin that it may have [m]: the host lets contacts be searched so often that it lasts.
fn promise(margin: f32, speed: f32, most: f32) {
    let ahead = select(0u, params.search_stride - 1u, batch.substep % params.search_stride == 0u);
    if margin < way_ahead(speed, f32(ahead)) {
        atomicStore(&control.due, 1u);
    }
    let hurry = ordered_bits(speed / most);
    if hurry > atomicLoad(&control.hurry) {
        atomicMax(&control.hurry, hurry);
    }
}
