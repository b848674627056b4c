// Particles as balls: each is a square facing the eye (or the sun) on which the ball is found by ray casting.
// Six vertex threads stand for one particle.

#import "common/body"
#import "render/ball"
#import "render/light"

@group(1) @binding(0) var<storage, read> bodies: array<Body>;
/// xyz: centre [m]; w: radius [m].
@group(1) @binding(1) var<storage, read> particles: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> particle_bodies: array<u32>;

const FREE = 0xffffffffu;

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) @interpolate(flat) ball: vec4<f32>,
    @location(2) @interpolate(flat) color: vec3<f32>,
}

/// A colour of its own for each body; free particles are blue.
fn particle_color(body: u32) -> vec3<f32> {
    if body == FREE {
        return vec3<f32>(0.10, 0.34, 0.85);
    }
    let turn = fract(f32(body) * 0.61803399) * 6.2831853;
    let hue = 0.5 + 0.5 * cos(vec3<f32>(turn) + vec3<f32>(0.0, 2.1, 4.2));
    return mix(vec3<f32>(0.22), hue, 0.75) * (0.65 + 0.35 * fract(f32(body) * 0.7548777));
}

fn removed(body: u32) -> bool {
    return body != FREE && all(bodies[min(body, arrayLength(&bodies) - 1u)].rotation == vec4<f32>());
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let ball = particles[index / 6u];
    let body = particle_bodies[index / 6u];
    if distance(frame.eye.xyz, ball.xyz) <= ball.w || ball.w <= 0.0 || removed(body) {
        return Fragment(NOWHERE, vec3<f32>(), ball, vec3<f32>());
    }
    let position = ball_square(ball, frame.eye.xyz, frame.up.xyz, index % 6u);
    return Fragment(frame.clip_from_world * vec4<f32>(position, 1.0), position, ball, particle_color(body));
}

struct Drawn {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    let ray = normalize(in.position - frame.eye.xyz);
    let from_center = frame.eye.xyz - in.ball.xyz;
    let along = dot(from_center, ray);
    let away = length(from_center - along * ray) / in.ball.w;
    let coverage = clamp((1.0 - away) / max(fwidth(away), 1e-4) + 0.5, 0.0, 1.0);
    if coverage <= 0.0 {
        discard;
    }
    let depth = in.ball.w * sqrt(max(1.0 - away * away, 0.0));
    let hit = frame.eye.xyz + (-along - depth) * ray;
    let normal = normalize(hit - in.ball.xyz);
    let surface = Surface(hit, normal, normal, in.color, 0.0, 0.55, 1.0, vec3<f32>());
    let clip = frame.clip_from_world * vec4<f32>(hit, 1.0);
    return Drawn(vec4<f32>(displayed(hazed(lit(surface), hit), in.clip.xy), coverage), clip.z / clip.w);
}

struct ShadowFragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
}

@vertex
fn shadow_vertex(@builtin(vertex_index) index: u32) -> ShadowFragment {
    let ball = particles[index / 6u];
    let place = corner(index % 6u);
    if removed(particle_bodies[index / 6u]) {
        return ShadowFragment(NOWHERE, place);
    }
    let side = normalize(cross(vec3<f32>(0.0, 0.0, 1.0), frame.sun.xyz));
    let up = cross(frame.sun.xyz, side);
    return ShadowFragment(shadow_clip(ball.xyz + (side * place.x + up * place.y) * ball.w), place);
}

@fragment
fn shadow_fragment(in: ShadowFragment) {
    if dot(in.place, in.place) > 1.0 {
        discard;
    }
}
