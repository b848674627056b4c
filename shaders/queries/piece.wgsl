// Convex pieces of the shapes that are asked with.

// A piece in the frame of the shape.
struct Piece {
    position: vec3f,           // its middle [m]
    kind: u32,
    rotation: vec4f,
    half: vec3f,               // half extents of a box [m]; zero for others
    radius: f32,               // of a ball, capsule or cylinder [m]
    height: f32,               // half the axis of a capsule or cylinder [m]
    reach: f32,                // of the ball around its middle [m]
    first_row: u32,            // of a hull: its corners in `query_corners`, three rows for each four: x, y and z
    end_row: u32,
}

const PIECE_SIMPLE: u32 = 0u;  // a ball, capsule or box
const PIECE_CYLINDER: u32 = 1u;
const PIECE_HULL: u32 = 2u;
