// Corners of triangles and squares that a vertex shader finds by itself.

// Corner `index` (0..3) of a triangle that covers the screen, in clip coordinates.
fn screen_corner(index: u32) -> vec2f {
    return vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
}

// Corner `index` (0..6) of the two triangles of a square from -1 to 1.
fn corner(index: u32) -> vec2f {
    return vec2f(f32((0x1au >> index) & 1u), f32((0x34u >> index) & 1u)) * 2.0 - 1.0;
}
