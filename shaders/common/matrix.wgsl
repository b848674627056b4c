// Matrices of three rows.

const IDENTITY = mat3x3f(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0));

fn diagonal(d: vec3f) -> mat3x3f {
    return mat3x3f(vec3f(d.x, 0.0, 0.0), vec3f(0.0, d.y, 0.0), vec3f(0.0, 0.0, d.z));
}

// a bᵀ; of a unit vector with itself the projector on it.
fn outer(a: vec3f, b: vec3f) -> mat3x3f {
    return mat3x3f(a * b.x, a * b.y, a * b.z);
}
