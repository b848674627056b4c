#import "render/depth"
// The finished picture as it leaves the renderer: shaded by ambient occlusion, and in the coding of the target.

override ENCODE: bool = false;

// What every neighbor counts at least: a pixel none of whose neighbors is on its surface takes the mean of all.
const LEAST_WEIGHT = 1e-4;

@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var depth: texture_depth_multisampled_2d;
@group(1) @binding(2) var occlusion: texture_2d<f32>;

// Up to here the sRGB curve is straight.
const STRAIGHT = 0.0031308;

// Piecewise sRGB curve of IEC 61966-2-1.
fn encoded(linear: vec3f) -> vec3f {
    let curved = 1.055 * pow(max(linear, vec3f(STRAIGHT)), vec3f(1.0 / 2.4)) - 0.055;
    return select(curved, linear * 12.92, linear <= vec3f(STRAIGHT));
}

// What the occlusion of the four nearest found pixels says about this one. Each sample of an edge asks those on its own
// surface, so that the edge stays smooth.
fn openness(pixel: vec2i) -> f32 {
    if frame.settings.y < 0.5 {
        return 1.0;
    }
    var away = vec4f();
    for (var i = 0; i < 4; i++) {
        away[i] = distance_at(textureLoad(depth, pixel, i));
    }
    let place = (vec2f(pixel) + 0.5) * 0.5 - 0.5;
    let base = floor(place);
    let last = vec2i(textureDimensions(occlusion)) - 1;
    var weights = vec4f();
    var sum = vec4f();
    for (var i = 0; i < 4; i++) {
        let step = vec2f(f32(i & 1), f32(i >> 1));
        let found = textureLoad(occlusion, clamp(vec2i(base + step), vec2i(), last), 0).rg;
        let near = 1.0 - abs(place - base - step);
        let weight = near.x * near.y * same_surface(away, found.g) + LEAST_WEIGHT;
        weights += weight;
        sum += weight * found.r;
    }
    return dot(select(sum / weights, vec4f(1.0), away > vec4f(FAR)), vec4f(0.25));
}

// What the target takes for a color of the display [linear, 0..1].
fn finished(color: vec3f) -> vec4f {
    if ENCODE {
        return vec4f(encoded(color), 1.0);
    }
    return vec4f(color, 1.0);
}
