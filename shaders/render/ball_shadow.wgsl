#import "render/frame"
#import "render/ball"
// Balls seen from the sun, depth only: each a disc on a square that faces it.

// Square of the least length of a direction across the sun's.
const LEAST_ACROSS2 = 1e-12;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) place: vec2f,
}

// Corner `index` (0..6) of its square.
fn ball_shadow(ball: vec4f, index: u32) -> Fragment {
    let place = corner(index);
    let across = cross(vec3f(0.0, 0.0, 1.0), frame.sun.xyz);
    let side = select(vec3f(1.0, 0.0, 0.0), normalize(across), dot(across, across) > LEAST_ACROSS2);
    let up = cross(frame.sun.xyz, side);
    return Fragment(shadow_clip(ball.xyz + (side * place.x + up * place.y) * max(ball.w, 0.0)), place);
}

@fragment
fn fragment(in: Fragment) {
    if dot(in.place, in.place) > 1.0 {
        discard;
    }
}
