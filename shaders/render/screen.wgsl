#import "render/corners"
// Every pixel of the target once: one triangle that covers the screen.

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(screen_corner(index), 0.0, 1.0);
}
