#import "render/soft"
#import "render/material"
// Surfaces that follow particles seen from the sun, depth only. One vertex thread stands for a vertex of a copy.

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) alpha: f32,
}

@vertex
fn vertex(in: VertexIn) -> Fragment {
    return Fragment(shadow_clip(placed(in).position), in.uv, in.color.a * in.tint.a);
}

@fragment
fn fragment(in: Fragment) {
    if lets_light_through(in.uv, in.alpha) {
        discard;
    }
}
