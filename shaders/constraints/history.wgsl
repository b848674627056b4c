// What a particle was a substep and two before, for the second order (BDF2; paper 2, "Second order methods"):
// v = 4/3 v₀ - 1/3 v₋₁ + 2/3 h a, x = 4/3 x₀ - 1/3 x₋₁ + 2/3 h v. A constraint that moves x by d changes v by d / (2/3 h), and its force
// moves x by (2/3 h)² f / m where the first order has h² f / m: so its mass counts 9/4 times.

struct History {
    place: vec4f,              // x₀ [m]; w: 2 where the substep goes on from the last, 1 where it begins anew, 0 before the first
    velocity: vec4f,           // v₀ [m/s]; w: the substep h that begins there [s]
    place_before: vec4f,       // x₋₁ [m]
    velocity_before: vec4f,    // v₋₁ [m/s]
    left: vec4f,               // where prediction and constraints left it [m]; w: 1 when something else has moved it since
    left_velocity: vec4f,      // how fast they left it [m/s]
}

// Part of a substep by which positions follow velocities.
const SECOND_ORDER_STEP: f32 = 2.0 / 3.0;

// Part of a substep by which the position of a particle follows its velocity in this one.
fn step_of(order: f32) -> f32 {
    return select(1.0, SECOND_ORDER_STEP, order == 2.0);
}
