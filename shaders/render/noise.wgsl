#import "render/chance"
// Smooth noise over a plane, always the same.

// -1..1 at a point of the lattice.
fn lattice(at: vec2i) -> f32 {
    let c = bitcast<vec2u>(at);
    return chance((c.x * 73856093u) ^ (c.y * 19349663u)).x;
}

// Value noise, -1..1: one hill or hollow to each unit of `place`.
fn noise(place: vec2f) -> f32 {
    let corner = floor(place);
    let at = vec2i(corner);
    let part = place - corner;
    let blend = part * part * (3.0 - 2.0 * part);
    let below = mix(lattice(at), lattice(at + vec2i(1, 0)), blend.x);
    let above = mix(lattice(at + vec2i(0, 1)), lattice(at + vec2i(1, 1)), blend.x);
    return mix(below, above, blend.y);
}
