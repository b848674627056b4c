#import "common/params"
#import "common/body"
#import "common/joint"
#import "common/response"
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

const WIDTH: u32 = 32u;
// Fastest return that a passed limit makes [rad/s]: it balances the velocity with which the joint answers the turn.
const LIMIT_SPEED: f32 = 10.0;

var<private> a: Body;
var<private> b: Body;
var<private> pa: BodyProperties;
var<private> pb: BodyProperties;

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
    resist(joint);
    drive(joint);
    limit(joint);
    var mean: JointPoint;
    for (var k = 0u; k < joint.point_count; k++) {
        mean.local_a += joint.points[k].local_a / f32(joint.point_count);
        mean.local_b += joint.points[k].local_b / f32(joint.point_count);
    }
    if joint.point_count > 1u {
        align(joint);
    }
    let impulse = pull_together(mean.local_a.xyz, mean.local_b.xyz);
    let h = params.gravity.w;
    if length(impulse) > joint.strength.x * h * h {
        joint_broken[i] = 1u;
        atomicAdd(&control.joints_broken, 1u);
    }
    // Immovable bodies are not written: joints of one color may share them.
    if a.center.w != 0.0 { bodies[joint.body_a] = a; }
    if b.center.w != 0.0 { bodies[joint.body_b] = b; }
}

// Pushes b by `push` and a by its opposite.
fn push_apart(push_a: Push, push_b: Push) {
    if a.center.w != 0.0 { a = body_pushed(a, pa, push_a, params.gravity.w); }
    if b.center.w != 0.0 { b = body_pushed(b, pb, push_b, params.gravity.w); }
}

// Turns b by the angular impulse `turning` [kg m²] and a by its opposite; `made` of it becomes velocity.
fn turn_apart(turning: vec3f, made: vec3f) {
    push_apart(Push(vec3f(0.0), -turning, vec3f(0.0), -made), Push(vec3f(0.0), turning, vec3f(0.0), made));
}

// Angular response of the pair about the unit axis n [1/(kg m²)].
fn angular_weight(n: vec3f) -> f32 {
    return turn_weight(a, pa, n) + turn_weight(b, pb, n);
}

// Coulomb friction torque and viscous damping against the relative spin.
fn resist(joint: Joint) {
    let h = params.gravity.w;
    let spin = (b.angular_velocity.xyz - a.angular_velocity.xyz) * h;
    let angle = length(spin);
    if angle < 1e-9 || joint.motor.z + joint.motor.w == 0.0 {
        return;
    }
    let axis = spin / angle;
    let stopping = angle / angular_weight(axis);
    let damped = stopping * (1.0 - 1.0 / (1.0 + h * joint.motor.w));
    let impulse = -axis * min(stopping, damped + joint.motor.z * h * h);
    turn_apart(impulse, impulse);
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
    let axis = error / angle;
    let impulse = -axis * min(angle / (angular_weight(axis) + joint.motor.x / (h * h)), joint.motor.y * h * h);
    turn_apart(impulse, impulse);
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
    let weight = angular_weight(axis);
    let h = params.gravity.w;
    let approach = max(dot(b.angular_velocity.xyz - a.angular_velocity.xyz, axis), 0.0) * h;
    let made = min(angle, approach + LIMIT_SPEED * h);
    turn_apart(-axis * min(angle, 0.5) / weight, -axis * made / weight);
}

fn pull_together(local_a: vec3f, local_b: vec3f) -> vec3f {
    let arm_a = rotate(a.rotation, local_a);
    let arm_b = rotate(b.rotation, local_b);
    let gap = (b.center.xyz - a.center.xyz) + arm_b - arm_a;
    let impulse = inverse(point_response(a, pa, arm_a) + point_response(b, pb, arm_b)) * gap;
    // Half of how far the centers pass each other in this substep: then angular momentum balances (see contacts).
    let both = a.center.w != 0.0 && b.center.w != 0.0;
    let passing = select(vec3f(0.0), 0.5 * params.gravity.w * (a.velocity.xyz - b.velocity.xyz), both);
    push_apart(Push(impulse, cross(arm_a, impulse), impulse, cross(arm_a + passing, impulse)),
        Push(-impulse, cross(arm_b, -impulse), -impulse, cross(arm_b - passing, -impulse)));
    return impulse;
}

// Aligns the frames of a stiff joint, or the axes of a hinge: θ of the pair by (I_a⁻¹ + I_b⁻¹)⁻¹ θ. The shared
// particles of such a joint span a lever; their gaps are this turn and the gap of their mean.
fn align(joint: Joint) {
    let frame_a = quat_mul(a.rotation, joint.frame_a);
    let frame_b = quat_mul(b.rotation, joint.frame_b);
    var error: vec3f;
    if joint.point_count == 2u {
        error = cross(rotate(frame_a, vec3f(1.0, 0.0, 0.0)), rotate(frame_b, vec3f(1.0, 0.0, 0.0)));
    } else {
        error = rotation_vector(quat_mul(frame_b, quat_conjugate(frame_a)));
    }
    let impulse = -(inverse(turn_response(a, pa) + turn_response(b, pb)) * error);
    turn_apart(impulse, impulse);
}
