#import "common/joint"
#import "common/rotation"
// Swing and twist of a joint's relative rotation, and what of it lies outside the limits.

// atan2 by a minimax series, about 1e-6 rad: the built-in promises only 4096 ULP.
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

// How far a relative rotation is beyond the range: the least turns that lead back, as rotation vectors in frame a. They point
// along the gradients of the angles, so that what turns freely about other axes does not change them.
struct Excess {
    swing: vec3f,
    twist: vec3f,
}

// q = swing * twist, the twist about X, the swing with no X.
fn limit_excess(kind: u32, range: vec4f, q_in: vec4f) -> Excess {
    let q = q_in * select(1.0, -1.0, q_in.w < 0.0);
    var excess: Excess;
    // Half the swing's angle. At a half turn of swing the twist is not defined: leave it alone.
    let cosine = sqrt(q.x * q.x + q.w * q.w);
    if cosine < 0.02 {
        return excess;
    }
    let twist = vec4f(q.x, 0.0, 0.0, q.w) / cosine;
    let angle = 2.0 * angle_of(twist.x, twist.w);
    let over = angle - clamp(angle, range.z, range.w);
    let swing = quat_mul(q, quat_conjugate(twist));
    // The twist follows turns about the middle of the axes, the faster the more they part: its gradient is 1 / cosine long.
    let axis_b = rotate(swing, vec3f(1.0, 0.0, 0.0));
    excess.twist = (axis_b + vec3f(1.0, 0.0, 0.0)) * (0.5 * over);
    if kind == LIMIT_SWING_TWIST {
        let v = rotation_vector(swing);
        let r = max(range.xy, vec2f(1e-3));
        let outside = length(v.yz / r);
        if outside > 1.0 {
            // Square to the ellipse: a knee pushed sideways must not bend because its range is long that way.
            let slope = vec3f(0.0, v.yz / (r * r) / outside);
            let size = length(slope);
            let out = slope / size;
            let bend = length(v);
            let u = v / bend;
            let around = cross(vec3f(1.0, 0.0, 0.0), u);
            let gradient = dot(out, u) * u
                + dot(out, around) * bend / max(length(cross(axis_b, vec3f(1.0, 0.0, 0.0))), 0.05) * cross(axis_b, u);
            excess.swing = gradient * ((outside - 1.0) / size / dot(gradient, gradient));
        }
    }
    return excess;
}
