#import "render/frame"
// Distances from the depth of the picture.

/// Farther than everything that is shaded [m].
const FAR = 200.0;

/// Distance in front of the eye [m] of a stored depth; beyond FAR where nothing was drawn.
fn distance_at(depth: f32) -> f32 {
    return frame.eye.w / max(depth, 1e-9);
}

/// 1 for distances on one surface, falling to 0 as they differ by a twentieth.
fn same_surface(a: vec4f, b: f32) -> vec4f {
    return clamp(1.5 - 30.0 * abs(a - b) / min(a, vec4f(b)), vec4f(0.0), vec4f(1.0));
}
