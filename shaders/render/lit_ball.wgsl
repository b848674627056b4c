#import "render/ball"
#import "render/light"
// Lit balls, each on a square facing the eye on which the ball is found by ray casting.

// Least change of the distance from the middle over a pixel [radii].
const LEAST_CHANGE = 1e-4;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) @interpolate(flat) ball: vec4f,
    @location(2) @interpolate(flat) color: vec3f,
}

struct Drawn {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

// Corner `index` (0..6) of its square; nowhere when the ball has no size or the eye is in it.
fn ball_vertex(ball: vec4f, color: vec3f, index: u32) -> Fragment {
    if distance(frame.eye.xyz, ball.xyz) <= ball.w || ball.w <= 0.0 {
        return Fragment(NOWHERE, vec3f(), ball, color);
    }
    let position = ball_square(ball, frame.eye.xyz, frame.up.xyz, index);
    return Fragment(frame.clip_from_world * vec4f(position, 1.0), position, ball, color);
}

fn ball_fragment(in: Fragment, roughness: f32) -> Drawn {
    let ray = normalize(in.position - frame.eye.xyz);
    let from_center = frame.eye.xyz - in.ball.xyz;
    let along = dot(from_center, ray);
    let away = length(from_center - along * ray) / in.ball.w;
    let coverage = clamp((1.0 - away) / max(fwidth(away), LEAST_CHANGE) + 0.5, 0.0, 1.0);
    if is_bare(coverage) {
        discard;
    }
    let depth = in.ball.w * sqrt(max(1.0 - away * away, 0.0));
    let hit = frame.eye.xyz + (-along - depth) * ray;
    let normal = normalize(hit - in.ball.xyz);
    let surface = Surface(hit, normal, normal, in.color, 0.0, roughness, 1.0, vec3f());
    let clip = frame.clip_from_world * vec4f(hit, 1.0);
    return Drawn(vec4f(displayed(hazed(lit(surface), hit), in.clip.xy), coverage), clip.z / clip.w);
}
