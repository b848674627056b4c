#import "render/depth"
// A surface found on the screen, as a texture `surface` has it: depth in its first channel, 0 where there is none.

// Where there is no surface: far out.
const NOWHERE_NEAR = 1e9;
// Steps to both sides are of one surface while their squares differ by less than this factor.
const ONE_SURFACE2 = 9.0;
// Squares of normals below this have no direction [m⁴].
const LEAST_NORMAL2 = 1e-30;
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

// Which way the surface at `place` (from the eye) faces: towards the eye. What it looks at is so many pixels away.
fn facing(place: vec3f, pixel: vec2i, reach: i32) -> vec3f {
    let normal = cross(along(place, pixel, vec2i(0, reach)), along(place, pixel, vec2i(reach, 0)));
    // A pixel without neighbors of its surface has no slope: it faces the eye.
    let square = dot(normal, normal);
    let side = select(1.0, -1.0, dot(normal, place) > 0.0);
    return select(-normalize(place), normal * (side * inverseSqrt(max(square, LEAST_NORMAL2))), square > LEAST_NORMAL2);
}

// How much of a pixel the surface covers: less at its outline.
fn within(pixel: vec2i) -> f32 {
    var full = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let found = textureLoad(surface, inside(pixel + vec2i(x, y)), 0).r;
            full += select(0.0, f32((2 - abs(x)) * (2 - abs(y))) / 16.0, found > 0.0);
        }
    }
    return clamp((full - OUTLINE) / COVERING, 0.0, 1.0);
}
