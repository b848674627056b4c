// Liquids as they are drawn: each particle is an ellipsoid stretched along the liquid around it.

struct Liquid {
    absorption: vec3f, // optical depth of a metre of it, for red, green and blue [1/m]
    radius: f32, // of its particles [m]
    turbidity: f32, // light that a metre of it scatters back [1/m]
}

// An ellipsoid: what the matrix (`diagonal`; `mixed`: xy, xz, yz) makes of a ball of radius 1, moved to `center`.
struct Splat {
    center: vec3f,
    liquid: u32, // whose particle it is; NO_LIQUID to draw nothing
    diagonal: vec3f,
    fill: f32, // volume of the particle over that of the ellipsoid; negative where neighbors all around hide it
    mixed: vec3f,
    foam: f32, // how much air is mixed into it, 0..1: it stays with the particle and fades
}

const NO_LIQUID: u32 = 0xffffffffu;

fn splat_matrix(splat: Splat) -> mat3x3f {
    let d = splat.diagonal;
    let m = splat.mixed;
    return mat3x3f(d.x, m.x, m.y, m.x, d.y, m.z, m.y, m.z, d.z);
}

// Inverse of a symmetric matrix.
fn inverse_of(m: mat3x3f) -> mat3x3f {
    let x = cross(m[1], m[2]);
    return mat3x3f(x, cross(m[2], m[0]), cross(m[0], m[1])) * (1.0 / dot(m[0], x));
}

// The first and last point of `origin` + t `ray` in a ball of radius 1 about 0, as t; the first is greater when the ray
// misses.
fn met(origin: vec3f, ray: vec3f) -> vec2f {
    let scale = 1.0 / dot(ray, ray);
    let middle = -dot(origin, ray) * scale;
    let nearest = origin + middle * ray;
    // From the nearest point, which is small: the usual discriminant would round away the ball.
    let half2 = (1.0 - dot(nearest, nearest)) * scale;
    let half = select(-1.0, sqrt(max(half2, 0.0)), half2 > 0.0);
    return vec2f(middle - half, middle + half);
}
