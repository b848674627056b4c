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
@group(1) @binding(3) var<storage, read_write> particles: array<vec4f>;
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
var<private> place: Stencil;   // positions now
var<private> moved: Stencil;   // motion since the substep's start [m], only with damping

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
    place.a = load(0u);
    place.b = load(1u);
    place.c = load(2u);
    place.d = load(3u);
    if gamma > 0.0 {
        moved = Stencil(motion(row_particles.x), motion(row_particles.y), motion(row_particles.z), motion(row_particles.w));
    }
    let start = place;
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
    store(row_particles.x, weights.x, place.a, start.a);
    store(row_particles.y, weights.y, place.b, start.b);
    store(row_particles.z, weights.z, place.c, start.c);
    store(row_particles.w, weights.w, place.d, start.d);
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
    return next;
}

fn weigh(p: Equation, q: Equation) -> f32 {
    return dot(weights, vec4f(dot(p.a, q.a), dot(p.b, q.b), dot(p.c, q.c), dot(p.d, q.d)));
}

fn drift(p: Equation) -> f32 {
    return dot(p.a, moved.a) + dot(p.b, moved.b) + dot(p.c, moved.c) + dot(p.d, moved.d);
}

fn load(k: u32) -> vec3f {
    let particle = row_particles[k];
    if particle == NONE {
        return vec3f(0.0);
    }
    weights[k] = particle_starts[particle].w;
    return particles[particle].xyz;
}

// Motion since the substep's start: predicted, and by constraints since.
fn motion(particle: u32) -> vec3f {
    if particle == NONE {
        return vec3f(0.0);
    }
    return particles[particle].xyz - particle_starts[particle].xyz + params.gravity.w * particle_velocities[particle].xyz;
}

fn store(particle: u32, weight: f32, now: vec3f, before: vec3f) {
    // What does not move may be in several constraints of one color, and is not written.
    if weight > 0.0 && any(now != before) {
        particles[particle] = vec4f(now, particles[particle].w);
    }
}
