#import "render/particle_ball"
#import "render/ball_shadow"
// Particles seen from the sun, depth only. Six vertex threads stand for one particle.

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    return ball_shadow(ball_of(index / 6u), index % 6u);
}
