#import "render/particle_ball"
#import "render/hue"
#import "render/lit_ball"
// Particles as lit balls. Six vertex threads stand for one particle, one fragment thread for a pixel of it.

const BLUE = vec3f(0.10, 0.34, 0.85);
// The grey that is mixed into colors of bodies, and how much of them is left.
const GREY = 0.22;
const PURITY = 0.75;
// How bright the darkest body is, and the difference to the brightest.
const DARKEST = 0.65;
const SHADES = 0.35;
// Of balls: a soft gloss that shows their shape.
const ROUGHNESS = 0.55;

// A colour of its own for each body; free particles are blue.
fn particle_color(body: u32) -> vec3f {
    if body == FREE {
        return BLUE;
    }
    return mix(vec3f(GREY), own_hue(body), PURITY) * (DARKEST + SHADES * own_shade(body));
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let particle = index / 6u;
    return ball_vertex(ball_of(particle), particle_color(particle_bodies[particle]), index % 6u);
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    return ball_fragment(in, ROUGHNESS);
}
