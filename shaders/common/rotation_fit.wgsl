#import "common/rotation"
#import "common/matrix"
// Rotation of a matrix, found from a near guess (Müller, Bender, Chentanez, Macklin 2016: A Robust Method to Extract
// the Rotational Part of Deformations). No decomposition, no reflections.

// Rounds of the iteration. The article divides the torque by one number, which leaves half of the turn of a full body: what spins would
// lose some of its spin in each substep. Newton's step leaves the square of it.
const ROTATION_FIT_ROUNDS: u32 = 4u;
// Added to the stiffness against turns, whose trace is 2: a line turns freely about itself.
const LEAST_STIFFNESS: f32 = 1e-3;
// Product of the three stiffnesses below which a step may lead away, as with what is turned inside out: the article's is taken there.
const LEAST_PRODUCT: f32 = 1e-4;

// Farthest that a guess is turned [rad].
const MOST_FITTED: f32 = 1.0;

// Rotation vector that takes the guess to the rotation of the matrix with these columns [rad], at most about 1: the sum of its steps, which
// is right to the square of the turn.
fn fitted_spin(columns: mat3x3f, guess: vec4f) -> vec3f {
    var q = guess;
    return fit(columns, &q);
}

// That rotation itself.
fn fitted_rotation(columns: mat3x3f, guess: vec4f) -> vec4f {
    var q = guess;
    let total = fit(columns, &q);
    return select(q, turn(guess, total), length(total) >= MOST_FITTED);
}

fn fit(columns: mat3x3f, rotation: ptr<function, vec4f>) -> vec3f {
    var q = *rotation;
    var total = vec3f(0.0);
    for (var round = 0u; round < ROTATION_FIT_ROUNDS; round++) {
        let x = rotate(q, vec3f(1.0, 0.0, 0.0));
        let y = rotate(q, vec3f(0.0, 1.0, 0.0));
        let z = rotate(q, vec3f(0.0, 0.0, 1.0));
        let torque = cross(x, columns[0]) + cross(y, columns[1]) + cross(z, columns[2]);
        let trace = dot(x, columns[0]) + dot(y, columns[1]) + dot(z, columns[2]);
        let scale = 1.0 / max(abs(trace), 1e-20);
        var spin = torque * scale;
        // How the torque falls with a turn: tr(S) - S, S being the symmetric part of A Rᵀ.
        let turned = scale * (outer(columns[0], x) + outer(columns[1], y) + outer(columns[2], z));
        let s = 0.5 * (turned + transpose(turned));
        let own = scale * trace + LEAST_STIFFNESS;
        let a = vec3f(own, 0.0, 0.0) - s[0];
        let b = vec3f(0.0, own, 0.0) - s[1];
        let c = vec3f(0.0, 0.0, own) - s[2];
        let product = dot(a, cross(b, c));
        if trace > 0.0 && product > LEAST_PRODUCT {
            spin = vec3f(dot(spin, cross(b, c)), dot(spin, cross(c, a)), dot(spin, cross(a, b))) / product;
        }
        spin = shortened(spin, 0.5);
        total += spin;
        q = turn(q, spin);
    }
    *rotation = q;
    return shortened(total, MOST_FITTED);
}
