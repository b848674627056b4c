#import "render/frame"
#import "render/ball"
// The nearest grain at each pixel. Balls are drawn wider than they are, so that those of a heap close up. Six vertex threads stand for
// a grain, one fragment thread for a pixel of it.

// xyz: centre [m]; w: radius [m].
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
// x: particle; y: its kind.
@group(1) @binding(1) var<storage, read> members: array<vec2u>;

// Radius of a ball over that of its grain.
const SWOLLEN = 1.1;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f, // from the eye to the square [m]
    @location(1) @interpolate(flat) ball: vec4f,
    @location(2) @interpolate(flat) index: u32,
}

struct Drawn {
    @location(0) surface: vec2f, // depth as the picture's, and the grain counted from 1
    @builtin(frag_depth) depth: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let grain = particles[members[index / 6u].x];
    let ball = vec4f(grain.xyz, SWOLLEN * grain.w);
    if distance(frame.eye.xyz, ball.xyz) <= ball.w || ball.w <= 0.0 {
        return Fragment(NOWHERE, vec3f(), ball, 0u);
    }
    let position = ball_square(ball, frame.eye.xyz, frame.up.xyz, index % 6u);
    return Fragment(frame.clip_from_world * vec4f(position, 1.0), position - frame.eye.xyz, ball, index / 6u);
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    let ray = normalize(in.ray);
    let from_center = frame.eye.xyz - in.ball.xyz;
    let along = dot(from_center, ray);
    let off = from_center - along * ray;
    let inside2 = in.ball.w * in.ball.w - dot(off, off);
    let away = (-along - sqrt(max(inside2, 0.0))) * dot(ray, frame.forward.xyz);
    if inside2 <= 0.0 || away <= frame.eye.w {
        discard;
    }
    let depth = frame.eye.w / away;
    return Drawn(vec2f(depth, f32(in.index + 1u)), depth);
}
