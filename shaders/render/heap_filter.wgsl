#import "render/screen"
#import "render/depth"
// The surface of heaps without the shape of the balls that stand for grains: each pixel takes the mean of pairs of others around it, one on
// each side, so that planes stay as they are. (Rows and columns by turns, as for liquids, leave streaks where grains stand before others.)
// One fragment thread stands for a pixel.

// Whether the pairs lie in between those of the other way.
override SECOND: bool = false;

// As `heap_depth` writes it.
@group(1) @binding(0) var surface: texture_2d<f32>;
// xyz: centre [m]; w: radius [m].
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
// x: particle; y: its kind.
@group(1) @binding(2) var<storage, read> members: array<vec2u>;

// Pairs, how far out the farthest is [radii], and at most [pixels].
const PAIRS = 12u;
const WIDTH = 2.6;
const MOST_PIXELS = 40.0;
// Angle from one to the next: they never line up [rad].
const GOLDEN = 2.39996323;
// What is nearer than this is another part of the heap; what is farther counts as just behind [radii].
const RANGE = 4.0;
const BEHIND = 1.0;
// Part of the pairs, by weight, between which a heap closes up.
const CLOSED = 0.22;
const LEAST_WEIGHT = 1e-4;

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec2f {
    let pixel = vec2i(at.xy);
    let own = textureLoad(surface, pixel, 0).rg;
    if own.r == 0.0 {
        return own;
    }
    let depth = abs(own.r);
    let radius = particles[members[u32(own.g) - 1u].x].w;
    let away = distance_at(depth);
    let pixels = min(WIDTH * radius * frame.viewport.y / (2.0 * length(frame.up.xyz) * away), MOST_PIXELS);
    // Small changes of distance are changes of depth in proportion.
    let unit = depth * radius / away;
    let last = vec2i(frame.viewport.xy) - 1;
    var sum = 0.0;
    var weights = 0.0;
    var all = 0.0;
    for (var k = 0u; k < PAIRS; k++) {
        let share = (f32(k) + 0.5) / f32(PAIRS);
        let angle = GOLDEN * (f32(k) + select(0.0, 0.5, SECOND));
        let offset = vec2i(round(pixels * sqrt(share) * vec2f(cos(angle), sin(angle))));
        let a = textureLoad(surface, clamp(pixel + offset, vec2i(), last), 0).r;
        let b = textureLoad(surface, clamp(pixel - offset, vec2i(), last), 0).r;
        let weight = 1.0 - share;
        all += 2.0 * weight;
        // Both sides or none: one alone would tilt the surface.
        if min(a, b) > 0.0 && max(a, b) <= depth + RANGE * unit {
            let behind = depth - RANGE * unit;
            sum += weight * (select(a, depth - BEHIND * unit, a < behind) + select(b, depth - BEHIND * unit, b < behind));
            weights += 2.0 * weight;
        }
    }
    if own.r < 0.0 {
        return vec2f(select(own.r, sum / max(weights, LEAST_WEIGHT), weights > CLOSED * all), own.g);
    }
    return vec2f((sum + own.r) / (weights + 1.0), own.g);
}
