// A body that the host moves in this frame.
struct HeldPose {
    state: Body,               // with which it begins the frame
    body: u32,
    count: u32,                // of rows, in the first one
    walker: u32,               // body of the walker that takes it along, or NONE
    start: vec3f,              // where that walker's center is expected at the start of the frame [m]
    velocity: vec3f,           // with which it is expected to go on [m/s]
}
