#import "common/params"
#import "common/color"
#import "constraints/constraint"
#import "constraints/phantoms"
// XPBD (Macklin et al. 2016) on a row of constraints: what is the same for all types. The including kernel declares
// `constraint_words`, `particle_starts` and `particle_velocities`, and where the moves of particles are. Twin: constraints::project.

var<private> solved: Color;    // what the row is of
var<private> softer: f32;      // how many times as soft as its type the row is
var<private> weights: vec4f;   // inverse masses [1/kg]
var<private> origin: vec3f;    // where the first particle was before the constraints [m]
var<private> place: Stencil;   // from there
var<private> delta: Stencil;   // how far constraints moved the particles [m]
var<private> predicted: Stencil; // predicted motion of the particles, only with damping [m]

// Most of the relative motion that one constraint takes away in a substep: a particle has some twenty of them.
const MOST_DAMPED: f32 = 0.1;

// Word k of a row: neighboring rows have theirs side by side.
fn word(row: u32, k: u32) -> u32 {
    return constraint_words[solved.first + k * solved.count + row];
}

// The row's particle k, or the phantom that stands for it.
fn particle_of(row: u32, k: u32) -> u32 {
    return word(row, k) & ~HALF;
}

// Where the row's particle k was before the constraints [m].
fn start_of(row: u32, k: u32) -> vec3f {
    return particle_starts[particle_of(row, k)].place;
}

// Its predicted motion in this substep [m].
fn prediction_of(row: u32, k: u32) -> vec3f {
    return params.substep_dt * particle_velocities[particle_starts[particle_of(row, k)].particle].xyz;
}

fn push(a: vec3f, b: vec3f, c: vec3f, d: vec3f) {
    place = Stencil(place.a + a, place.b + b, place.c + c, place.d + d);
    delta = Stencil(delta.a + a, delta.b + b, delta.c + c, delta.d + d);
}

fn weigh(p: Equation, q: Equation) -> f32 {
    return weights.x * dot(p.a, q.a) + weights.y * dot(p.b, q.b) + weights.z * dot(p.c, q.c) + weights.w * dot(p.d, q.d);
}

fn drift(p: Equation) -> f32 {
    return dot(p.a, predicted.a) + dot(p.b, predicted.b) + dot(p.c, predicted.c) + dot(p.d, predicted.d);
}
