#import "render/corners"
#import "render/clouds"
// One pixel of the sky behind everything. One vertex is a corner of a triangle that covers the screen.

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) direction: vec3f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let at = screen_corner(index);
    let direction = frame.forward.xyz + at.x * frame.right.xyz + at.y * frame.up.xyz;
    return Fragment(vec4f(at, 0.0, 1.0), direction);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(displayed(seen_sky(normalize(in.direction)), in.clip.xy), 1.0);
}
