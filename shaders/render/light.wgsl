#import "render/sky"
// Light on a surface: sun with shadow, and the sky. Metallic-roughness model of glTF 2.0 (appendix B): GGX
// distribution, height-correlated Smith visibility, Schlick Fresnel; sky reflection after Karis 2014.

@group(3) @binding(0) var shadow_map: texture_depth_2d;
@group(3) @binding(1) var shadow_sampler: sampler_comparison;
// Liquids seen from the sun: what they take from its light (rgb, optical depth) and how near to it they begin.
@group(3) @binding(2) var liquid_map: texture_2d<f32>;
@group(3) @binding(3) var liquid_sampler: sampler;
// Depth of liquids on the screen, 0 where there is none; a single texel of 0 where none is drawn.
@group(3) @binding(4) var liquid_front: texture_2d<f32>;

const PI = 3.14159265;

// How far above a surface its shadow is looked up, and how much farther where light only grazes it [texels].
const LIFT = 0.9;
const LIFT_GRAZING = 1.6;
// Over which part of the map's half width its border fades.
const MAP_BORDER = vec2f(0.85, 0.98);

// Reflectance head on of what is no metal.
const DIELECTRIC = 0.04;
// Mirrors are not smoother than this: the sun has a size.
const LEAST_ROUGHNESS = 0.06;
// Surfaces face the eye at least so much: what is seen of them does.
const LEAST_FACING_VIEW = 1e-3;
// Least denominator, and most reflection, of the sun: highlights do not glitter.
const LEAST_SMITH = 1e-4;
const MOST_REFLECTED = 16.0;
// Cosine from which the sun shines fully: texels of the map are too coarse to tell where light that only grazes ends.
const GRAZING = 0.12;
// Roughness from which mirrored sky starts to be blurred, and is the light of half the sky.
const BLURRED_SKY = vec2f(0.05, 0.7);

struct Surface {
    position: vec3f,
    normal: vec3f, // unit, towards the viewer's side
    facing: vec3f, // normal of the triangle, for shadow bias
    base_color: vec3f,
    metallic: f32,
    roughness: f32,
    occlusion: f32,
    emissive: vec3f,
}

// Share of the sun that reaches `position`, soft over about four texels: the mean of three by three texels about it, each
// a blend with its neighbors, so that it does not jump from texel to texel.
fn sun_visibility(position: vec3f, facing: vec3f) -> f32 {
    let slope = 1.0 - max(dot(facing, frame.sun.xyz), 0.0);
    // Looking up beside the surface keeps its own texels from shading it without moving shadows off their casters.
    let lifted = position + facing * frame.sun.w * (LIFT + LIFT_GRAZING * slope);
    let clip = frame.shadow_from_world * vec4f(lifted, 1.0);
    // Outside the map everything is lit; the border fades.
    let edge = max(abs(clip.x), abs(clip.y));
    let beyond = max(smoothstep(MAP_BORDER.x, MAP_BORDER.y, edge), 1.0 - frame.settings.y);
    let at = clip.xy * vec2f(0.5, -0.5) + 0.5;
    if !HIGH {
        return mix(textureSampleCompareLevel(shadow_map, shadow_sampler, at, clip.z), 1.0, beyond);
    }
    let texel = frame.settings.x;
    let place = at / texel - 0.5;
    let corner = floor(place);
    let part = place - corner;
    let low = corner * texel;
    let high = (corner + 2.0) * texel;
    let near = vec2f(1.0) - part;
    // Each look gives a square of four: x to w are its lower left, lower right, upper right and upper left.
    let a = textureGatherCompare(shadow_map, shadow_sampler, low, clip.z);
    let b = textureGatherCompare(shadow_map, shadow_sampler, vec2f(high.x, low.y), clip.z);
    let c = textureGatherCompare(shadow_map, shadow_sampler, vec2f(low.x, high.y), clip.z);
    let d = textureGatherCompare(shadow_map, shadow_sampler, high, clip.z);
    let columns = vec4f(near.x, 1.0, 1.0, part.x);
    let top = near.y * (dot(a.wz, columns.xy) + dot(b.wz, columns.zw));
    let middle = dot(a.xy + c.wz, columns.xy) + dot(b.xy + d.wz, columns.zw);
    let bottom = part.y * (dot(c.xy, columns.xy) + dot(d.xy, columns.zw));
    return mix((top + middle + bottom) / 9.0, 1.0, beyond);
}

fn liquid_front_at(clip: vec4f) -> f32 {
    return textureLoad(liquid_front, vec2i(clip.xy), 0).x;
}

// Depth below the surface [m] at which the shadow of a liquid is full.
const FULL_SHADE_DEPTH = 0.08;
// Liquids gather light like a lens: how far apart their thickness is compared [m], what a metre of them takes from green
// light at least, how much the light is bent, and the logarithm of the most that it is gathered or spread.
const LENS = 0.13;
const LENS_DEPTH = 1.2;
const BENDING = 0.16;
const GATHERED = 0.6;
// Optical depth of green light, of what is there and around, from which liquids gather fully: single drops do not.
const GATHERING = 0.1;
// The first of four ways at right angles in which thickness is compared, none along the texels: a turn of 0.4 rad.
const WAY = vec2f(0.92106099, 0.38941834);
// The most that the hyperbolic tangent is taken of: it is nearly 1 from there on.
const MOST_BENDING = 4.0;

fn liquid_at(place: vec2f) -> vec4f {
    return textureSampleLevel(liquid_map, liquid_sampler, place * vec2f(0.5, -0.5) + 0.5, 0.0);
}

