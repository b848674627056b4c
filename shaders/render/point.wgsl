// Points of surfaces that follow particles: what they hang on, and where they are in a frame.

/// A weighted mean of four particles.
struct Anchor {
    /// Counted from the first particle of the surface.
    particles: vec4u,
    weights: vec4f,
    /// xyz: place in the rest shape [m].
    rest: vec4f,
}

struct PlacedPoint {
    position: vec3f,
    /// Of the edges around it, the one longest or shortest against its rest length: the change over that length.
    strain: f32,
    /// Unit.
    normal: vec3f,
}
