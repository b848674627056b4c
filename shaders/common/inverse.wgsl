// Symmetric positive definite 3x3 by cofactors. The third power of what is small or large is no number any more: a power of two, which
// rounds nothing, makes the largest entry about 1.
fn inverse(given: mat3x3f) -> mat3x3f {
    let largest = max(given[0].x, max(given[1].y, given[2].z));
    let scale = bitcast<f32>(0x7f000000u - (bitcast<u32>(largest) & 0x7f800000u));
    let m = given * scale;
    let r0 = cross(m[1], m[2]);
    let r1 = cross(m[2], m[0]);
    let r2 = cross(m[0], m[1]);
    return transpose(mat3x3f(r0, r1, r2)) * (1.0 / dot(m[0], r0)) * scale;
}
