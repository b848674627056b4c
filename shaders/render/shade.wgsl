#import "render/light"
#import "render/material"
// Light on triangles with a material: what a fragment of them looks like.

// What is drawn: all of it, or of what is blended what is before liquids, or the rest. Of the pipeline, not of a uniform: Mesa's software
// driver compiles a shader anew for the values of uniforms that decide branches.
override PART: u32 = ALL;
const ALL: u32 = 0u;
const NOT_BEFORE_LIQUID: u32 = 1u;
const BEFORE_LIQUID: u32 = 2u;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
}

// Squares of texture directions below this have none.
const LEAST_TANGENT2 = 1e-30;
// Normals of textures rise at least so much above the surface.
const LEAST_RISEN = 0.05;
// Least change of alpha over a pixel.
const LEAST_FADE = 1e-4;

// Normal texture in the frame of the texture's own directions on screen (Schueler, ShaderX5 2006): no stored tangents.
fn bumped(normal: vec3f, position: vec3f, uv: vec2f) -> vec3f {
    let along_x = dpdx(position);
    let along_y = dpdy(position);
    let uv_x = dpdx(uv);
    let uv_y = dpdy(uv);
    var sample = textureSample(normal_texture, material_sampler, uv).xyz * 2.0 - 1.0;
    sample = vec3f(sample.xy * material.bumps, sample.z);
    let across_y = cross(along_y, normal);
    let across_x = cross(normal, along_x);
    let tangent = across_y * uv_x.x + across_x * uv_y.x;
    let bitangent = across_y * uv_x.y + across_x * uv_y.y;
    let longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if longest <= LEAST_TANGENT2 || material.bumps == 0.0 {
        return normal;
    }
    // Framebuffer y runs down, so the two screen directions may span the surface from behind.
    let scale = inverseSqrt(longest) * sign(dot(normal, cross(along_x, along_y)));
    // Texture v runs down while the green channel points up.
    return normalize(tangent * scale * sample.x - bitangent * scale * sample.y + normal * max(sample.z, LEAST_RISEN));
}

// Whether what is there is drawn in another pass: what is before a liquid is laid over it, all else is seen through it.
fn is_of_other_pass(clip: vec4f) -> bool {
    if PART == ALL {
        return false;
    }
    let liquid = liquid_front_at(clip);
    // Depth of the picture may be a host's, that of liquids is not.
    let away = frame.depth_law.x / (clip.z - frame.depth_law.y);
    let before = liquid > 0.0 && away < frame.eye.w / liquid + frame.forward.w;
    return before != (PART == BEFORE_LIQUID);
}

// Radiance as displayed, and coverage; every fragment of a quad must call it, because textures need its derivatives.
fn shaded(in: Fragment, front: bool) -> vec4f {
    let outward = normalize(in.normal) * select(-1.0, 1.0, front);
    var color = material.base_color * in.color;
    var surface = Surface(
        in.position, outward, outward, vec3f(), material.metallic, material.roughness, 1.0, material.emissive.rgb,
    );
    if material.textured > 0.5 {
        let rough_metal = textureSample(metallic_roughness_texture, material_sampler, in.uv);
        color *= textureSample(base_color_texture, material_sampler, in.uv);
        surface.normal = bumped(outward, in.position, in.uv);
        surface.metallic *= rough_metal.b;
        surface.roughness *= rough_metal.g;
        surface.occlusion = mix(1.0, textureSample(occlusion_texture, material_sampler, in.uv).r, material.occlusion);
        surface.emissive *= textureSample(emissive_texture, material_sampler, in.uv).rgb;
    }
    surface.base_color = color.rgb;
    // Edges of masks stay smooth: coverage crosses one half where alpha crosses the cutoff.
    let edge = (color.a - material.emissive.w) / max(fwidth(color.a), LEAST_FADE) + 0.5;
    let masked = select(1.0, clamp(edge, 0.0, 1.0), material.emissive.w >= 0.0);
    let alpha = select(masked, color.a, material.blended > 0.5);
    if alpha <= 0.0 || is_bare(masked) || is_of_other_pass(in.clip) {
        discard;
    }
    var radiance = color.rgb;
    if material.unlit < 0.5 {
        radiance = lit(surface);
    }
    return vec4f(displayed(hazed(radiance, in.position), in.clip.xy), alpha);
}
