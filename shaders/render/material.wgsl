// Material of a primitive: factors and textures of the glTF metallic-roughness model.

struct Material {
    base_color: vec4f,
    emissive: vec4f, // xyz: emitted colour; w: alpha below which nothing is drawn, negative if alpha is not used so
    metallic: f32,
    roughness: f32,
    unlit: f32, // 1: shown without lighting
    blended: f32, // 1: alpha blends
    bumps: f32, // scale of the normal texture, 0 without one
    textured: f32, // 1: has any texture
    sheet: f32, // 1: thin and seen from both sides
    occlusion: f32, // strength of the occlusion texture
}

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var material_sampler: sampler;
@group(2) @binding(2) var base_color_texture: texture_2d<f32>;
@group(2) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(4) var normal_texture: texture_2d<f32>;
@group(2) @binding(5) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(6) var emissive_texture: texture_2d<f32>;

// What covers more than this casts a shadow where alpha blends.
const SHADOWING = 0.5;

// Whether no shadow falls there: holes of masked and thin parts of blended surfaces.
fn lets_light_through(uv: vec2f, alpha: f32) -> bool {
    let covered = textureSample(base_color_texture, material_sampler, uv).a * material.base_color.a * alpha;
    return covered < select(SHADOWING, material.emissive.w, material.emissive.w >= 0.0);
}
