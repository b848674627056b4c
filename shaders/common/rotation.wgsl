// Unit quaternions (xyzw). Series instead of sin and cos: Vulkan promises those only to 2^-11.

fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

fn rotate_back(q: vec4f, v: vec3f) -> vec3f {
    return rotate(vec4f(-q.xyz, q.w), v);
}

fn quat_mul(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn quat_conjugate(q: vec4f) -> vec4f {
    return vec4f(-q.xyz, q.w);
}

// q turned by the rotation vector v [rad], |v| at most 1: the error of the series is below 1e-8 there.
fn turn(q: vec4f, v: vec3f) -> vec4f {
    let a = dot(v, v);
    let half_sinc = 0.5 - a * (1.0 / 48.0 - a * (1.0 / 3840.0 - a / 645120.0));
    let half_cos = 1.0 - a * (1.0 / 8.0 - a * (1.0 / 384.0 - a / 46080.0));
    return normalize(quat_mul(vec4f(v * half_sinc, half_cos), q));
}

// v no longer than `most`.
fn shortened(v: vec3f, most: f32) -> vec3f {
    let length = length(v);
    return select(v, v * (most / length), length > most);
}
