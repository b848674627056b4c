// What a constraint type says of a row: C and its gradient where the row's particles are. Twin: constraints::Equation.

// Positions of a row's particles [m], relative to a point near them; unused places are 0.
struct Stencil {
    a: vec3f,
    b: vec3f,
    c: vec3f,
    d: vec3f,
}

// Numbers of a row, four at a time.
struct Values {
    a: vec4f,
    b: vec4f,
    c: vec4f,
}

// One scalar equation.
struct Equation {
    value: f32,                // C
    compliance: f32,           // α
    most: f32,                 // largest multiplier: 0 for C ≤ 0, huge for C = 0
    a: vec3f,                  // ∇C by particle
    b: vec3f,
    c: vec3f,
    d: vec3f,
}

const UNBOUNDED: f32 = 1e30;
// What is shorter has no direction: far below the step from one f32 to the next of any place in the world [m].
const LEAST_LENGTH: f32 = 1e-12;
// What is shrunk to less of its length has none either [dimensionless].
const LEAST_STRETCH: f32 = 1e-9;

// Direction of `v`, none for a zero vector; w: its length.
fn direction(v: vec3f) -> vec4f {
    let length = length(v);
    return vec4f(v / max(length, LEAST_LENGTH), length);
}
