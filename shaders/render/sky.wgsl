#import "render/coding"
#import "render/frame"
// The sky as background and as light from all around: a gradient, a soft glow about the sun, and a pale ground.

// How far below the horizon the ground has its own color, as a sine.
const GROUND_FROM = 0.35;
// The glow about the sun: far around it, near it, its color, and between which heights it sets.
const WIDE_GLOW = 0.30;
const NARROW_GLOW = 0.35;
const GLOW_COLOR = vec3f(1.0, 0.86, 0.66);
const GLOW_SETS = vec2f(-0.2, 0.1);
// The gradient blurred over a half sphere: what is left of the ground, how high in the sky it is as a share, and what is
// left of that.
const GROUND_LIGHT: f32 = 0.9;
const SKY_HEIGHT = 0.24;
const SKY_LIGHT: f32 = 0.66;
// Distance over which haze takes most of what is seen [m], and how steeply with the distance.
const HAZE_DISTANCE = 160.0;
const HAZE_POWER = 1.6;
// Least distance [m], of which a power is taken, and least height of a ray [m], which is normalized.
const LEAST_DISTANCE = 1e-3;
const LEAST_RISE = 1e-4;
// Radiance that the filmic curve takes for each unit.
const EXPOSURE = 0.62;
// The most that the curve is inverted for: full white has no end.
const WHITE = 0.995;

// x^5, which pow does not promise where x is zero or less.
fn fifth(x: f32) -> f32 {
    let square = x * x;
    return square * square * x;
}

// Radiance of the sky from `direction` (unit).
fn sky(direction: vec3f) -> vec3f {
    let height = direction.y;
    let above = mix(frame.horizon.rgb, frame.zenith.rgb, sqrt(max(height, 0.0)));
    let below = mix(frame.horizon.rgb, frame.nadir.rgb, smoothstep(0.0, GROUND_FROM, -height));
    let toward_sun = max(dot(direction, frame.sun.xyz), 0.0);
    let power2 = toward_sun * toward_sun;
    let power6 = power2 * power2 * power2;
    let power12 = power6 * power6;
    let power60 = fifth(power12);
    let glow = frame.glow * (WIDE_GLOW * power6 + NARROW_GLOW * power60);
    return select(below, above, height > 0.0) + glow * GLOW_COLOR * smoothstep(GLOW_SETS.x, GLOW_SETS.y, height);
}

// Light of the sky on a surface facing `normal`, over pi: the gradient above blurred over a half sphere.
fn sky_light(normal: vec3f) -> vec3f {
    let up = 0.5 + 0.5 * normal.y;
    return mix(frame.nadir.rgb * GROUND_LIGHT, mix(frame.horizon.rgb, frame.zenith.rgb, SKY_HEIGHT) * SKY_LIGHT, up);
}

// Colour of `radiance` seen through the air between the eye and `position`.
fn hazed(radiance: vec3f, position: vec3f) -> vec3f {
    let ray = position - frame.eye.xyz;
    let distance = length(ray);
    if !HIGH {
        let part = distance / HAZE_DISTANCE;
        return mix(radiance, frame.horizon.rgb, frame.haze * (1.0 - exp(-part * sqrt(part))));
    }
    let share = 1.0 - exp(-pow(max(distance, LEAST_DISTANCE) / HAZE_DISTANCE, HAZE_POWER));
    // The haze takes the horizon's colour in this direction, so that far ground melts into the sky.
    let level = normalize(vec3f(ray.x, max(ray.y, 0.0) + LEAST_RISE, ray.z));
    return mix(radiance, sky(level), frame.haze * share);
}

// Interleaved gradient noise in 0..1 (Jimenez 2014).
fn pixel_noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

// What the picture takes for `radiance`: radiance itself, or the color of the display by the filmic curve after Narkowicz 2015,
// with a trace of noise against banding, in the display's coding where the picture keeps that.
fn displayed(radiance: vec3f, pixel: vec2f) -> vec3f {
    if RADIANCE {
        return radiance;
    }
    if CODED {
        return encoded(toned(radiance, pixel));
    }
    return toned(radiance, pixel);
}

fn toned(radiance: vec3f, pixel: vec2f) -> vec3f {
    let x = radiance * EXPOSURE;
    let curve = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3f(0.0), vec3f(1.0));
    if !HIGH {
        return curve;
    }
    // One step of 8 bits after the display's curve.
    let coded = max(sqrt(curve) + (pixel_noise(pixel) - 0.5) / 255.0, vec3f(0.0));
    return coded * coded;
}

// Radiance that the picture shows as `color`: the inverse of the above.
fn radiance_of(color: vec3f) -> vec3f {
    if RADIANCE {
        return color;
    }
    if CODED {
        return untoned(decoded(color));
    }
    return untoned(color);
}

fn untoned(color: vec3f) -> vec3f {
    // y (x (2.43 x + 0.59) + 0.14) = x (2.51 x + 0.03), a quadratic in x with one root above 0.
    let y = min(color, vec3f(WHITE));
    let a = 2.51 - 2.43 * y;
    let b = 0.59 * y - 0.03;
    return (b + sqrt(b * b + 0.56 * a * y)) / (2.0 * a) / EXPOSURE;
}
