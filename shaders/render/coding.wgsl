// Colors in the coding of the target.

override ENCODE: bool = false;

// Up to here the sRGB curve is straight.
const STRAIGHT = 0.0031308;

// Piecewise sRGB curve of IEC 61966-2-1.
fn encoded(linear: vec3f) -> vec3f {
    let curved = 1.055 * pow(max(linear, vec3f(STRAIGHT)), vec3f(1.0 / 2.4)) - 0.055;
    return select(curved, linear * 12.92, linear <= vec3f(STRAIGHT));
}

// Its inverse.
fn decoded(color: vec3f) -> vec3f {
    let curved = pow(max((color + 0.055) / 1.055, vec3f(0.0)), vec3f(2.4));
    return select(curved, color / 12.92, color <= vec3f(STRAIGHT * 12.92));
}

// What the target takes for a color of the display [linear, 0..1].
fn finished(color: vec3f) -> vec4f {
    if ENCODE {
        return vec4f(encoded(color), 1.0);
    }
    return vec4f(color, 1.0);
}
