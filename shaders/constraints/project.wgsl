#import "common/params"
#import "common/constraint"
#import "common/thread"
// One thread per constraint of one color, whatever its type: XPBD (Macklin et al. 2016). `constraints/solve` adds `main`, the
// types and the switches over them: solver::constraints. Twin: constraints::project.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_heads: array<vec2u>;
@group(1) @binding(1) var<storage, read> constraint_words: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> constraint_multipliers: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_starts: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_velocities: array<vec4f>;

// Bits of a head: type, then the first of the row's words. Its second word is the damping time [s].
const HEAD_KIND: u32 = 26u;
const HEAD_FIRST: u32 = 0x03ffffffu;

// Numbers 4k..4k+4 of a row.
fn row_values(first: u32, k: u32) -> vec4f {
    return bitcast<vec4f>(constraint_words[first + 1u + k]);
}

var<private> row_particles: vec4u;
var<private> weights: vec4f;   // inverse masses [1/kg]
// Places are relative to where the first particle was before the constraints, and moves are kept apart from them: far
// from the origin nothing is lost to rounding, and what one particle gains in momentum another loses to the last bit.
var<private> origin: vec3f;
var<private> place: Stencil;
var<private> moved: Stencil;   // moves; with damping the predicted motion too [m]
var<private> pushed: Stencil;  // what this thread adds to the moves [m]

fn solve(thread: u32) {
    if thread >= batch.count {
        return;
    }
    let index = batch.first + thread;
    let head = constraint_heads[index];
    let kind = head.x >> HEAD_KIND;
    let first = head.x & HEAD_FIRST;
    let gamma = bitcast<f32>(head.y) / params.gravity.w;
    row_particles = constraint_words[first];
    weights = vec4f(0.0);
    origin = particle_starts[row_particles.x].xyz;
    moved = Stencil(load(0u), load(1u), load(2u), load(3u));
    let before = moved;
    place = Stencil(place.a + moved.a, place.b + moved.b, place.c + moved.c, place.d + moved.d);
    if gamma > 0.0 {
        moved = Stencil(moved.a + flown(row_particles.x), moved.b + flown(row_particles.y),
            moved.c + flown(row_particles.z), moved.d + flown(row_particles.w));
    }
    pushed = Stencil();
    var multipliers = vec4f(0.0);
    if batch.iteration > 0u {
        multipliers = constraint_multipliers[index];
    }
    let count = equation_count(kind);
    for (var k = 0u; k < count; k += 2u) {
        var lambda = vec2f(multipliers[k], multipliers[k + 1u]);
        lambda = solve_pair(kind, first, k, count, lambda, gamma);
        multipliers[k] = lambda.x;
        multipliers[k + 1u] = lambda.y;
    }
    if batch.last == 0u {
        constraint_multipliers[index] = multipliers;
    }
    store(row_particles.x, weights.x, before.a + pushed.a);
    store(row_particles.y, weights.y, before.b + pushed.b);
    store(row_particles.z, weights.z, before.c + pushed.c);
    store(row_particles.w, weights.w, before.d + pushed.d);
}

// Both equations of a pair together: (G + α̃) Δλ = -C - α̃ λ - γ ∇C·(x - xⁿ), G = (1 + γ) ∇Cᵀ M⁻¹ ∇C. Returns λ.
fn solve_pair(kind: u32, first: u32, k: u32, count: u32, lambda: vec2f, gamma: f32) -> vec2f {
    let h = params.gravity.w;
    let p = equation(kind, k, first, place);
    var q = Equation(0.0, 0.0, UNBOUNDED, vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    var own = vec2f((1.0 + gamma) * weigh(p, p) + p.compliance / (h * h), 1.0);
    var cross = 0.0;
    if k + 1u < count {
        q = equation(kind, k + 1u, first, place);
        own.y = (1.0 + gamma) * weigh(q, q) + q.compliance / (h * h);
        cross = (1.0 + gamma) * weigh(p, q);
    }
    let right = -vec2f(p.value, q.value) - vec2f(p.compliance, q.compliance) / (h * h) * lambda
        - gamma * vec2f(drift(p), drift(q));
    let determinant = own.x * own.y - cross * cross;
    if determinant <= 0.0 {
        return lambda;
    }
    let delta = vec2f(right.x * own.y - cross * right.y, right.y * own.x - cross * right.x) / determinant;
    let next = min(lambda + delta, vec2f(p.most, q.most));
    let step = next - lambda;
    let push = Stencil(weights.x * (step.x * p.a + step.y * q.a), weights.y * (step.x * p.b + step.y * q.b),
        weights.z * (step.x * p.c + step.y * q.c), weights.w * (step.x * p.d + step.y * q.d));
    place = Stencil(place.a + push.a, place.b + push.b, place.c + push.c, place.d + push.d);
    moved = Stencil(moved.a + push.a, moved.b + push.b, moved.c + push.c, moved.d + push.d);
    pushed = Stencil(pushed.a + push.a, pushed.b + push.b, pushed.c + push.c, pushed.d + push.d);
    return next;
}

fn weigh(p: Equation, q: Equation) -> f32 {
    return dot(weights, vec4f(dot(p.a, q.a), dot(p.b, q.b), dot(p.c, q.c), dot(p.d, q.d)));
}

fn drift(p: Equation) -> f32 {
    return dot(p.a, moved.a) + dot(p.b, moved.b) + dot(p.c, moved.c) + dot(p.d, moved.d);
}

// Takes in a particle's mass and place; returns its move.
fn load(k: u32) -> vec3f {
    let particle = row_particles[k];
    if particle == NONE {
        return vec3f(0.0);
    }
    let start = particle_starts[particle];
    weights[k] = start.w;
    switch k {
        case 0u: { place.a = start.xyz - origin; }
        case 1u: { place.b = start.xyz - origin; }
        case 2u: { place.c = start.xyz - origin; }
        default: { place.d = start.xyz - origin; }
    }
    return particle_moves[particle].xyz;
}

// Predicted motion of this substep [m].
fn flown(particle: u32) -> vec3f {
    if particle == NONE {
        return vec3f(0.0);
    }
    return params.gravity.w * particle_velocities[particle].xyz;
}

fn store(particle: u32, weight: f32, move_now: vec3f) {
    // What does not move may be in several constraints of one color, and is not written.
    if weight > 0.0 {
        particle_moves[particle] = vec4f(move_now, 0.0);
    }
}
