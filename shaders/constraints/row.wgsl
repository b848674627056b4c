// XPBD on a row of a type: solver::constraints puts the type's name for TYPE, and adds what is constant for it. The including
// kernel tells `slot`, where it keeps how far a row's particle moved, and reads and writes that by `move_of` and `store`.

fn TYPE_solve(row: u32) {
    if TYPE_TEARS && word(row, 0u) == NONE {
        return;
    }
    if TYPE_TEARS {
        softer = select(1.0, 2.0, (word(row, 0u) & HALF) != 0u);
    }
    let on = vec4u(slot(row, 0u), TYPE_slot(row, 1u), TYPE_slot(row, 2u), TYPE_slot(row, 3u));
    let values = Values(TYPE_numbers(row, 0u), TYPE_numbers(row, 4u), TYPE_numbers(row, 8u));
    TYPE_load(row, on);
    // Damping acts once in a substep.
    var damped = 0.0;
    if TYPE_DAMPED && batch.iteration == 0u {
        damped = min(TYPE_number(row, TYPE_VALUES) * params.substep_dt, MOST_DAMPED);
        predicted = Stencil(TYPE_prediction(row, 0u), TYPE_prediction(row, 1u), TYPE_prediction(row, 2u), TYPE_prediction(row, 3u));
    }
    var multipliers = vec4f(0.0);
    // Coarse levels may have said what it bears before the first iteration.
    if TYPE_HEIRS || batch.iteration > 0u {
        multipliers = constraint_multipliers[solved.row + row];
    }
    if TYPE_EQUATIONS == 1u {
        multipliers.x = TYPE_solve_one(0u, values, multipliers.x, damped);
    } else {
        multipliers = vec4f(TYPE_solve_pair(0u, values, multipliers.xy, damped), multipliers.zw);
    }
    if TYPE_EQUATIONS == 3u {
        multipliers.z = TYPE_solve_one(2u, values, multipliers.z, damped);
    } else if TYPE_EQUATIONS == 4u {
        multipliers = vec4f(multipliers.xy, TYPE_solve_pair(2u, values, multipliers.zw, damped));
    }
    if batch.last == 0u {
        constraint_multipliers[solved.row + row] = multipliers;
    }
    store(on.x, weights.x, delta.a);
    if TYPE_PARTICLES > 1u {
        store(on.y, weights.y, delta.b);
    }
    if TYPE_PARTICLES > 2u {
        store(on.z, weights.z, delta.c);
    }
    if TYPE_PARTICLES > 3u {
        store(on.w, weights.w, delta.d);
    }
}

// Where the place of particle k is, of those that the type has.
fn TYPE_slot(row: u32, k: u32) -> u32 {
    if k < TYPE_PARTICLES {
        return slot(row, k);
    }
    return NONE;
}

// Four numbers from the k-th on, of those that the type has.
fn TYPE_numbers(row: u32, k: u32) -> vec4f {
    var four = vec4f(0.0);
    if k < TYPE_VALUES {
        four.x = TYPE_number(row, k);
    }
    if k + 1u < TYPE_VALUES {
        four.y = TYPE_number(row, k + 1u);
    }
    if k + 2u < TYPE_VALUES {
        four.z = TYPE_number(row, k + 2u);
    }
    if k + 3u < TYPE_VALUES {
        four.w = TYPE_number(row, k + 3u);
    }
    return four;
}

// Takes in masses, places and moves.
fn TYPE_load(row: u32, on: vec4u) {
    let a = move_of(on.x);
    origin = start_of(row, 0u);
    weights.x = a.w;
    delta.a = a.xyz;
    place.a = a.xyz;
    if TYPE_PARTICLES > 1u {
        let b = move_of(on.y);
        weights.y = b.w;
        delta.b = b.xyz;
        place.b = (start_of(row, 1u) - origin) + b.xyz;
    }
    if TYPE_PARTICLES > 2u {
        let c = move_of(on.z);
        weights.z = c.w;
        delta.c = c.xyz;
        place.c = (start_of(row, 2u) - origin) + c.xyz;
    }
    if TYPE_PARTICLES > 3u {
        let d = move_of(on.w);
        weights.w = d.w;
        delta.d = d.xyz;
        place.d = (start_of(row, 3u) - origin) + d.xyz;
    }
}

