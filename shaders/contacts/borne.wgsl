#import "common/contact"
// A free particle that lies on a collider, under a body: the collider bears what presses it down, and what surrounds it keeps it where it
// is, also when the body rubs on it. Only what itself comes along the ground is stopped by its own mass: it would be a wedge that nothing
// stops. With the part s of the normal that is level, an impulse λ stops λ w s to the side, and the contact opens by λ w s². The including
// kernel declares `params`.

// Cosine to the vertical from which on one lies on the other: 45°.
const BEARING: f32 = 0.7;

fn lies_under(load: u32, n: vec3f) -> bool {
    return (load & LOAD_BORNE) != 0u && dot(n, params.gravity) > BEARING * length(params.gravity);
}

fn level(way: vec3f) -> vec3f {
    return way - params.gravity * (dot(way, params.gravity) / dot(params.gravity, params.gravity));
}

// s² of a normal.
fn slope(n: vec3f) -> f32 {
    let side = level(n);
    return dot(side, side);
}
