#import "render/noise"
#import "render/sky"
// The sky as it is seen: with thin clouds and the sun. Light from all around does without them.

// Clouds are of a flat layer: how high rays count at least, as a sine, and how wide the largest are, in heights of it.
const LEAST_RISE_TO_CLOUDS = 0.12;
const CLOUD_WIDTH = 0.55;
// Layers of finer and finer noise, each with this part of the strength of the one before.
const OCTAVES = 4;
const FINER = 0.52;
// Noise at which clouds begin and are full, and the most that they hide.
const CLOUDY = vec2f(0.02, 0.75);
const MOST_HIDDEN = 0.62;
// Heights, as sines, between which clouds come out of the haze.
const CLOUDS_RISE = vec2f(0.02, 0.28);
// Light of a cloud: parts of that of the sun and of the sky around.
const CLOUD_SUN = 0.34;
const CLOUD_SKY = 0.62;
// The sun's disc: cosines of where it ends and is full, and how bright it is, in parts of the light it gives.
const SUN_DISC = vec2f(0.99985, 0.99996);
const SUN_BRIGHT = 6.0;

// How much of a cloud there is in `direction` (unit), 0..1.
fn cloud_cover(direction: vec3f) -> f32 {
    let place = direction.xz / (max(direction.y, 0.0) + LEAST_RISE_TO_CLOUDS) / CLOUD_WIDTH;
    var sum = 0.0;
    var strength = 0.5;
    var scale = 1.0;
    // Below there are none; software asks a loop only as often as some pixel needs it.
    let octaves = select(0, OCTAVES, direction.y > CLOUDS_RISE.x);
    for (var i = 0; i < octaves; i++) {
        // Turned by a little from one to the next, so that lattices do not meet.
        let turned = vec2f(0.8 * place.x - 0.6 * place.y, 0.6 * place.x + 0.8 * place.y) * scale;
        sum += strength * noise(select(place * scale, turned, i % 2 == 1) + f32(7 * i));
        strength *= FINER;
        scale *= 2.13;
    }
    let risen = smoothstep(CLOUDS_RISE.x, CLOUDS_RISE.y, direction.y);
    return smoothstep(CLOUDY.x, CLOUDY.y, sum) * risen;
}

// Radiance of the sky that is seen in `direction` (unit).
fn seen_sky(direction: vec3f) -> vec3f {
    let clear = sky(direction);
    if !HIGH {
        return clear;
    }
    let cloud = CLOUD_SUN * frame.sun_color.rgb / 3.14159265 + CLOUD_SKY * frame.horizon.rgb;
    let disc = smoothstep(SUN_DISC.x, SUN_DISC.y, dot(direction, frame.sun.xyz)) * SUN_BRIGHT * frame.glow;
    return mix(clear + disc * frame.sun_color.rgb, cloud, MOST_HIDDEN * cloud_cover(direction));
}
