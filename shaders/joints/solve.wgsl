#import "common/params"
#import "common/body"
#import "common/joint"
#import "common/control"
#import "common/joint_angles"
// One workgroup per cluster of joint islands, one thread per joint of a color: Gauss-Seidel over the colors, all in one
// dispatch. Friction, drive and limits act on the relative rotation; then each shared particle is a point constraint
// between the rigid states, P = K⁻¹ (x_b - x_a) with K = Σ 1/M + [r]ᵀ I⁻¹ [r].

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> joints: array<Joint>;
@group(1) @binding(3) var<storage, read_write> joint_broken: array<u32>;
@group(1) @binding(4) var<storage, read> clusters: array<Cluster>;
@group(1) @binding(5) var<storage, read> color_starts: array<u32>;
@group(1) @binding(6) var<storage, read_write> control: Control;

const WIDTH: u32 = 32u;

var<private> a: Body;
var<private> b: Body;
var<private> pa: BodyProperties;
var<private> pb: BodyProperties;

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let cluster = clusters[group.x];
    for (var color = 0u; color < cluster.color_count; color++) {
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
    var force = 0.0;
    for (var k = 0u; k < joint.point_count; k++) {
        force += length(pull_together(joint.points[k]));
    }
    let h = params.gravity.w;
    if force > joint.strength.x * h * h {
        joint_broken[i] = 1u;
        atomicAdd(&control.joints_broken, 1u);
    }
    // Immovable bodies are not written: joints of one color may share them.
    if a.center.w != 0.0 { bodies[joint.body_a] = a; }
    if b.center.w != 0.0 { bodies[joint.body_b] = b; }
}

// Turns both bodies by the angular impulse `turning` [kg m² rad] on b; `made` of it becomes velocity.
fn turn_apart(turning: vec3f, made: vec3f) {
    let h = params.gravity.w;
    if a.center.w != 0.0 {
        a = body_moved(a, vec3f(0.0), -inverse_inertia_times(pa, a.rotation, turning), vec3f(0.0),
            -inverse_inertia_times(pa, a.rotation, made), h);
    }
    if b.center.w != 0.0 {
        b = body_moved(b, vec3f(0.0), inverse_inertia_times(pb, b.rotation, turning), vec3f(0.0),
            inverse_inertia_times(pb, b.rotation, made), h);
    }
}

// Angular response of the pair about the unit axis n [1/(kg m²)].
fn angular_weight(n: vec3f) -> f32 {
    var w = 0.0;
    if a.center.w != 0.0 { w += dot(n, inverse_inertia_times(pa, a.rotation, n)); }
    if b.center.w != 0.0 { w += dot(n, inverse_inertia_times(pb, b.rotation, n)); }
    return w;
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

// Clamps the relative rotation to its range. Only the approach is taken out of the velocity: a limit does not bounce.
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
    let approach = max(dot(b.angular_velocity.xyz - a.angular_velocity.xyz, axis), 0.0) * params.gravity.w;
    turn_apart(-axis * min(angle, 0.5) / weight, -axis * min(angle, approach) / weight);
}

fn pull_together(point: JointPoint) -> vec3f {
    let arm_a = rotate(a.rotation, point.local_a.xyz);
    let arm_b = rotate(b.rotation, point.local_b.xyz);
    let gap = (b.center.xyz - a.center.xyz) + arm_b - arm_a;
    let response = point_response(a, pa, arm_a) + point_response(b, pb, arm_b);
    let impulse = inverse(response) * gap;
    let h = params.gravity.w;
    if a.center.w != 0.0 {
        let spin = inverse_inertia_times(pa, a.rotation, cross(arm_a, impulse));
        a = body_moved(a, a.center.w * impulse, spin, a.center.w * impulse, spin, h);
    }
    if b.center.w != 0.0 {
        let spin = inverse_inertia_times(pb, b.rotation, cross(arm_b, -impulse));
        b = body_moved(b, b.center.w * -impulse, spin, b.center.w * -impulse, spin, h);
    }
    return impulse;
}

// Motion of the point per impulse on it, in columns.
fn point_response(body: Body, p: BodyProperties, arm: vec3f) -> mat3x3f {
    if body.center.w == 0.0 {
        return mat3x3f();
    }
    let x = cross(inverse_inertia_times(p, body.rotation, cross(arm, vec3f(1.0, 0.0, 0.0))), arm);
    let y = cross(inverse_inertia_times(p, body.rotation, cross(arm, vec3f(0.0, 1.0, 0.0))), arm);
    let z = cross(inverse_inertia_times(p, body.rotation, cross(arm, vec3f(0.0, 0.0, 1.0))), arm);
    let m = body.center.w;
    return mat3x3f(x + vec3f(m, 0.0, 0.0), y + vec3f(0.0, m, 0.0), z + vec3f(0.0, 0.0, m));
}

// Symmetric positive definite 3x3 by cofactors.
fn inverse(m: mat3x3f) -> mat3x3f {
    let r0 = cross(m[1], m[2]);
    let r1 = cross(m[2], m[0]);
    let r2 = cross(m[0], m[1]);
    return transpose(mat3x3f(r0, r1, r2)) * (1.0 / dot(m[0], r0));
}
