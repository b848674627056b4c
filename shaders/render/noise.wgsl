// Noise that hides how few places are looked at.

/// Interleaved gradient noise in 0..1 (Jimenez 2014).
fn pixel_noise(pixel: vec2<f32>) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2<f32>(0.06711056, 0.00583715))));
}
