// One pixel of the sky behind everything. One vertex is a corner of a triangle that covers the screen.

#import "render/sky"

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let at = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    let direction = frame.forward.xyz + at.x * frame.right.xyz + at.y * frame.up.xyz;
    return Fragment(vec4<f32>(at, 0.0, 1.0), direction);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    return vec4<f32>(displayed(sky(normalize(in.direction)), in.clip.xy), 1.0);
}
