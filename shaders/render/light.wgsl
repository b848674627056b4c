#import "render/sky"
// Light on a surface: sun with shadow, and the sky. Metallic-roughness model of glTF 2.0 (appendix B): GGX
// distribution, height-correlated Smith visibility, Schlick Fresnel; sky reflection after Karis 2014.

@group(3) @binding(0) var shadow_map: texture_depth_2d;
@group(3) @binding(1) var shadow_sampler: sampler_comparison;
// Liquids seen from the sun: what they take from its light (rgb, optical depth) and how near to it they begin.
@group(3) @binding(2) var liquid_map: texture_2d<f32>;
@group(3) @binding(3) var liquid_sampler: sampler;

const PI = 3.14159265;

// How far above a surface its shadow is looked up, and how much farther where light only grazes it [texels].
const LIFT = 0.9;
const LIFT_GRAZING = 1.6;
// Between looks into the shadow map [texels].
const TAP_SPACING = 1.25;
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

// Share of the sun that reaches `position`, soft over about four texels.
fn sun_visibility(position: vec3f, facing: vec3f) -> f32 {
    let slope = 1.0 - max(dot(facing, frame.sun.xyz), 0.0);
    // Looking up beside the surface keeps its own texels from shading it without moving shadows off their casters.
    let lifted = position + facing * frame.sun.w * (LIFT + LIFT_GRAZING * slope);
    let clip = frame.shadow_from_world * vec4f(lifted, 1.0);
    let at = clip.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = frame.settings.x;
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            let tap = at + vec2f(f32(x), f32(y)) * texel * TAP_SPACING;
            sum += weight * textureSampleCompareLevel(shadow_map, shadow_sampler, tap, clip.z);
        }
    }
    // Outside the map everything is lit; the border fades.
    let edge = max(abs(clip.x), abs(clip.y));
    return mix(sum, 1.0, max(smoothstep(MAP_BORDER.x, MAP_BORDER.y, edge), 1.0 - frame.settings.y));
}

// Depth below the surface [m] at which the shadow of a liquid is full.
const FULL_SHADE_DEPTH = 0.08;
// Liquids gather light like a lens: how far apart their thickness is compared [m], what a metre of them takes from green
// light at least, how much the light is bent, and the logarithm of the most that it is gathered or spread.
const LENS = 0.13;
const LENS_DEPTH = 1.2;
const BENDING = 0.16;
const GATHERED = 0.6;
// The first of four ways at right angles in which thickness is compared, none along the texels: a turn of 0.4 rad.
const WAY = vec2f(0.92106099, 0.38941834);
// The most that the hyperbolic tangent is taken of: it is nearly 1 from there on.
const MOST_BENDING = 4.0;

fn liquid_at(place: vec2f) -> vec4f {
    return textureSampleLevel(liquid_map, liquid_sampler, place * vec2f(0.5, -0.5) + 0.5, 0.0);
}

// Share of the sun's colors that liquids leave at `position`, more than all where waves gather it.
fn sun_through_liquid(position: vec3f) -> vec3f {
    let clip = frame.shadow_from_world * vec4f(position, 1.0);
    let found = liquid_at(clip.xy);
    let edge = 1.0 - smoothstep(MAP_BORDER.x, MAP_BORDER.y, max(abs(clip.x), abs(clip.y)));
    let rows = transpose(frame.shadow_from_world);
    let below = (found.a - 1.0 + clip.z) / length(rows[2].xyz);
    let part = edge * frame.settings.y * smoothstep(0.0, FULL_SHADE_DEPTH, below);
    if part <= 0.0 {
        return vec3f(1.0);
    }
    let apart = LENS * length(rows[0].xyz);
    var around = 0.0;
    var way = WAY;
    for (var i = 0; i < 4; i++) {
        around += 0.25 * liquid_at(clip.xy + apart * way).g;
        way = vec2f(-way.y, way.x);
    }
    let curvature = 4.0 * (around - found.g) / (LENS_DEPTH * LENS * LENS);
    // The hyperbolic tangent; the built-in may be inf / inf for what is large.
    let bending = exp(2.0 * clamp(BENDING / GATHERED * min(below, 1.0) * curvature, -MOST_BENDING, MOST_BENDING));
    let gathered = exp(-GATHERED * (bending - 1.0) / (bending + 1.0));
    return exp(-found.rgb * part) * mix(1.0, gathered, part);
}

// Radiance that `surface` sends to the eye.
fn lit(surface: Surface) -> vec3f {
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
        let sun = SUN_COLOR * sun_through_liquid(surface.position);
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
