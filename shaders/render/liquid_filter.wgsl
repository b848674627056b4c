#import "render/screen"
#import "render/depth"
#import "render/liquid"
// The surface of liquids without the shape of its ellipsoids, along a row or a column (Truong and Yuksel 2018, "A narrow-
// range filter for screen-space fluid rendering"). Planes are straight in the picture's depth, so they stay as they are.
// One fragment thread stands for a pixel.

// Along columns, not rows.
override SECOND: bool = false;

@group(1) @binding(0) var surface: texture_2d<f32>;
@group(1) @binding(1) var<storage, read> liquids: array<Liquid>;

// Half width of the filter [radii], and the most of it [pixels].
const WIDTH = 5.0;
const MOST_PIXELS = 24.0;
// What is nearer than this is another part of the liquid; what is farther counts as just behind [radii].
const RANGE = 6.0;
const BEHIND = 1.0;
// How fast pixels count less towards the edge of the filter.
const FALLOFF = 3.0;

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec2f {
    let pixel = vec2i(at.xy);
    let own = textureLoad(surface, pixel, 0).rg;
    // Drops are round as they are.
    if own.r <= 0.0 || fract(own.g) > 0.0 {
        return own;
    }
    let away = distance_at(own.r);
    let radius = liquids[u32(own.g) - 1u].radius;
    let pixels = min(WIDTH * radius * frame.viewport.y / (2.0 * length(frame.up.xyz) * away), MOST_PIXELS);
    // Small changes of distance are changes of depth in proportion.
    let unit = own.r * radius / away;
    var upper = own.r + RANGE * unit;
    var lower = own.r - RANGE * unit;
    let clamped = own.r - BEHIND * unit;
    let step = select(vec2i(1, 0), vec2i(0, 1), SECOND);
    let last = vec2i(frame.viewport.xy) - 1;
    var sum = own.r;
    var weights = 1.0;
    for (var i = 1; i <= i32(pixels); i++) {
        let a = textureLoad(surface, clamp(pixel - i * step, vec2i(), last), 0).rg;
        let b = textureLoad(surface, clamp(pixel + i * step, vec2i(), last), 0).rg;
        // Both sides or none: one alone would tilt the surface.
        let of_it = a.g == own.g && b.g == own.g && max(a.r, b.r) <= upper;
        if of_it {
            let share = f32(i) / pixels;
            let weight = exp(-FALLOFF * share * share);
            sum += weight * (select(a.r, clamped, a.r < lower) + select(b.r, clamped, b.r < lower));
            weights += 2.0 * weight;
            if min(a.r, b.r) >= lower {
                upper = max(upper, max(a.r, b.r) + RANGE * unit);
                lower = min(lower, min(a.r, b.r) - RANGE * unit);
            }
        }
    }
    return vec2f(sum / weights, own.g);
}
