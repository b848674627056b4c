#import "common/joint_sides"
// What a joint does to the relative rotation of its bodies: friction, drive, limits, and the axes that it keeps together.

// Fastest return that a passed limit makes [rad/s].
const LIMIT_SPEED: f32 = 1.0;

// Coulomb friction torque and viscous damping against the relative spin.
fn resist(joint: Joint) {
    let h = params.gravity.w;
    let spin = (b.angular_velocity.xyz - a.angular_velocity.xyz) * h;
    let angle = length(spin);
    if angle < 1e-9 || joint.motor.z + joint.motor.w == 0.0 {
        return;
    }
    let turning = turning_about(spin / angle);
    let stopping = angle / turning.weight;
    let damped = stopping * (1.0 - 1.0 / (1.0 + h * joint.motor.w));
    let impulse = -min(stopping, damped + joint.motor.z * h * h);
    turn_apart(turning, impulse, impulse);
}

// XPBD towards the goal: λ = -θ / (w + α/h²), no more than the most torque.
fn drive(joint: Joint) {
    if joint.strength.y == 0.0 {
        return;
    }
    let h = params.gravity.w;
    let frame = quat_mul(a.rotation, joint.frame_a);
    let goal = quat_mul(frame, joint.motor_goal);
    let error = rotation_vector(quat_mul(quat_mul(b.rotation, joint.frame_b), quat_conjugate(goal)));
    let angle = length(error);
    if angle < 1e-9 {
        return;
    }
    let turning = turning_about(error / angle);
    let impulse = -min(angle / (turning.weight + joint.motor.x / (h * h)), joint.motor.y * h * h);
    turn_apart(turning, impulse, impulse);
}

// Clamps the relative rotation to its range. Little more than the approach becomes velocity: a limit does not bounce.
fn limit(joint: Joint) {
    if joint.limit == LIMIT_NONE {
        return;
    }
    let frame = quat_mul(a.rotation, joint.frame_a);
    let relative = quat_mul(quat_conjugate(frame), quat_mul(b.rotation, joint.frame_b));
    let excess = rotate(frame, limit_excess(joint.limit, joint.range, relative));
    let angle = length(excess);
    if angle < 1e-7 {
        return;
    }
    let axis = excess / angle;
    let turning = turning_about(axis);
    let h = params.gravity.w;
    let approach = max(dot(b.angular_velocity.xyz - a.angular_velocity.xyz, axis), 0.0) * h;
    let made = clamp(angle - dot(relative_turn(), axis), 0.0, approach + LIMIT_SPEED * h);
    turn_apart(turning, -min(angle, 0.5) / turning.weight, -made / turning.weight);
}

// Aligns the frames of a stiff joint, or the axes of a hinge: θ of the pair by (I_a⁻¹ + I_b⁻¹)⁻¹ θ. The shared
// particles of such a joint span a lever; their gaps are this turn and the gap of their mean.
// Returns how far the farthest particle was off [m].
fn align(joint: Joint) -> f32 {
    let frame_a = quat_mul(a.rotation, joint.frame_a);
    let frame_b = quat_mul(b.rotation, joint.frame_b);
    var error: vec3f;
    var shift = relative_turn();
    if joint.point_count == 2u {
        let axis = rotate(frame_a, vec3f(1.0, 0.0, 0.0));
        error = cross(axis, rotate(frame_b, vec3f(1.0, 0.0, 0.0)));
        shift -= axis * dot(axis, shift);
    } else {
        error = rotation_vector(quat_mul(frame_b, quat_conjugate(frame_a)));
    }
    let stiffness = inverse(turn_response(a, pa) + turn_response(b, pb));
    let impulse = -(stiffness * error);
    let made = -(stiffness * (error - shift));
    push_apart(Push(vec3f(0.0), -impulse, vec3f(0.0), -made), Push(vec3f(0.0), impulse, vec3f(0.0), made));
    return max(length(error), length(error - shift)) * length(joint.points[0].local_a.xyz - mean.local_a.xyz);
}

// Keeps the Y axis of a's frame square to the Z axis of b's: a universal joint does not twist.
fn square(joint: Joint) {
    let y = rotate(quat_mul(a.rotation, joint.frame_a), vec3f(0.0, 1.0, 0.0));
    let z = rotate(quat_mul(b.rotation, joint.frame_b), vec3f(0.0, 0.0, 1.0));
    let across = cross(y, z);
    let length = length(across);
    // Where the two fall together no turn is better than another.
    if length < 1e-3 {
        return;
    }
    let turning = turning_about(across / length);
    let error = dot(y, z) / length;
    let shift = dot(relative_turn(), turning.axis);
    turn_apart(turning, error / turning.weight, (error + shift) / turning.weight);
}
