// Colors that tell things apart by their numbers.

// Multiples of the inverses of the golden ratio and of the plastic number never come near one another (Roberts 2018).
const GOLDEN = 0.61803399;
const PLASTIC = 0.7548777;
// A full turn [rad].
const TURN = 6.2831853;

// Red, green and blue of a full color, far from that of the numbers near it.
fn own_hue(index: u32) -> vec3f {
    // Turns of a third apart, within the half turn that cosines promise.
    let turns = fract(vec3f(f32(index) * GOLDEN) + vec3f(0.0, 0.33422538, 0.66845076));
    return 0.5 - 0.5 * cos(TURN * (turns - 0.5));
}

// A number in 0..1, far from that of the numbers near it.
fn own_shade(index: u32) -> f32 {
    return fract(f32(index) * PLASTIC);
}

// A scale of heat for a part of the most, 0..1: blue, cyan, green, yellow, red.
fn heat(part: f32) -> vec3f {
    let at = 4.0 * clamp(part, 0.0, 1.0);
    let color = clamp(vec3f(at - 2.0, min(at, 4.0 - at), 2.0 - at), vec3f(0.0), vec3f(1.0));
    return 0.02 + 0.9 * color * color;
}
