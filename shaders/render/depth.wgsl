#import "render/frame"
// Distances from the depth of the picture.

// Farther than everything that is shaded [m].
const FAR = 200.0;
// Depth is 0 infinitely far away; it is taken to be at least this.
const LEAST_DEPTH = 1e-9;
// Distances are of one surface as far as they differ by less than a sixtieth, and of two from a twentieth on.
const SAME = 1.5;
const APART = 30.0;

// Distance in front of the eye [m] of a stored depth; beyond FAR where nothing was drawn.
fn distance_at(depth: f32) -> f32 {
    return frame.eye.w / max(depth, LEAST_DEPTH);
}

// 1 for distances on one surface, falling to 0 as they differ.
fn same_surface(a: vec4f, b: f32) -> vec4f {
    return clamp(SAME - APART * abs(a - b) / min(a, vec4f(b)), vec4f(0.0), vec4f(1.0));
}
