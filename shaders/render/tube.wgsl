// Tubes along particles: what they follow, and the rings of points that they are drawn by.

struct Tube {
    first_particle: u32, // of its middle line
    count: u32,
    first_ghost: u32, // the particles beside them that mark which way it is turned, or NO_GHOST
    first_normal: u32, // its first entry in the table of normals, one for each particle of the line
}

const NO_GHOST: u32 = 0xffffffffu;
// Least length that is divided by [m].
const LEAST_LENGTH = 1e-9;

// A circle of points between the second and the third of four particles of the line, around the line or a strand beside it.
struct Ring {
    particles: vec4u, // particles of the line; the ends are repeated
    normals: vec2u, // normals at the second and the third
    share: f32, // how far on the way from the second to the third, 0..=1
    rest_length: f32, // distance of those two at rest [m]
    radius: f32, // of the circle [m]
    ahead: f32, // how far the circle lies before the point between them [m]: in the round ends
    facing: f32, // sine of the angle by which the surface there faces along the tube
    first_point: u32,
    beside: vec2f, // where the strand is: along the normal and across it [m]
    sides: u32, // points
    pad: u32,
}
