#import "render/corners"
// Balls drawn as squares: where the corners of the square are from which a ray may meet the ball.

// Squares are so much wider than the outline of their ball: its edge is soft.
const ROOM = 1.05;
// Least part of the squared distance of an eye that is outside the ball: at its surface the square would be endless.
const LEAST_OUTSIDE = 1e-6;
// An eye straight above or below has no level direction across, and the square no size.
const LEAST_LEVEL2 = 1e-20;

// Corner `index` of a square through the middle of `ball` (xyz: centre; w: radius) that hides it from `eye`, which is
// outside; two of its sides are level across `up`.
fn ball_square(ball: vec4f, eye: vec3f, up: vec3f, index: u32) -> vec3f {
    let to_eye = eye - ball.xyz;
    let distance = length(to_eye);
    let toward = to_eye / distance;
    let level = cross(up, toward);
    let side = level * inverseSqrt(max(dot(level, level), LEAST_LEVEL2));
    // The outline of a ball seen from near is wider than the ball.
    let outside = max(distance * distance - ball.w * ball.w, LEAST_OUTSIDE * distance * distance);
    let reach = ROOM * ball.w * distance / sqrt(outside);
    let at = corner(index) * reach;
    return ball.xyz + side * at.x + cross(toward, side) * at.y;
}
