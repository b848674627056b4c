#import "render/screen"
#import "render/edges"
#import "render/liquid_body"
// The finished picture with liquids over it, each pixel as `present` would leave it: what lies behind is bent by the
// surface and dimmed by the liquid (Beer and Lambert), the sky and the sun are mirrored (Fresnel). One fragment thread
// stands for a pixel.

// Of water.
const REFRACTION = 1.33;
// Part of the light that water mirrors head on, and its roughness: small waves that particles are too coarse for.
const F0 = 0.02;
const ROUGHNESS = 0.09;
// Part of the light below which only the sky is mirrored: things would hardly show.
const LEAST_MIRRORED = 0.04;
// Surfaces are taken to face the eye at least so much: single pixels of an outline would glitter.
const LEAST_FACING = 0.1;
// How much surfaces face the eye at least where they mirror the sun, and the most that they mirror: waves glint, not pixels.
const LEAST_GLINTING = 0.1;
const MOST_GLINT = 40.0;
// Least part of a bent ray along the view, and the last place on the screen.
const LEAST_ONWARD = 0.2;
const LAST_PLACE = 0.9999;
// What a pixel of an outline keeps, and what it takes of each of four neighbors.
const KEPT = 0.4;
const TAKEN = 0.15;

// Sun mirrored by the surface: GGX with visibility, as in `lit`.
fn glint(normal: vec3f, view: vec3f, position: vec3f) -> vec3f {
    let half = normalize(view + frame.sun.xyz);
    let n_h = max(dot(normal, half), 0.0);
    const A = ROUGHNESS * ROUGHNESS;
    const A2 = A * A;
    let d = n_h * n_h * (A2 - 1.0) + 1.0;
    let fresnel = F0 + (1.0 - F0) * fifth(1.0 - clamp(dot(view, half), 0.0, 1.0));
    let facing = max(dot(normal, frame.sun.xyz), 0.0);
    let reflected = min(A2 / (PI * d * d) * 0.25 / max(dot(normal, view), LEAST_GLINTING), MOST_GLINT);
    return frame.sun_color.rgb * facing * fresnel * reflected * sun_visibility(position, normal);
}

// Where on the screen the light comes from that the surface at `place` (from the eye) bends to the eye.
fn bent(pixel: vec2f, place: vec3f, normal: vec3f, way: f32) -> vec2f {
    let gap = distance_at(textureLoad(depth, vec2i(pixel), 0).x) - dot(place, frame.forward.xyz);
    let ray = refract(normalize(place), normal, 1.0 / REFRACTION);
    let end = place + ray * min(way, max(gap, 0.0) / max(dot(ray, frame.forward.xyz), LEAST_ONWARD));
    let at = clamp(screen_of(end), vec2f(), vec2f(LAST_PLACE));
    // What stands before the surface is not behind it, nor is its share of the mean of four pixels.
    let corner = vec2i(floor(at * frame.viewport.xy - 0.5));
    var nearest = 0.0;
    for (var i = 0; i < 4; i++) {
        nearest = max(nearest, textureLoad(depth, inside(corner + vec2i(i & 1, i >> 1u)), 0).x);
    }
    return select(at, pixel * frame.viewport.zw, distance_at(nearest) < dot(place, frame.forward.xyz));
}

// Displayed color of the surface at a pixel that shows it.
fn liquid_color(at: vec2f, own: f32) -> vec3f {
    let pixel = vec2i(at);
    let place = ray_through(at) * distance_at(own);
    let view = -normalize(place);
    let position = frame.eye.xyz + place;
    let normal = facing(place, pixel, 1);
    let own_way = textureSampleLevel(thickness, screen_sampler, at * frame.viewport.zw, 0.0);
    let end = bent(at, place, normal, own_way.a);
    let there = vec2i(end * frame.viewport.xy);
    // The light went the way of its own pixel, unless that is beside the liquid.
    let wet = textureLoad(surface, there, 0).r > 0.0;
    let found = select(own_way, textureSampleLevel(thickness, screen_sampler, end, 0.0), wet);
    let seen = radiance_of(textureSampleLevel(picture, screen_sampler, end, 0.0).rgb * openness(there));
    let sun = frame.sun_color.rgb * sun_visibility(position, normal) / PI;
    let turbidity = liquids[u32(textureLoad(surface, pixel, 0).g) - 1u].turbidity;
    let scattered = scattered_by(found, turbidity, sky_light(normal), sun, dot(normal, frame.sun.xyz));
    let fresnel = F0 + (1.0 - F0) * fifth(1.0 - clamp(dot(normal, view), LEAST_FACING, 1.0));
    var around = sky(reflect(-view, normal));
    if fresnel > LEAST_MIRRORED {
        around = mirrored(place, reflect(-view, normal));
    }
    let radiance = (1.0 - fresnel) * (left_of(found, turbidity) * seen + scattered) + fresnel * around + glint(normal, view, position);
    return displayed(hazed(radiance, position), at);
}

// Displayed color of a pixel without foam.
fn wet_color(pixel: vec2i) -> vec3f {
    let own = textureLoad(surface, pixel, 0).r;
    let plain = smooth_color(pixel) * openness(pixel);
    let share = coverage(pixel, own);
    if own <= 0.0 || share <= 0.0 {
        return plain;
    }
    return mix(plain, liquid_color(vec2f(pixel) + 0.5, own), share);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    let own = textureLoad(surface, pixel, 0).r;
    if OVER && coverage(pixel, own) <= 0.0 && textureLoad(foam, pixel, 0).r <= 0.0 {
        discard;
    }
    var color = wet_color(pixel);
    if own > 0.0 && is_outline(pixel, own) {
        // One liquid before another has no samples to soften its outline: neighbors do.
        color *= KEPT;
        for (var i = 0; i < 4; i++) {
            color += TAKEN * wet_color(inside(pixel + SIDES[i]));
        }
    }
    return finished(veiled(foamed(color, at.xy, own), pixel));
}
