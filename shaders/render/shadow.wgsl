#import "render/rigid"
#import "render/material"
// Triangles of models that do not bend seen from the sun, depth only. One vertex thread stands for a vertex of an instance.

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) alpha: f32,
}

@vertex
fn vertex(in: VertexIn) -> Fragment {
    let at = placed(in);
    return Fragment(select(shadow_clip(at.position), NOWHERE, at.gone), in.uv, in.color.a * in.tint.a);
}

@fragment
fn fragment(in: Fragment) {
    if lets_light_through(in.uv, in.alpha) {
        discard;
    }
}
