// Bones as the host describes them, and where they are placed in a frame.

struct Bone {
    pivot: vec3f, // the point shared with the parent, in the model's rest pose [m]
    body: u32, // NO_BONE without a body of its own
    rest_center: vec3f, // where the body's centre is in the rest pose [m]
    parent: u32, // NO_BONE for roots
    bend_about: vec3f, // the point that stays in place while the bone bends, in the rest pose [m]
    bend_share: f32, // part of the farther bone's turning, 0 for bones that do not bend
    bend_axis: vec3f, // the only axis of that turning; zero for all
    bend_toward: u32, // the farther bone
}

// world = offset + rotation * rest; the rotation is zero while the bone's body is gone.
struct Placement {
    rotation: vec4f,
    offset: vec3f,
}

const NO_BONE: u32 = 0xffffffffu;
