#import "common/params"
#import "common/color"
#import "constraints/constraint"
// XPBD (Macklin et al. 2016) on a row of constraints: what is the same for all types. The including kernel declares
// `constraint_words` and `particle_velocities`, and where the places of particles are. Twin: constraints::project.

var<private> solved: Color;    // what the row is of
var<private> weights: vec4f;   // inverse masses [1/kg]
// Relative to the first of the particles that constraints join with them: `constraints/begin`.
var<private> place: Stencil;
var<private> origin: vec3f;    // where that was [m]; only for what is held in the world
var<private> predicted: Stencil; // predicted motion of the particles, only with damping [m]

// Most of the relative motion that one constraint takes away in a substep: a particle has some twenty of them.
const MOST_DAMPED: f32 = 0.1;

// Word k of a row: neighboring rows have theirs side by side.
fn word(row: u32, k: u32) -> u32 {
    return constraint_words[solved.first + k * solved.count + row];
}

fn push(a: vec3f, b: vec3f, c: vec3f, d: vec3f) {
    place = Stencil(place.a + a, place.b + b, place.c + c, place.d + d);
}

fn weigh(p: Equation, q: Equation) -> f32 {
    return weights.x * dot(p.a, q.a) + weights.y * dot(p.b, q.b) + weights.z * dot(p.c, q.c) + weights.w * dot(p.d, q.d);
}

fn drift(p: Equation) -> f32 {
    return dot(p.a, predicted.a) + dot(p.b, predicted.b) + dot(p.c, predicted.c) + dot(p.d, predicted.d);
}
