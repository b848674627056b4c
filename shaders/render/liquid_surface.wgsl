#import "render/finish"
#import "render/facing"
#import "render/liquid"
// The surface of liquids on the screen: where it is, and how much of a pixel it covers.

// Filtered depth and liquid, as `liquid_depth` writes them.
@group(2) @binding(0) var surface: texture_2d<f32>;
// Optical depth (rgb) and way through liquid [m], at every other pixel.
@group(2) @binding(1) var thickness: texture_2d<f32>;
// What is blended before liquids: color times coverage, and coverage.
@group(2) @binding(2) var veil: texture_2d<f32>;
// Density of foam and spray.
@group(2) @binding(3) var foam: texture_2d<f32>;
@group(2) @binding(4) var<storage, read> liquids: array<Liquid>;

// Least distance in front of the eye [m].
const LEAST_FRONT = 1e-4;

// Where on the screen `place` (from the eye) is seen, 0..1 from the upper left.
fn screen_of(place: vec3f) -> vec2f {
    let clip = frame.clip_from_world * vec4f(frame.eye.xyz + place, 1.0);
    return clip.xy / max(clip.w, LEAST_FRONT) * vec2f(0.5, -0.5) + 0.5;
}

// Part of the pixel that shows the surface: samples that nothing stands before, less at its outline.
fn coverage(pixel: vec2i, own: f32) -> f32 {
    var seen = 0.0;
    for (var i = 0; i < 4; i++) {
        seen += select(0.0, 0.25, own > textureLoad(depth, pixel, select(0, i, SAMPLED)).x);
    }
    return seen * within(pixel);
}

const SIDES = array<vec2i, 4>(vec2i(1, 0), vec2i(0, 1), vec2i(-1, 0), vec2i(0, -1));
// Where the distance to a neighbor changes by more than this part of it, another part of the liquid begins.
const STEP = 0.02;

// Whether a neighbor of the pixel shows a part of a liquid at another distance.
fn is_outline(pixel: vec2i, own: f32) -> bool {
    var most = 0.0;
    for (var i = 0; i < 4; i++) {
        let other = textureLoad(surface, inside(pixel + SIDES[i]), 0).r;
        most = max(most, select(0.0, abs(other - own), other > 0.0));
    }
    return most > STEP * own;
}
