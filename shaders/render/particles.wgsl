#import "render/particle_ball"
#import "render/lit_ball"
// Particles as lit balls. Six vertex threads stand for one particle, one fragment thread for a pixel of it.

/// A colour of its own for each body; free particles are blue.
fn particle_color(body: u32) -> vec3f {
    if body == FREE {
        return vec3f(0.10, 0.34, 0.85);
    }
    // Turns of a third apart, within the half turn that cosines promise.
    let turns = fract(vec3f(f32(body) * 0.61803399) + vec3f(0.0, 0.33422538, 0.66845076));
    let hue = 0.5 - 0.5 * cos(6.2831853 * (turns - 0.5));
    return mix(vec3f(0.22), hue, 0.75) * (0.65 + 0.35 * fract(f32(body) * 0.7548777));
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let particle = index / 6u;
    return ball_vertex(ball_of(particle), particle_color(particle_bodies[particle]), index % 6u);
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    return ball_fragment(in, 0.55);
}
