#import "render/finish"
#import "render/liquid"
// The surface of liquids on the screen: where it is, which way it faces, and how much of a pixel it covers.

// Filtered depth and liquid, as `liquid_depth` writes them.
@group(2) @binding(0) var surface: texture_2d<f32>;
// Optical depth (rgb) and way through liquid [m], at every other pixel.
@group(2) @binding(1) var thickness: texture_2d<f32>;
// Density of foam and spray.
@group(2) @binding(3) var foam: texture_2d<f32>;
@group(2) @binding(4) var<storage, read> liquids: array<Liquid>;

// Where there is no surface: far out.
const NOWHERE_NEAR = 1e9;
// Steps to both sides are of one surface while their squares differ by less than this factor.
const ONE_SURFACE2 = 9.0;
// Squares of normals below this have no direction [m⁴].
const LEAST_NORMAL2 = 1e-30;
// Least distance in front of the eye [m].
const LEAST_FRONT = 1e-4;
// Part of the pixels around one that show the surface: at its outline, and how much more until it covers.
const OUTLINE = 0.2;
const COVERING = 0.7;

// The way from the eye through a pixel whose length along the view is 1.
fn ray_through(pixel: vec2f) -> vec3f {
    let at = (pixel * frame.viewport.zw * 2.0 - 1.0) * vec2f(1.0, -1.0);
    return frame.forward.xyz + at.x * frame.right.xyz + at.y * frame.up.xyz;
}

fn inside(pixel: vec2i) -> vec2i {
    return clamp(pixel, vec2i(), vec2i(frame.viewport.xy) - 1);
}

// From the eye to the surface at a pixel that has one, else along `otherwise`.
fn surface_at(pixel: vec2i, otherwise: vec3f) -> vec3f {
    let found = textureLoad(surface, inside(pixel), 0).r;
    return select(otherwise, ray_through(vec2f(pixel) + 0.5) * distance_at(found), found > 0.0);
}

// The step along the surface to a neighbor: the mean of those to both sides, unless one leaves it.
fn along(place: vec3f, pixel: vec2i, step: vec2i) -> vec3f {
    let nothing = vec3f(NOWHERE_NEAR);
    let ahead = surface_at(pixel + step, nothing) - place;
    let back = place - surface_at(pixel - step, nothing);
    let lengths = vec2f(dot(ahead, ahead), dot(back, back));
    let shorter = select(back, ahead, lengths.x < lengths.y);
    let both = max(lengths.x, lengths.y) < ONE_SURFACE2 * min(lengths.x, lengths.y);
    return select(shorter, 0.5 * (ahead + back), both);
}

// Which way the surface at `place` (from the eye) faces: towards the eye.
fn facing(place: vec3f, pixel: vec2i) -> vec3f {
    let normal = cross(along(place, pixel, vec2i(0, 1)), along(place, pixel, vec2i(1, 0)));
    // A pixel without neighbors of its liquid has no slope: it faces the eye.
    let square = dot(normal, normal);
    let side = select(1.0, -1.0, dot(normal, place) > 0.0);
    return select(-normalize(place), normal * (side * inverseSqrt(max(square, LEAST_NORMAL2))), square > LEAST_NORMAL2);
}

// Where on the screen `place` (from the eye) is seen, 0..1 from the upper left.
fn screen_of(place: vec3f) -> vec2f {
    let clip = frame.clip_from_world * vec4f(frame.eye.xyz + place, 1.0);
    return clip.xy / max(clip.w, LEAST_FRONT) * vec2f(0.5, -0.5) + 0.5;
}

// Part of the pixel that shows the surface: samples that nothing stands before, less at its outline.
fn coverage(pixel: vec2i, own: f32) -> f32 {
    var seen = 0.0;
    for (var i = 0; i < 4; i++) {
        seen += select(0.0, 0.25, own > textureLoad(depth, pixel, select(0, i, SAMPLED)));
    }
    var full = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let found = textureLoad(surface, inside(pixel + vec2i(x, y)), 0).r;
            full += select(0.0, f32((2 - abs(x)) * (2 - abs(y))) / 16.0, found > 0.0);
        }
    }
    return seen * clamp((full - OUTLINE) / COVERING, 0.0, 1.0);
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
