#import "common/rotation"
// Rotation of a matrix, found from a near guess (Müller, Bender, Chentanez, Macklin 2016: A Robust Method to Extract
// the Rotational Part of Deformations). No decomposition, no reflections.

// Rounds of the iteration. Each leaves a part of the turn: four leave 6 % of it for a full body, a quarter for a flat one;
// the next substep starts from there.
const ROTATION_FIT_ROUNDS: u32 = 4u;

// Rotation vector that takes the guess to the rotation of the matrix with these columns [rad], at most about 1.
fn fitted_spin(columns: mat3x3f, guess: vec4f) -> vec3f {
    var q = guess;
    var total = vec3f(0.0);
    for (var round = 0u; round < ROTATION_FIT_ROUNDS; round++) {
        let x = rotate(q, vec3f(1.0, 0.0, 0.0));
        let y = rotate(q, vec3f(0.0, 1.0, 0.0));
        let z = rotate(q, vec3f(0.0, 0.0, 1.0));
        let torque = cross(x, columns[0]) + cross(y, columns[1]) + cross(z, columns[2]);
        let scale = abs(dot(x, columns[0]) + dot(y, columns[1]) + dot(z, columns[2]));
        let spin = shortened(torque / max(scale, 1e-20), 0.5);
        total += spin;
        q = turn(q, spin);
    }
    return shortened(total, 1.0);
}
