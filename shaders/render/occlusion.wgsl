#import "render/screen"
#import "render/depth"
// Ambient occlusion from the picture's depth, at every other pixel: what stands before a surface within a small
// part of its distance takes light from it (estimator of McGuire et al. 2012, "Scalable ambient obscurance"). One fragment thread
// stands for four pixels.

@group(1) @binding(0) var depth: texture_multisampled_2d<f32>;

// How far away things still shade, as a part of the distance from the eye, how strongly, and how many are looked at.
const REACH = 0.075;
const STRENGTH = 3.2;
const TAPS = 9;
// Farthest look [pixels]; in large pictures the reach shrinks.
const MOST_PIXELS = 90.0;
// Part of the distance that things stand out less than they do: a surface a little tilted by the rounding of depth does
// not shade itself.
const TILT = 0.004;
// Added to the square of how far away they stand, as a part of that of their reach: what touches does not shade without end.
const TOUCHING = 1e-3;
// Squares of normals below this have no direction [m⁴].
const LEAST_NORMAL2 = 1e-30;
// From one look to the next [turns]: the golden angle.
const GOLDEN_TURN = 0.38196601;
// By how many times their number, in steps between looks, the looks of neighbors are shifted.
const OFFSETS = 5.0;

// From the eye to what `pixel` shows.
fn seen(pixel: vec2i) -> vec3f {
    let inside = clamp(pixel, vec2i(), vec2i(frame.viewport.xy) - 1);
    let at = ((vec2f(inside) + 0.5) * frame.viewport.zw * 2.0 - 1.0) * vec2f(1.0, -1.0);
    let ray = frame.forward.xyz + at.x * frame.right.xyz + at.y * frame.up.xyz;
    return ray * min(distance_at(textureLoad(depth, inside, 0).x), 2.0 * FAR);
}

// The shorter of two steps along a surface: the one that does not leave it; beyond the picture's edge there is none.
fn shorter(a: vec3f, b: vec3f) -> vec3f {
    let lengths = vec2f(dot(a, a), dot(b, b));
    return select(b, a, lengths.y == 0.0 || (lengths.x > 0.0 && lengths.x < lengths.y));
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec2f {
    let pixel = vec2i(at.xy) * 2;
    let place = seen(pixel);
    let away = dot(place, frame.forward.xyz);
    if away > FAR {
        return vec2f(1.0, away);
    }
    let x = vec2i(2, 0);
    let y = vec2i(0, 2);
    let along = shorter(seen(pixel + x) - place, place - seen(pixel - x));
    let across = shorter(seen(pixel - y) - place, place - seen(pixel + y));
    let facing = cross(along, across);
    let square = dot(facing, facing);
    let normal = select(-normalize(place), facing * inverseSqrt(max(square, LEAST_NORMAL2)), square > LEAST_NORMAL2);
    // So the same in every scene, whether it is as wide as a hand or as a harbor.
    let pixels = min(0.5 * REACH * frame.viewport.y / length(frame.up.xyz), MOST_PIXELS);
    let reach = 2.0 * pixels * length(frame.up.xyz) * away * frame.viewport.w;
    let reach2 = reach * reach;
    // Sixteen neighbors look in different directions and as far apart as they can; `smooth` takes their mean.
    let cell = vec2u(at.xy) & vec2u(3u);
    let own = f32(cell.x * 4u + ((cell.x + cell.y) & 3u)) / 16.0;
    var sum = 0.0;
    for (var i = 0; i < TAPS; i++) {
        let share = (f32(i) + fract(own * OFFSETS)) / f32(TAPS);
        // Within the half turn that cosines promise.
        let angle = 6.2831853 * (fract(f32(i) * GOLDEN_TURN + own + 0.5) - 0.5);
        let step = vec2f(cos(angle), sin(angle)) * share * pixels;
        let arm = seen(pixel + vec2i(round(step))) - place;
        let length2 = dot(arm, arm);
        let near = max(1.0 - length2 / reach2, 0.0);
        sum += near * max(dot(arm, normal) - TILT * away, 0.0) * inverseSqrt(length2 + TOUCHING * reach2);
    }
    let left = max(1.0 - STRENGTH * sum / f32(TAPS), 0.0);
    return vec2f(left, away);
}
