#import "articulations/spatial"
#import "articulations/way"
// What is kept of each body of a tree of joints while the tree is solved.

// What the joint asks of the body against its parent.
struct NodeRows {
    arm: vec3f,                // from the body's center to the joint [m]
    parent_arm: vec3f,         // from the parent's [m]
    asked: Spatial,            // motion against the parent, as far as it is prescribed
    asked_velocity: Spatial,
    free: mat3x3f,             // projector on the axes about which the body turns freely
    spin: vec3f,               // turn against the parent in this substep by velocity [rad]
    error: vec3f,              // of the motor [rad]
    swing_cushion: vec3f,      // axis times the share of the turn about it that is lost
    twist_cushion: vec3f,
}

// What the parent feels at the joint per motion.
struct Felt {
    inertia: Inertia,
    bias: Spatial,             // impulse if the parent stands still
    bias_velocity: Spatial,
    turn_per_shift: mat3x3f,   // free turn that a motion of the parent's joint takes away
    turn_per_turn: mat3x3f,
    turned: vec3f,             // turn against a parent that stands still [rad]
    turned_velocity: vec3f,
    owed: vec3f,               // angular impulse that the subtree's last answer has cost it [kg m²]
    drive: f32,                // of the motor: impulse per motion
}

struct Answer {
    motion: Spatial,           // of the body about its center
    motion_velocity: Spatial,
    impulse: Spatial,          // on it at the joint
    impulse_velocity: Spatial,
    owed: vec3f,               // angular impulse that this has cost body and parent together [kg m²]
}

// How the joint's point goes along its free ways when the parent moves the joint.
struct Travel {
    gone: vec3f,               // if the parent stands still [m]
    gone_velocity: vec3f,
    per_shift: mat3x3f,        // what a motion of the parent's joint takes away
    per_turn: mat3x3f,
}

// A body in its tree. Children come one after the other, a level below.
struct JointNode {
    joint: u32,                // the joint to the parent, NONE at the root
    body: u32,
    parent: u32,               // node
    first_child: u32,
    child_count: u32,
    side: f32,                 // 1 when the body is the joint's b, -1 when it is a
    held: u32,                 // 1 while the joint is whole
    rows: NodeRows,
    felt: Felt,
    moved: Answer,
    way: Way,                  // where joints travel
    travel: Travel,
    taut: vec3f,               // out of the range whose end holds it in this sweep, as of the body; 0 if none does
    owes: vec3f,               // angular impulse that the answer will have cost [kg m²]
    spare: f32,                // what its motor had left in this iteration, 0 unless it reached what it drives to [kg m²], [kg m]
}
