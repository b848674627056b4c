#import "common/rotation"
#import "common/matrix"
// Rotation of a matrix by polar decomposition (paper 5, eq. 11 to 17): A = Q S with S² = AᵀA, whose eigenvectors are found by Jacobi's
// rotations, as sure as the QR algorithm for three rows and shorter.

// Sweeps over the three pairs of axes: each squares what is left beside the diagonal.
const POLAR_SWEEPS: u32 = 5u;
// Part of the largest eigenvalue below which another is rounding.
const POLAR_LEAST: f32 = 1e-7;

// The unit quaternion of Q, near `before`; `before` itself where A tells none.
fn rotation_of(a: mat3x3f, before: vec4f) -> vec4f {
    var m = transpose(a) * a;
    var e = IDENTITY;
    for (var sweep = 0u; sweep < POLAR_SWEEPS; sweep++) {
        e = e * jacobi(&m, 0u, 1u);
        e = e * jacobi(&m, 0u, 2u);
        e = e * jacobi(&m, 1u, 2u);
    }
    let values = vec3f(m[0].x, m[1].y, m[2].z);
    let most = max(values.x, max(values.y, values.z));
    if !(most > 0.0) || min(values.x, min(values.y, values.z)) <= POLAR_LEAST * most {
        return before;
    }
    // M^(-1/2) = E λ^(-1/2) Eᵀ.
    let root = inverseSqrt(values);
    let inverse_root = mat3x3f(e[0] * root.x, e[1] * root.y, e[2] * root.z) * transpose(e);
    let q = a * inverse_root;
    // What is turned inside out is no turn.
    if determinant(q) < 0.0 {
        return before;
    }
    let turned = quaternion_of(q);
    return turned * select(1.0, -1.0, dot(turned, before) < 0.0);
}

// The rotation in the plane of two axes that takes the entry of `m` beside the diagonal away; turns `m`.
fn jacobi(m: ptr<function, mat3x3f>, i: u32, k: u32) -> mat3x3f {
    let beside = (*m)[k][i];
    var g = IDENTITY;
    if abs(beside) < 1e-30 {
        return g;
    }
    let theta = 0.5 * ((*m)[k][k] - (*m)[i][i]) / beside;
    let t = select(-1.0, 1.0, theta >= 0.0) / (abs(theta) + sqrt(1.0 + min(theta * theta, 1e30)));
    let c = inverseSqrt(1.0 + t * t);
    g[i][i] = c;
    g[k][k] = c;
    g[k][i] = t * c;
    g[i][k] = -t * c;
    *m = transpose(g) * *m * g;
    return g;
}

// Of a rotation matrix, by its largest component.
fn quaternion_of(m: mat3x3f) -> vec4f {
    let squares = 0.25 * (vec4f(1.0) + vec4f(m[0].x - m[1].y - m[2].z, m[1].y - m[0].x - m[2].z, m[2].z - m[0].x - m[1].y,
        m[0].x + m[1].y + m[2].z));
    let w = vec4f(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x, 0.0);
    var q: vec4f;
    if squares.w >= max(squares.x, max(squares.y, squares.z)) {
        q = vec4f(w.xyz, 4.0 * squares.w);
    } else if squares.x >= max(squares.y, squares.z) {
        q = vec4f(4.0 * squares.x, m[0].y + m[1].x, m[2].x + m[0].z, w.x);
    } else if squares.y >= squares.z {
        q = vec4f(m[0].y + m[1].x, 4.0 * squares.y, m[1].z + m[2].y, w.y);
    } else {
        q = vec4f(m[2].x + m[0].z, m[1].z + m[2].y, 4.0 * squares.z, w.z);
    }
    return normalize(q);
}
