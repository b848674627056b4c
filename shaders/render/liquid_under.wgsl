#import "render/screen"
#import "render/edges"
#import "render/liquid_body"
// What an eye in a liquid sees: everything through it, and its surface from below, which mirrors what comes too flat. It is laid
// over the picture that an eye outside would see. One fragment thread stands for a pixel; none where no eye is in a liquid.

// x: how much the eye is in a liquid, 0..1; y: which.
@group(2) @binding(5) var<storage, read> eye_in: array<vec2f>;

// Of liquid to air.
const REFRACTION_OUT = 1.33;
// Part of the light that the surface mirrors head on.
const F0_UNDER = 0.02;
// A ray has left the liquid when what it meets is so much farther than the liquid goes, as a part of it, and is sure to have.
const LEAVING = vec2f(0.12, 0.3);
// It has not when that is nearer than so many radii.
const LEAST_GAP = 3.0;
// How level the surface is taken to be: its own slope, from how far the liquid goes on neighboring rays, is rough.
const LEVELLED = 0.7;
// Neighbors whose slope is taken [half pixels].
const SLOPE_OVER = 3.0;
// How far light from deep below has come [m], and how far light goes on behind the surface at most until it meets something [m].
const FROM_DEEP = 1.6;
const ONWARD = 2.0;
// Part of the light lost on the way that comes back under water, where light is all around.
const AROUND = 0.32;

// How far liquid goes along the ray through a place of the screen [m].
fn way_at(place: vec2f) -> f32 {
    return textureSampleLevel(thickness, screen_sampler, place, 0.0).a;
}

// From the eye to where the ray through a pixel leaves the liquid.
fn left_at(pixel: vec2f) -> vec3f {
    return normalize(ray_through(pixel)) * way_at(pixel * frame.viewport.zw);
}

// Radiance that comes through the surface at `place` (from the eye) out of `direction` (unit).
fn window(place: vec3f, direction: vec3f) -> vec3f {
    let at = screen_of(place + ONWARD * direction);
    let pixel = inside(vec2i(at * frame.viewport.xy));
    let behind = distance_at(textureLoad(depth, pixel, 0).x) > dot(place, frame.forward.xyz);
    let ahead = dot(direction, frame.forward.xyz) > 0.0;
    let seen = radiance_of(textureLoad(picture, pixel, 0).rgb);
    let shown = all(at == clamp(at, vec2f(), vec2f(1.0))) && behind && ahead;
    return select(seen_sky(direction), seen, shown);
}

// Displayed color of a pixel.
fn seen_from_inside(at: vec2f) -> vec3f {
    let pixel = vec2i(at);
    let ray = ray_through(at);
    let direction = normalize(ray);
    let solid = distance_at(textureLoad(depth, pixel, 0).x) * length(ray);
    let found = textureSampleLevel(thickness, screen_sampler, at * frame.viewport.zw, 0.0);
    let liquid = liquids[u32(eye_in[0].y)];
    let up = vec3f(0.0, 1.0, 0.0);
    let sun = frame.sun_color.rgb * max(frame.sun.y, 0.0) / PI;
    let light = sky_light(up) + sun;
    let absorption = found.rgb / max(found.a, LEAST_WAY);
    let turbid = scattered_by(vec4f(absorption, 1.0), liquid.turbidity, light, vec3f(), 0.0);
    let deep = exp(-absorption * FROM_DEEP) * AROUND * light + turbid;
    let left = left_of(found, liquid.turbidity);
    let seen = radiance_of(smooth_color(pixel) * openness(pixel));

    let gap = solid - found.a;
    let leaves = smoothstep(LEAVING.x, LEAVING.y, gap / max(found.a, LEAST_WAY))
        * smoothstep(LEAST_GAP, 2.0 * LEAST_GAP, gap / liquid.radius);
    var outside = seen;
    for (var i = 0u; i < select(0u, 1u, leaves > 0.0); i++) {
        outside = mix(seen, through_surface(at, direction, deep), leaves);
    }
    return displayed(left * outside + (1.0 - left) * deep, at);
}

// Radiance that the surface sends down where the ray through a pixel leaves the liquid.
fn through_surface(at: vec2f, direction: vec3f, deep: vec3f) -> vec3f {
    let place = left_at(at);
    let along = left_at(at + vec2f(2.0 * SLOPE_OVER, 0.0)) - left_at(at - vec2f(2.0 * SLOPE_OVER, 0.0));
    let down = left_at(at + vec2f(0.0, 2.0 * SLOPE_OVER)) - left_at(at - vec2f(0.0, 2.0 * SLOPE_OVER));
    let slope = cross(along, down);
    let square = dot(slope, slope);
    let own = slope * (sign(dot(slope, direction)) * inverseSqrt(max(square, LEAST_NORMAL2)));
    let outward = normalize(mix(select(direction, own, square > LEAST_NORMAL2), vec3f(0.0, 1.0, 0.0), LEVELLED));
    let facing = max(dot(direction, outward), 0.0);
    let onward = refract(direction, -outward, REFRACTION_OUT);
    let sine2 = REFRACTION_OUT * REFRACTION_OUT * (1.0 - facing * facing);
    let cosine = sqrt(max(1.0 - sine2, 0.0));
    let mirrors = mix(F0_UNDER, 1.0, fifth(1.0 - cosine));
    let back = reflect(direction, -outward);
    let left = exp(-FROM_DEEP);
    let below = mix(deep, mirrored(place, back), select(left, 0.0, back.y > 0.0));
    return mix(window(place, normalize(onward + vec3f(0.0, 1e-6, 0.0))), below, select(mirrors, 1.0, sine2 >= 1.0));
}

// Color, and how much the eye is in the liquid.
@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    let own = textureLoad(surface, pixel, 0).r;
    return vec4f(finished(veiled(foamed(seen_from_inside(at.xy), at.xy, own), pixel)).rgb, eye_in[0].x);
}
