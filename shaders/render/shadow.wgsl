#import "render/skin"
#import "render/material"
// The skinned triangles seen from the sun, depth only. One vertex thread stands for a vertex of an instance.

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) alpha: f32,
}

@vertex
fn vertex(in: VertexIn) -> Fragment {
    let at = skinned(in);
    return Fragment(select(NOWHERE, shadow_clip(at.position), at.weight > 0.0), in.uv, in.color.a * in.tint.a);
}

@fragment
fn fragment(in: Fragment) {
    if lets_light_through(in.uv, in.alpha) {
        discard;
    }
}
