#import "articulations/joint"
#import "common/rotation"
// Swing and twist of a joint's relative rotation, and what of it lies outside the limits.

// An end of a range: the turn in frame a that leads straight over it, and how far that is from here. Turns go along the
// gradients of the angles, so that what turns freely about other axes does not change them.
struct Bound {
    axis: vec3f,               // of unit length, zero where there is no bound
    over: f32,                 // how far beyond it, negative inside [rad]
    way: f32,                  // from the middle of the range to it, 0 where the range is all round [rad]
}

struct Bounds {
    swing: Bound,
    twist: Bound,
}

// Angle from which a range is all round.
const ROUND: f32 = 3.1;

// The nearest bounds. q = swing * twist, the twist about X, the swing with no X.
fn limit_bounds(kind: u32, range: vec4f, q_in: vec4f) -> Bounds {
    let q = q_in * select(1.0, -1.0, q_in.w < 0.0);
    var bounds: Bounds;
    // Half the swing's angle. At a half turn of swing the twist is not defined: leave it alone.
    let cosine = sqrt(q.x * q.x + q.w * q.w);
    if cosine < 0.02 {
        return bounds;
    }
    let twist = vec4f(q.x, 0.0, 0.0, q.w) / cosine;
    let swing = quat_mul(q, quat_conjugate(twist));
    let axis_b = rotate(swing, vec3f(1.0, 0.0, 0.0));
    bounds.twist = twist_bound(range.zw, 2.0 * angle_of(twist.x, twist.w), axis_b);
    if kind == LIMIT_SWING_TWIST {
        bounds.swing = swing_bound(max(range.xy, vec2f(1e-3)), rotation_vector(swing), axis_b);
    }
    return bounds;
}

// The twist follows turns about the middle of the axes, the faster the more they part: its gradient is 1 / length(middle) long.
fn twist_bound(range: vec2f, angle: f32, axis_b: vec3f) -> Bound {
    let middle = (axis_b + vec3f(1.0, 0.0, 0.0)) * 0.5;
    let above = angle - range.y >= range.x - angle;
    let over = select(range.x - angle, angle - range.y, above);
    let round = abs(select(range.x, range.y, above)) > ROUND;
    let size = length(middle);
    return Bound(middle * (select(-1.0, 1.0, above) / size), over * size, select(0.5 * (range.y - range.x) * size, 0.0, round));
}

// Square to the ellipse with half axes r: a knee pushed sideways must not bend because its range is long that way.
fn swing_bound(r: vec2f, v: vec3f, axis_b: vec3f) -> Bound {
    let outside = length(v.yz / r);
    // Around the middle all directions are alike.
    if outside < 0.25 {
        return Bound();
    }
    let slope = vec3f(0.0, v.yz / (r * r) / outside);
    let out = slope / length(slope);
    let bend = length(v);
    let u = v / bend;
    let around = cross(vec3f(1.0, 0.0, 0.0), u);
    let gradient = dot(out, u) * u
        + dot(out, around) * bend / max(length(cross(axis_b, vec3f(1.0, 0.0, 0.0))), 0.05) * cross(axis_b, u);
    let way = 1.0 / (length(slope) * length(gradient));
    return Bound(normalize(gradient), (outside - 1.0) * way, select(way, 0.0, bend > ROUND * outside));
}
