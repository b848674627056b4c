// The finished picture with liquids over it, each pixel as `present` would leave it: what lies behind is bent by the
// surface and dimmed by the liquid (Beer and Lambert), the sky and the sun are mirrored (Fresnel). One fragment thread
// stands for a pixel.

#import "render/finish"
#import "render/light"

/// Filtered depth and liquid, counted from 1.
@group(2) @binding(0) var surface: texture_2d<f32>;
/// Optical depth (rgb) and way through liquid [m], at every other pixel.
@group(2) @binding(1) var thickness: texture_2d<f32>;
@group(2) @binding(2) var screen_sampler: sampler;

/// Of water.
const REFRACTION = 1.33;
/// Part of the light that water mirrors head on, and its roughness: small waves that particles are too coarse for.
const F0 = 0.02;
const ROUGHNESS = 0.09;
/// Part of the light lost on the way that comes back scattered.
const SCATTERED = 0.13;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

/// The way from the eye through a pixel whose length along the view is 1.
fn ray_through(pixel: vec2<f32>) -> vec3<f32> {
    let at = (pixel * frame.viewport.zw * 2.0 - 1.0) * vec2<f32>(1.0, -1.0);
    return frame.forward.xyz + at.x * frame.right.xyz + at.y * frame.up.xyz;
}

fn inside(pixel: vec2<i32>) -> vec2<i32> {
    return clamp(pixel, vec2<i32>(), vec2<i32>(frame.viewport.xy) - 1);
}

/// From the eye to the surface at a pixel that has one, else along `otherwise`.
fn surface_at(pixel: vec2<i32>, otherwise: vec3<f32>) -> vec3<f32> {
    let found = textureLoad(surface, inside(pixel), 0).r;
    return select(otherwise, ray_through(vec2<f32>(pixel) + 0.5) * distance_at(found), found > 0.0);
}

/// The step along the surface to one neighbor or from the other, whichever stays on it.
fn along(place: vec3<f32>, pixel: vec2<i32>, step: vec2<i32>) -> vec3<f32> {
    let nothing = vec3<f32>(1e9);
    let ahead = surface_at(pixel + step, nothing) - place;
    let back = place - surface_at(pixel - step, nothing);
    return select(back, ahead, dot(ahead, ahead) < dot(back, back));
}

/// Sun mirrored by the surface: GGX with visibility, as in `lit`.
fn glint(normal: vec3<f32>, view: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    let half = normalize(view + frame.sun.xyz);
    let n_h = max(dot(normal, half), 0.0);
    let a2 = pow(ROUGHNESS, 4.0);
    let d = n_h * n_h * (a2 - 1.0) + 1.0;
    let fresnel = F0 + (1.0 - F0) * pow(1.0 - max(dot(view, half), 0.0), 5.0);
    let facing = max(dot(normal, frame.sun.xyz), 0.0);
    let reflected = min(a2 / (PI * d * d) * 0.25 / max(dot(normal, view), 0.1), 40.0);
    return SUN_COLOR * facing * fresnel * reflected * sun_visibility(position, normal);
}

/// Displayed color of what is seen through the surface.
fn behind(pixel: vec2<f32>, place: vec3<f32>, normal: vec3<f32>, way: f32) -> vec3<f32> {
    let own = vec2<i32>(pixel);
    let gap = distance_at(textureLoad(depth, own, 0)) - dot(place, frame.forward.xyz);
    let bent = refract(normalize(place), normal, 1.0 / REFRACTION);
    let end = place + bent * min(way, max(gap, 0.0) / max(dot(bent, frame.forward.xyz), 0.2));
    let clip = frame.clip_from_world * vec4<f32>(frame.eye.xyz + end, 1.0);
    let at = clamp(clip.xy / max(clip.w, 1e-4) * vec2<f32>(0.5, -0.5) + 0.5, vec2<f32>(), vec2<f32>(0.9999));
    let there = vec2<i32>(at * frame.viewport.xy);
    // What stands before the surface is not behind it.
    if distance_at(textureLoad(depth, there, 0)) < dot(place, frame.forward.xyz) {
        return textureLoad(picture, own, 0).rgb * openness(own);
    }
    return textureSampleLevel(picture, screen_sampler, at, 0.0).rgb * openness(there);
}

/// Part of the pixel that shows the surface: samples that nothing stands before, less at its outline.
fn coverage(pixel: vec2<i32>, own: f32) -> f32 {
    var seen = 0.0;
    for (var i = 0; i < 4; i++) {
        seen += select(0.0, 0.25, own > textureLoad(depth, pixel, i));
    }
    var full = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let found = textureLoad(surface, inside(pixel + vec2<i32>(x, y)), 0).r;
            full += select(0.0, f32((2 - abs(x)) * (2 - abs(y))) / 16.0, found > 0.0);
        }
    }
    return seen * clamp((full - 0.2) / 0.7, 0.0, 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let own = textureLoad(surface, pixel, 0).r;
    let plain = textureLoad(picture, pixel, 0).rgb * openness(pixel);
    let share = coverage(pixel, own);
    if own <= 0.0 || share <= 0.0 {
        return finished(plain);
    }
    let place = ray_through(at.xy) * distance_at(own);
    let view = -normalize(place);
    let position = frame.eye.xyz + place;
    var normal = normalize(cross(along(place, pixel, vec2<i32>(0, 1)), along(place, pixel, vec2<i32>(1, 0))));
    normal *= sign(dot(normal, view));
    let found = textureSampleLevel(thickness, screen_sampler, at.xy * frame.viewport.zw, 0.0);
    let left = exp(-found.rgb);
    let seen = radiance_of(behind(at.xy, place, normal, found.a));
    let sun = SUN_COLOR * sun_visibility(position, normal) * max(frame.sun.y, 0.0) / PI;
    let color = exp(-found.rgb / max(found.a, 1e-3) * 0.5);
    let scattered = SCATTERED * (1.0 - left) * color * (sky_light(normal) + sun);
    let fresnel = F0 + (1.0 - F0) * pow(1.0 - max(dot(normal, view), 0.0), 5.0);
    let mirrored = sky(reflect(-view, normal));
    let radiance = (1.0 - fresnel) * (left * seen + scattered) + fresnel * mirrored + glint(normal, view, position);
    return finished(mix(plain, displayed(hazed(radiance, position), at.xy), share));
}
