// The skinned triangles seen from the sun, depth only. One vertex thread stands for a vertex of an instance.

#import "render/skin"
#import "render/material"

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) alpha: f32,
}

@vertex
fn vertex(in: VertexIn) -> Fragment {
    let at = skinned(in);
    return Fragment(select(NOWHERE, shadow_clip(at.position), at.weight > 0.0), in.uv, in.color.a * in.tint.a);
}

/// Drops the holes of masked and the thin parts of blended surfaces.
@fragment
fn fragment(in: Fragment) {
    let alpha = textureSample(base_color_texture, material_sampler, in.uv).a * material.base_color.a * in.alpha;
    if alpha < max(material.emissive.w, 0.5) {
        discard;
    }
}
