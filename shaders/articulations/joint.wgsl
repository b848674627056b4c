// Joints between two bodies: shared particles as points, a frame for limits and drive.

struct Joint {
    body_a: u32,
    body_b: u32,
    point_count: u32,
    limit: u32,
    frame_a: vec4f,            // joint frame in body a, X is the axis
    frame_b: vec4f,
    range: vec4f,              // swing y, swing z, least twist, most twist; hinge: -, -, least, most [rad]
    motor_goal: vec4f,         // rotation of b relative to a in the joint frame
    motor: vec4f,              // compliance [rad/(N m)], most torque [N m]; friction torque [N m]; damping [1/s]
    strength: vec4f,           // breaking force [N]; 1 when driven; 1 when universal; cushion [rad]
    points: array<JointPoint, 4>,
}

struct JointPoint {
    local_a: vec4f,            // [m]
    local_b: vec4f,
}

const LIMIT_NONE: u32 = 0u;
const LIMIT_SWING_TWIST: u32 = 1u;
const LIMIT_HINGE: u32 = 2u;

