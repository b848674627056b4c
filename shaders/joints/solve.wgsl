#import "common/params"
#import "common/body"
#import "common/joint_sides"
#import "common/control"
#import "common/joint_angles"
// One workgroup per cluster of joint islands, one thread per joint of a color: Gauss-Seidel over the colors, all in one
// dispatch. Friction, drive and limits act on the relative rotation; then the shared particles are constraints
// between the rigid states: their mean by P = K⁻¹ (x_b - x_a), K = Σ 1/M + [r]ᵀ I⁻¹ [r], and the lever they span.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> joints: array<Joint>;
@group(1) @binding(3) var<storage, read_write> joint_broken: array<u32>;
@group(1) @binding(4) var<storage, read> clusters: array<Cluster>;
@group(1) @binding(5) var<storage, read> color_starts: array<u32>;
@group(1) @binding(6) var<storage, read_write> control: Control;
@group(1) @binding(7) var<storage, read_write> body_shifts: array<Shift>;

const WIDTH: u32 = 32u;
// Fastest return that a passed limit makes [rad/s].
const LIMIT_SPEED: f32 = 1.0;

@compute @workgroup_size(32)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= params.cluster_count {
        return;
    }
    let cluster = clusters[index];
    for (var turn = 0u; turn < params.joint_sweeps * cluster.color_count; turn++) {
        let color = turn % cluster.color_count;
        let first = color_starts[cluster.first_color + color];
        let end = color_starts[cluster.first_color + color + 1u];
        for (var i = first + local; i < end; i += WIDTH) {
            if joint_broken[i] == 0u {
                solve_joint(i);
            }
        }
        // The next color reads bodies that this one moved.
        storageBarrier();
    }
}

fn solve_joint(i: u32) {
    let joint = joints[i];
    a = bodies[joint.body_a];
    b = bodies[joint.body_b];
    if a.center.w == 0.0 && b.center.w == 0.0 {
        return;
    }
    pa = body_properties[joint.body_a];
    pb = body_properties[joint.body_b];
    shift_a = body_shifts[joint.body_a];
    shift_b = body_shifts[joint.body_b];
    mean = JointPoint();
    for (var k = 0u; k < joint.point_count; k++) {
        mean.local_a += joint.points[k].local_a / f32(joint.point_count);
        mean.local_b += joint.points[k].local_b / f32(joint.point_count);
    }
    resist(joint);
    drive(joint);
    limit(joint);
    if joint.point_count > 1u {
        align(joint);
    } else if joint.strength.z != 0.0 {
        square(joint);
    }
    let impulse = pull_together();
    let h = params.gravity.w;
    if length(impulse) > joint.strength.x * h * h {
        joint_broken[i] = 1u;
        atomicAdd(&control.joints_broken, 1u);
    }
    // Immovable bodies are not written: joints of one color may share them.
    if a.center.w != 0.0 {
        bodies[joint.body_a] = a;
        body_shifts[joint.body_a] = shift_a;
    }
    if b.center.w != 0.0 {
        bodies[joint.body_b] = b;
        body_shifts[joint.body_b] = shift_b;
    }
}

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

fn pull_together() -> vec3f {
    let arm_a = rotate(a.rotation, mean.local_a.xyz);
    let arm_b = rotate(b.rotation, mean.local_b.xyz);
    let gap = (b.center.xyz - a.center.xyz) + arm_b - arm_a;
    let stiffness = inverse(point_response(a, pa, arm_a) + point_response(b, pb, arm_b));
    let impulse = stiffness * gap;
    let made = stiffness * (gap - relative_shift(arm_a, arm_b));
    push_apart(Push(impulse, cross(arm_a, impulse), made, cross(arm_a, made)),
        Push(-impulse, -cross(arm_b, impulse), -made, -cross(arm_b, made)));
    return made;
}

// Aligns the frames of a stiff joint, or the axes of a hinge: θ of the pair by (I_a⁻¹ + I_b⁻¹)⁻¹ θ. The shared
// particles of such a joint span a lever; their gaps are this turn and the gap of their mean.
fn align(joint: Joint) {
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
}