// Share of the sun's colors that liquids leave at `position`, more than all where waves gather it.
fn sun_through_liquid(position: vec3f) -> vec3f {
    var left = vec3f(1.0);
    // Once at most. Software runs both ways of a branch, but a loop only as often as some pixel asks for.
    for (var i = 0u; i < frame.liquid_maps; i++) {
        left = sun_under(position);
    }
    return left;
}

fn sun_under(position: vec3f) -> vec3f {
    let clip = frame.shadow_from_world * vec4f(position, 1.0);
    let found = liquid_at(clip.xy);
    let edge = 1.0 - smoothstep(MAP_BORDER.x, MAP_BORDER.y, max(abs(clip.x), abs(clip.y)));
    let rows = transpose(frame.shadow_from_world);
    let below = (found.a - 1.0 + clip.z) / length(rows[2].xyz);
    let part = edge * frame.settings.y * smoothstep(0.0, FULL_SHADE_DEPTH, below);
    let apart = LENS * length(rows[0].xyz);
    var around = found.g;
    // A wall of liquid is no wave: beside its outline nothing is gathered.
    var least = found.g;
    var way = WAY;
    let ways = select(0u, 4u, part > 0.0);
    for (var i = 0u; i < ways; i++) {
        let beside = liquid_at(clip.xy + apart * way).g;
        around += 0.25 * (beside - found.g);
        least = min(least, beside);
        way = vec2f(-way.y, way.x);
    }
    let curvature = 4.0 * (around - found.g) / (LENS_DEPTH * LENS * LENS);
    // The hyperbolic tangent; the built-in may be inf / inf for what is large.
    let bending = exp(2.0 * clamp(BENDING / GATHERED * min(below, 1.0) * curvature, -MOST_BENDING, MOST_BENDING));
    let gathered = exp(-GATHERED * (bending - 1.0) / (bending + 1.0));
    return exp(-found.rgb * part) * mix(1.0, gathered, part * smoothstep(0.0, GATHERING, least));
}

// How bright the highlights of what is smooth are at the low level.
const HIGHLIGHT = 0.6;

// Radiance that `surface` sends to the eye, at the low level: metals are as dull as the rest, and mirror nothing but the sun.
fn roughly_lit(surface: Surface) -> vec3f {
    let facing_sun = max(dot(surface.normal, frame.sun.xyz), 0.0);
    let visible = smoothstep(0.0, GRAZING, dot(surface.facing, frame.sun.xyz))
        * sun_visibility(surface.position, surface.facing);
    let half = normalize(frame.sun.xyz + normalize(frame.eye.xyz - surface.position));
    let power2 = max(dot(surface.normal, half), 0.0) * max(dot(surface.normal, half), 0.0);
    let power4 = power2 * power2;
    let power16 = power4 * power4 * power4 * power4;
    let smooth_part = 1.0 - surface.roughness;
    let highlight = HIGHLIGHT * smooth_part * smooth_part * power16 * power16;
    let sun = frame.sun_color.rgb * facing_sun * visible * sun_through_liquid(surface.position);
    let around = surface.occlusion * sky_light(surface.normal) * (surface.base_color + DIELECTRIC);
    return surface.emissive + sun * (surface.base_color / PI + highlight) + around;
}

// Radiance that `surface` sends to the eye.
fn lit(surface: Surface) -> vec3f {
    if !HIGH {
        return roughly_lit(surface);
    }
    let view = normalize(frame.eye.xyz - surface.position);
    let normal = surface.normal;
    let facing_view = max(dot(normal, view), LEAST_FACING_VIEW);
    let f0 = mix(vec3f(DIELECTRIC), surface.base_color, surface.metallic);
    let diffuse = surface.base_color * (1.0 - surface.metallic);
    let roughness = clamp(surface.roughness, LEAST_ROUGHNESS, 1.0);

    let to_sun = frame.sun.xyz;
    let facing_sun = dot(normal, to_sun);
    var radiance = surface.emissive;
    if facing_sun > 0.0 {
        let half = normalize(to_sun + view);
        let a = roughness * roughness;
        let a2 = a * a;
        let n_h = max(dot(normal, half), 0.0);
        let d = n_h * n_h * (a2 - 1.0) + 1.0;
        let distribution = a2 / (PI * d * d);
        let smith = facing_sun * sqrt(facing_view * facing_view * (1.0 - a2) + a2)
            + facing_view * sqrt(facing_sun * facing_sun * (1.0 - a2) + a2);
        let fresnel = f0 + (1.0 - f0) * fifth(1.0 - clamp(dot(view, half), 0.0, 1.0));
        let reflected = fresnel * min(distribution * 0.5 / max(smith, LEAST_SMITH), MOST_REFLECTED);
        let grazing = smoothstep(0.0, GRAZING, dot(surface.facing, to_sun));
        let visible = grazing * sun_visibility(surface.position, surface.facing);
        let sun = frame.sun_color.rgb * sun_through_liquid(surface.position);
        radiance += sun * facing_sun * visible * ((1.0 - fresnel) * diffuse / PI + reflected);
    }

    let mirrored = reflect(-view, normal);
    let around = mix(sky(mirrored), sky_light(mirrored), smoothstep(BLURRED_SKY.x, BLURRED_SKY.y, roughness));
    // Karis' fit to the integral of the reflection over all directions.
    let c = roughness * vec4f(-1.0, -0.0275, -0.572, 0.022) + vec4f(1.0, 0.0425, 1.04, -0.04);
    let a = min(c.x * c.x, exp2(-9.28 * facing_view)) * c.x + c.y;
    let response = f0 * (-1.04 * a + c.z) + (1.04 * a + c.w);
    return radiance + surface.occlusion * (diffuse * sky_light(normal) + response * around);
}
