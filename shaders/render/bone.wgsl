// Bones as the host describes them, and where they are placed in a frame.

struct Bone {
    /// The point shared with the parent, in the model's rest pose [m].
    pivot: vec3f,
    /// NO_BONE without a body of its own.
    body: u32,
    /// Where the body's centre is in the rest pose [m].
    rest_center: vec3f,
    /// NO_BONE for roots.
    parent: u32,
    /// The point that stays in place while the bone bends, in the rest pose [m].
    bend_about: vec3f,
    /// Part of the farther bone's turning, 0 for bones that do not bend.
    bend_share: f32,
    /// The only axis of that turning; zero for all.
    bend_axis: vec3f,
    /// The farther bone.
    bend_toward: u32,
}

/// world = offset + rotation * rest; the rotation is zero while the bone's body is gone.
struct Placement {
    rotation: vec4f,
    offset: vec3f,
}

const NO_BONE = 0xffffffffu;
