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
