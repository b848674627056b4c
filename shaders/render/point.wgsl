// Points of surfaces that follow particles: what they hang on, and where they are in a frame.

// A weighted mean of four particles.
struct Anchor {
    particles: vec4u, // counted from the first particle of the surface
    weights: vec4f,
    rest: vec4f, // xyz: place in the rest shape [m]
}

struct PlacedPoint {
    position: vec3f,
    strain: f32, // of the edges around it, the one longest or shortest against its rest length: the change over that length
    normal: vec3f, // unit
}