// Number k of a row, after its particles. Those that all rows of the type share stand once, before the others.
fn TYPE_number(row: u32, k: u32) -> f32 {
    let first = solved.first + TYPE_PARTICLES * solved.count;
    if ((TYPE_SHARED >> k) & 1u) != 0u {
        let held = constraint_words[first + k];
        if ((TYPE_SOFT >> k) & 1u) != 0u && (held & OWN_NUMBERS) != 0u {
            return bitcast<f32>(constraint_words[(held & ~OWN_NUMBERS) + row]);
        }
        return bitcast<f32>(held);
    }
    let own = countOneBits(~TYPE_SHARED & ((1u << k) - 1u));
    return bitcast<f32>(constraint_words[first + TYPE_NUMBERS + own * solved.count + row]);
}

// Predicted motion of particle k in this substep [m].
fn TYPE_prediction(row: u32, k: u32) -> vec3f {
    if k >= TYPE_PARTICLES {
        return vec3f(0.0);
    }
    return prediction_of(row, k);
}

// One equation by itself: (g + α̃) Δλ = -C - α̃ λ, g = ∇Cᵀ M⁻¹ ∇C. Returns λ. What α̃ leaves of the motion along ∇C is damped by
// Δλ' = -β ∇C·h v α̃ / ((g + α̃) g), which is not part of λ: it is no force of the rest shape.
fn TYPE_solve_one(index: u32, values: Values, lambda: f32, damped: f32) -> f32 {
    let h = params.substep_dt;
    let p = TYPE_equation(index, values, place);
    let g = weigh(p, p);
    if g <= 0.0 {
        return lambda;
    }
    var softness = p.compliance / (h * h);
    if TYPE_TEARS {
        softness *= softer;
    }
    let own = g + softness;
    let next = min(lambda + params.type_stiffness[TYPE_STIFFNESS / 4u][TYPE_STIFFNESS % 4u] * (-p.value - softness * lambda) / own, p.most);
    var step = next - lambda;
    // What is slack is not damped.
    if TYPE_DAMPED && next != p.most {
        step -= damped * drift(p) * softness / (own * g);
    }
    push(step * weights.x * p.a, step * weights.y * p.b, step * weights.z * p.c, step * weights.w * p.d);
    return next;
}

// The same of two together: (G + α̃) Δλ = -C - α̃ λ.
fn TYPE_solve_pair(index: u32, values: Values, lambda: vec2f, damped: f32) -> vec2f {
    let h = params.substep_dt;
    let p = TYPE_equation(index, values, place);
    let q = TYPE_equation(index + 1u, values, place);
    let g = vec2f(weigh(p, p), weigh(q, q));
    let cross = weigh(p, q);
    var softness = vec2f(p.compliance, q.compliance) / (h * h);
    if TYPE_TEARS {
        softness *= softer;
    }
    let own = g + softness;
    let determinant = own.x * own.y - cross * cross;
    if determinant <= 0.0 || g.x <= 0.0 || g.y <= 0.0 {
        return lambda;
    }
    let right = -vec2f(p.value, q.value) - softness * lambda;
    let delta_lambda = vec2f(right.x * own.y - cross * right.y, right.y * own.x - cross * right.x) / determinant;
    let most = vec2f(p.most, q.most);
    let next = min(lambda + params.type_stiffness[TYPE_STIFFNESS / 4u][TYPE_STIFFNESS % 4u] * delta_lambda, most);
    var step = next - lambda;
    if TYPE_DAMPED {
        let resist = -0.5 * damped * vec2f(drift(p), drift(q)) * softness / (own * g);
        step += select(resist, vec2f(0.0), next == most);
    }
    push(weights.x * (step.x * p.a + step.y * q.a), weights.y * (step.x * p.b + step.y * q.b),
        weights.z * (step.x * p.c + step.y * q.c), weights.w * (step.x * p.d + step.y * q.d));
    return next;
}
