// Unit quaternions (xyzw) and angles. Series instead of sin, cos and atan2: Vulkan promises those only to an absolute
// 2^-11 and to 4096 ULP, and says nothing of atan2 where y is zero or too small for a normal number.

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

// Angle of the point (x, y) from the x axis, as atan2 [rad]: a minimax series, right to about 1e-6; 0 at the origin.
fn angle_of(y: f32, x: f32) -> f32 {
    let ax = abs(x);
    let ay = abs(y);
    let t = min(ax, ay) / max(max(ax, ay), 1e-30);
    let s = t * t;
    var r = t * (0.99997726 + s * (-0.33262347 + s * (0.19354346 + s * (-0.11643287 + s * (0.05265332 - s * 0.01172120)))));
    r = select(r, 1.57079637 - r, ay > ax);
    r = select(r, 3.14159274 - r, x < 0.0);
    return select(r, -r, y < 0.0);
}

// Rotation vector of q, the short way [rad].
fn rotation_vector(q: vec4f) -> vec3f {
    let short = q * select(1.0, -1.0, q.w < 0.0);
    let length = length(short.xyz);
    let scale = select(2.0, 2.0 * angle_of(length, short.w) / max(length, 1e-20), length > 1e-4);
    return short.xyz * scale;
}

// v no longer than `most`.
fn shortened(v: vec3f, most: f32) -> vec3f {
    let length = length(v);
    return select(v, v * (most / length), length > most);
}
