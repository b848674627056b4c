// Joints between two bodies: shared particles as points, a frame for limits and drive.

struct Joint {
    body_a: u32,
    body_b: u32,
    point_count: u32,
    limit: u32,
    frame_a: vec4f,            // joint frame in body a, X is the axis
    frame_b: vec4f,
    range: vec4f,              // swing y, swing z, least twist, most twist; hinge: -, -, least, most [rad]
    goal: vec4f,               // of the motor: rotation of b relative to a in the joint frame
    middle_a: vec3f,           // of the points in body a [m]
    lever: f32,                // from there to the first of them [m]
    middle_b: vec3f,
    cushion: f32,              // way before a limit that resists [rad]
    compliance: f32,           // of the motor [rad/(N m)]
    most_torque: f32,          // of the motor [N m]
    friction: f32,             // torque [N m]
    damping: f32,              // [1/s]
    break_force: f32,          // [N]
    driven: u32,               // how its motor drives it
    universal: u32,
    speed: f32,                // of the motor: about the axis, b against a [rad/s]
}

// A motor towards a goal, and one to a speed.
const DRIVEN_TO_GOAL: u32 = 1u;
const DRIVEN_AT_SPEED: u32 = 2u;

const LIMIT_NONE: u32 = 0u;
const LIMIT_SWING_TWIST: u32 = 1u;
const LIMIT_HINGE: u32 = 2u;

