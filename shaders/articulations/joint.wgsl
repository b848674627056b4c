// Joints between two bodies: shared particles as points, a frame for limits and drive.

struct Joint {
    body_a: u32,
    body_b: u32,
    turning: u32,              // how it turns
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
    travelling: u32,           // how its points travel
    speed: f32,                // of the motor, b against a: about the axis [rad/s], or along it [m/s]
    least: vec3f,              // places of b's point along the axes of frame a, or x: how far the points are apart [m]
    position: f32,             // of the motor: place along the axis [m]
    most: vec3f,
    yielding: vec3f,           // compliance of these ranges, 0 where they are rigid [m/N]
    response: f32,             // of a muscle: time in which it closes most of what it is off its goal [s]
    goal_spin: vec3f,          // of a muscle: how its goal turns, in frame a; `goal` is where it is when the frame ends [rad/s]
}

// Freely, about one axis, not at all, or not about its axis.
const TURNS: u32 = 0u;
const TURNS_ABOUT_AXIS: u32 = 1u;
const TURNS_NOT: u32 = 2u;
const TURNS_ACROSS: u32 = 3u;

// The points stay together, travel along the axes of frame a, or have a distance.
const TRAVELS_NOT: u32 = 0u;
const TRAVELS_ALONG: u32 = 1u;
const TRAVELS_APART: u32 = 2u;

// What has become of a joint.
struct JointState {
    force: vec3f,              // of body a on body b at their joint, mean over the last frame in which one of them was awake [N]
    broken: u32,
    torque: vec3f,             // about there [N m]
}

// A joint that holds nothing, and one whose bodies come together; 0 are others.
const JOINT_BROKEN: u32 = 1u;
const JOINT_MENDS: u32 = 2u;

// A motor towards a goal, and one to a speed; the same along the axis; and one towards a goal that turns.
const DRIVEN_TO_GOAL: u32 = 1u;
const DRIVEN_AT_SPEED: u32 = 2u;
const DRIVEN_TO_POSITION: u32 = 3u;
const DRIVEN_AT_VELOCITY: u32 = 4u;
const DRIVEN_BY_MUSCLE: u32 = 5u;

const LIMIT_NONE: u32 = 0u;
const LIMIT_SWING_TWIST: u32 = 1u;
const LIMIT_HINGE: u32 = 2u;

