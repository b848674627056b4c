// Balls drawn as squares: where the corners of the square are from which a ray may meet the ball.

/// Corner `index` (0..6) of the two triangles of a square from -1 to 1.
fn corner(index: u32) -> vec2f {
    return vec2f(f32((0x1au >> index) & 1u), f32((0x34u >> index) & 1u)) * 2.0 - 1.0;
}

/// Corner `index` of a square through the middle of `ball` (xyz: centre; w: radius) that hides it from `eye`, which is
/// outside; two of its sides are level across `up`.
fn ball_square(ball: vec4f, eye: vec3f, up: vec3f, index: u32) -> vec3f {
    let to_eye = eye - ball.xyz;
    let distance = length(to_eye);
    let toward = to_eye / distance;
    let level = cross(up, toward);
    let side = level * inverseSqrt(max(dot(level, level), 1e-20));
    // The outline of a ball seen from near is wider than the ball.
    let reach = 1.05 * ball.w * distance / sqrt(max(distance * distance - ball.w * ball.w, 1e-6 * distance * distance));
    let at = corner(index) * reach;
    return ball.xyz + side * at.x + cross(toward, side) * at.y;
}
