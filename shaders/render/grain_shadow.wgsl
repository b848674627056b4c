#import "render/ball_shadow"
// Grains seen from the sun, depth only. Six vertex threads stand for a grain.

// xyz: centre [m]; w: radius [m].
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
// x: particle; y: its kind.
@group(1) @binding(1) var<storage, read> members: array<vec2u>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    return ball_shadow(particles[members[index / 6u].x], index % 6u);
}
