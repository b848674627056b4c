#import "common/params"
#import "constraints/constraint"
#import "common/thread"
// One thread per constraint of one color, whatever its type: XPBD (Macklin et al. 2016). `constraints/solve` adds `main`, the
// types and the switches over them: solver::constraints. Twin: constraints::project.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_heads: array<vec2u>;
@group(1) @binding(1) var<storage, read> constraint_words: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> constraint_multipliers: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_deltas: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_starts: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_velocities: array<vec4f>;

// Bits of a head: type, then the first of the row's words. Its second word is the damping [1/s].
const HEAD_KIND: u32 = 26u;
const HEAD_FIRST: u32 = 0x03ffffffu;

// Numbers 4k..4k+4 of a row.
fn row_values(first: u32, k: u32) -> vec4f {
    return bitcast<vec4f>(constraint_words[first + 1u + k]);
}

var<private> row_particles: vec4u;
var<private> weights: vec4f;   // inverse masses [1/kg]
// Places are relative to where the first particle was before the constraints, and corrections are kept apart from them:
// far from the origin nothing is lost to rounding, and what one particle gains in momentum another loses to the last bit.
var<private> origin: vec3f;
var<private> place: Stencil;
var<private> delta: Stencil;   // position corrections of the particles [m]
var<private> predicted: Stencil; // their predicted motion, only with damping [m]

// Most of the relative motion that one constraint takes away in a substep: a particle has some twenty of them.
const MOST_DAMPED: f32 = 0.1;

fn solve(thread: u32) {
    if thread >= batch.count {
        return;
    }
    let index = batch.first + thread;
    let head = constraint_heads[index];
    if head.x >= HEAD_TORN {
        return;
    }
    let kind = head.x >> HEAD_KIND;
    let first = head.x & HEAD_FIRST;
    // Damping acts once in a substep.
    let damped = select(0.0, min(bitcast<f32>(head.y) * params.substep_dt, MOST_DAMPED), batch.iteration == 0u);
    row_particles = constraint_words[first];
    weights = vec4f(0.0);
    origin = particle_starts[row_particles.x].xyz;
    delta = Stencil(load(0u), load(1u), load(2u), load(3u));
    place = Stencil(place.a + delta.a, place.b + delta.b, place.c + delta.c, place.d + delta.d);
    if damped > 0.0 {
        let on = row_particles;
        predicted = Stencil(prediction(on.x), prediction(on.y), prediction(on.z), prediction(on.w));
    }
    var multipliers = vec4f(0.0);
    if batch.iteration > 0u {
        multipliers = constraint_multipliers[index];
    }
    let count = equation_count(kind);
    for (var k = 0u; k < count; k += 2u) {
        var lambda = vec2f(multipliers[k], multipliers[k + 1u]);
        lambda = solve_pair(kind, first, k, count, lambda, damped);
        multipliers[k] = lambda.x;
        multipliers[k + 1u] = lambda.y;
    }
    if batch.last == 0u {
        constraint_multipliers[index] = multipliers;
    }
    store(row_particles.x, weights.x, delta.a);
    store(row_particles.y, weights.y, delta.b);
    store(row_particles.z, weights.z, delta.c);
    store(row_particles.w, weights.w, delta.d);
}

// Both equations of a pair together: (G + α̃) Δλ = -C - α̃ λ, G = ∇Cᵀ M⁻¹ ∇C. Returns λ. What α̃ leaves of the motion along
// ∇C is damped by Δλ' = -β ∇C·h v α̃ / (G + α̃) G, which is not part of λ: it is no force of the rest shape.
fn solve_pair(kind: u32, first: u32, k: u32, count: u32, lambda: vec2f, damped: f32) -> vec2f {
    let h = params.substep_dt;
    let p = equation(kind, k, first, place);
    var q = Equation(0.0, 0.0, UNBOUNDED, vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    var g = vec2f(weigh(p, p), 1.0);
    var cross = 0.0;
    var share = damped;
    if k + 1u < count {
        q = equation(kind, k + 1u, first, place);
        g.y = weigh(q, q);
        cross = weigh(p, q);
        share *= 0.5;
    }
    let softness = vec2f(p.compliance, q.compliance) / (h * h);
    let own = g + softness;
    let determinant = own.x * own.y - cross * cross;
    if determinant <= 0.0 || g.x <= 0.0 || g.y <= 0.0 {
        return lambda;
    }
    let right = -vec2f(p.value, q.value) - softness * lambda;
    let delta_lambda = vec2f(right.x * own.y - cross * right.y, right.y * own.x - cross * right.x) / determinant;
    let most = vec2f(p.most, q.most);
    let next = min(lambda + params.stiffness * delta_lambda, most);
    // What is slack is not damped.
    let resist = select(-share * vec2f(drift(p), drift(q)) * softness / (own * g), vec2f(0.0), next == most);
    let step = next - lambda + resist;
    let push = Stencil(weights.x * (step.x * p.a + step.y * q.a), weights.y * (step.x * p.b + step.y * q.b),
        weights.z * (step.x * p.c + step.y * q.c), weights.w * (step.x * p.d + step.y * q.d));
    place = Stencil(place.a + push.a, place.b + push.b, place.c + push.c, place.d + push.d);
    delta = Stencil(delta.a + push.a, delta.b + push.b, delta.c + push.c, delta.d + push.d);
    return next;
}

fn weigh(p: Equation, q: Equation) -> f32 {
    return dot(weights, vec4f(dot(p.a, q.a), dot(p.b, q.b), dot(p.c, q.c), dot(p.d, q.d)));
}

fn drift(p: Equation) -> f32 {
    return dot(p.a, predicted.a) + dot(p.b, predicted.b) + dot(p.c, predicted.c) + dot(p.d, predicted.d);
}

// Takes in a particle's mass and place; returns its correction.
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
    return particle_deltas[particle].xyz;
}

// Predicted motion of this substep [m].
fn prediction(particle: u32) -> vec3f {
    if particle == NONE {
        return vec3f(0.0);
    }
    return params.substep_dt * particle_velocities[particle].xyz;
}

fn store(particle: u32, weight: f32, delta_now: vec3f) {
    // What does not move may be in several constraints of one color, and is not written.
    if weight > 0.0 {
        particle_deltas[particle] = vec4f(delta_now, 0.0);
    }
}
