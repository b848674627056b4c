// Tubes along particles: what they follow, and the rings of points that they are drawn by.

struct Tube {
    /// Of its middle line.
    first_particle: u32,
    count: u32,
    /// The particles beside them that mark which way it is turned, or NO_GHOST.
    first_ghost: u32,
    /// Its first entry in the table of normals, one for each particle of the line.
    first_normal: u32,
}

const NO_GHOST = 0xffffffffu;
/// Least length that is divided by [m].
const LEAST_LENGTH = 1e-9;

/// A circle of points between the second and the third of four particles of the line.
struct Ring {
    /// Particles of the line; the ends are repeated.
    particles: vec4u,
    /// Normals at the second and the third.
    normals: vec2u,
    /// How far on the way from the second to the third, 0..=1.
    share: f32,
    /// Distance of those two at rest [m].
    rest_length: f32,
    /// Of the circle [m].
    radius: f32,
    /// How far the circle lies before the point between them [m]: in the round ends.
    ahead: f32,
    /// Sine of the angle by which the surface there faces along the tube.
    facing: f32,
    pad: f32,
}
