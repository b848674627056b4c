#import "common/body"
// Particles as the solver has them: the ball of each, and whose it is.

@group(1) @binding(0) var<storage, read> bodies: array<Body>;
// xyz: centre [m]; w: radius [m].
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_bodies: array<u32>;

const FREE = 0xffffffffu;

// Its ball, without size if its body was removed.
fn ball_of(particle: u32) -> vec4f {
    let body = particle_bodies[particle];
    let removed = body != FREE && all(bodies[min(body, arrayLength(&bodies) - 1u)].rotation == vec4f());
    let ball = particles[particle];
    return vec4f(ball.xyz, select(ball.w, 0.0, removed));
}
