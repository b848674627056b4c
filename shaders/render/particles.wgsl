#import "common/body"
#import "render/lit_ball"
// Particles as lit balls. Six vertex threads stand for one particle.

@group(1) @binding(0) var<storage, read> bodies: array<Body>;
/// xyz: centre [m]; w: radius [m].
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_bodies: array<u32>;

const FREE = 0xffffffffu;

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

/// Its ball, without size if its body was removed.
fn ball_of(particle: u32) -> vec4f {
    let body = particle_bodies[particle];
    let removed = body != FREE && all(bodies[min(body, arrayLength(&bodies) - 1u)].rotation == vec4f());
    let ball = particles[particle];
    return vec4f(ball.xyz, select(ball.w, 0.0, removed));
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

@vertex
fn shadow_vertex(@builtin(vertex_index) index: u32) -> ShadowFragment {
    return ball_shadow(ball_of(index / 6u), index % 6u);
}
