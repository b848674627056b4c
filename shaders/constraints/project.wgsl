#import "common/params"
#import "constraints/constraint"
#import "common/thread"
// One thread per constraint of one color and type: XPBD (Macklin et al. 2016). solver::constraints makes a kernel of this for
// each type that a scene has: it puts the type's name for TYPE, and adds `main` and what is constant. Twin: constraints::project.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(1) var<storage, read_write> constraint_multipliers: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_places: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_groups: array<u32>;
@group(1) @binding(5) var<storage, read> group_origins: array<vec4f>;

var<private> weights: vec4f;   // inverse masses [1/kg]
// Relative to the first of the particles that constraints join with them: `constraints/begin`.
var<private> place: Stencil;
var<private> origin: vec3f;    // where that was [m]; only for what is held in the world
var<private> predicted: Stencil; // their predicted motion, only with damping [m]

// Most of the relative motion that one constraint takes away in a substep: a particle has some twenty of them.
const MOST_DAMPED: f32 = 0.1;

// Word k of a row: neighboring rows have theirs side by side.
fn word(row: u32, k: u32) -> u32 {
    return constraint_words[batch.first + k * batch.count + row];
}

// Number k of a row. Those that all rows of the type share stand once, before the others.
fn number(row: u32, k: u32) -> f32 {
    let first = batch.first + PARTICLES * batch.count;
    if (SHARED >> k & 1u) != 0u {
        return bitcast<f32>(constraint_words[first + k]);
    }
    let own = countOneBits(~SHARED & ((1u << k) - 1u));
    return bitcast<f32>(constraint_words[first + NUMBERS + own * batch.count + row]);
}

fn solve(row: u32) {
    if row >= batch.count {
        return;
    }
    let a = word(row, 0u);
    if TEARS && a == NONE {
        return;
    }
    if HELD {
        origin = group_origins[particle_groups[a]].xyz;
    }
    let on = vec4u(a, slot(row, 1u), slot(row, 2u), slot(row, 3u));
    let values = Values(numbers(row, 0u), numbers(row, 4u), numbers(row, 8u));
    load(on);
    // Damping acts once in a substep.
    var damped = 0.0;
    if DAMPED && batch.iteration == 0u {
        damped = min(number(row, VALUES) * params.substep_dt, MOST_DAMPED);
        predicted = Stencil(prediction(on.x), prediction(on.y), prediction(on.z), prediction(on.w));
    }
    var multipliers = vec4f(0.0);
    if batch.iteration > 0u {
        multipliers = constraint_multipliers[batch.row + row];
    }
    if EQUATIONS == 1u {
        multipliers.x = solve_one(0u, values, multipliers.x, damped);
    } else {
        multipliers = vec4f(solve_pair(0u, values, multipliers.xy, damped), multipliers.zw);
    }
    if EQUATIONS == 3u {
        multipliers.z = solve_one(2u, values, multipliers.z, damped);
    } else if EQUATIONS == 4u {
        multipliers = vec4f(multipliers.xy, solve_pair(2u, values, multipliers.zw, damped));
    }
    if batch.last == 0u {
        constraint_multipliers[batch.row + row] = multipliers;
    }
    store(on.x, weights.x, place.a);
    if PARTICLES > 1u {
        store(on.y, weights.y, place.b);
    }
    if PARTICLES > 2u {
        store(on.z, weights.z, place.c);
    }
    if PARTICLES > 3u {
        store(on.w, weights.w, place.d);
    }
}

// The particle in place k, of those that the type has.
fn slot(row: u32, k: u32) -> u32 {
    if k < PARTICLES {
        return word(row, k);
    }
    return NONE;
}

// Four numbers from the k-th on, of those that the type has.
fn numbers(row: u32, k: u32) -> vec4f {
    var four = vec4f(0.0);
    if k < VALUES {
        four.x = number(row, k);
    }
    if k + 1u < VALUES {
        four.y = number(row, k + 1u);
    }
    if k + 2u < VALUES {
        four.z = number(row, k + 2u);
    }
    if k + 3u < VALUES {
        four.w = number(row, k + 3u);
    }
    return four;
}

// Takes in masses and places.
fn load(on: vec4u) {
    let a = particle_places[on.x];
    place.a = a.xyz;
    weights.x = a.w;
    if PARTICLES > 1u {
        let b = particle_places[on.y];
        place.b = b.xyz;
        weights.y = b.w;
    }
    if PARTICLES > 2u {
        let c = particle_places[on.z];
        place.c = c.xyz;
        weights.z = c.w;
    }
    if PARTICLES > 3u {
        let d = particle_places[on.w];
        place.d = d.xyz;
        weights.w = d.w;
    }
}

// One equation by itself: (g + α̃) Δλ = -C - α̃ λ, g = ∇Cᵀ M⁻¹ ∇C. Returns λ. What α̃ leaves of the motion along ∇C is damped by
// Δλ' = -β ∇C·h v α̃ / ((g + α̃) g), which is not part of λ: it is no force of the rest shape.
fn solve_one(index: u32, values: Values, lambda: f32, damped: f32) -> f32 {
    let h = params.substep_dt;
    let p = TYPE_equation(index, values, place);
    let g = weigh(p, p);
    if g <= 0.0 {
        return lambda;
    }
    let softness = p.compliance / (h * h);
    let own = g + softness;
    let next = min(lambda + params.stiffness * (-p.value - softness * lambda) / own, p.most);
    var step = next - lambda;
    // What is slack is not damped.
    if DAMPED && next != p.most {
        step -= damped * drift(p) * softness / (own * g);
    }
    push(step * weights.x * p.a, step * weights.y * p.b, step * weights.z * p.c, step * weights.w * p.d);
    return next;
}

// The same of two together: (G + α̃) Δλ = -C - α̃ λ.
fn solve_pair(index: u32, values: Values, lambda: vec2f, damped: f32) -> vec2f {
    let h = params.substep_dt;
    let p = TYPE_equation(index, values, place);
    let q = TYPE_equation(index + 1u, values, place);
    let g = vec2f(weigh(p, p), weigh(q, q));
    let cross = weigh(p, q);
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
    var step = next - lambda;
    if DAMPED {
        let resist = -0.5 * damped * vec2f(drift(p), drift(q)) * softness / (own * g);
        step += select(resist, vec2f(0.0), next == most);
    }
    push(weights.x * (step.x * p.a + step.y * q.a), weights.y * (step.x * p.b + step.y * q.b),
        weights.z * (step.x * p.c + step.y * q.c), weights.w * (step.x * p.d + step.y * q.d));
    return next;
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

// Predicted motion of this substep [m].
fn prediction(particle: u32) -> vec3f {
    if particle == NONE {
        return vec3f(0.0);
    }
    return params.substep_dt * particle_velocities[particle].xyz;
}

fn store(particle: u32, weight: f32, at: vec3f) {
    // What does not move may be in several constraints of one color, and is not written.
    if weight > 0.0 {
        particle_places[particle] = vec4f(at, weight);
    }
}
