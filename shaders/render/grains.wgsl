// Grains as lit balls in slightly different colors. Six vertex threads stand for a grain, one fragment thread for a pixel
// of it.

#import "render/ball"
#import "render/chance"
#import "render/light"

/// xyz: centre [m]; w: radius [m].
@group(1) @binding(0) var<storage, read> particles: array<vec4<f32>>;
/// x: particle; y: its kind.
@group(1) @binding(1) var<storage, read> members: array<vec2<u32>>;
/// rgb: color of each kind.
@group(1) @binding(2) var<storage, read> colors: array<vec4<f32>>;

/// Half of the difference between the brightest and darkest grain, and between the reddest and bluest.
const BRIGHTNESS = 0.28;
const WARMTH = 0.07;

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) @interpolate(flat) ball: vec4<f32>,
    @location(2) @interpolate(flat) color: vec3<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let member = members[index / 6u];
    let ball = particles[member.x];
    if distance(frame.eye.xyz, ball.xyz) <= ball.w || ball.w <= 0.0 {
        return Fragment(NOWHERE, vec3<f32>(), ball, vec3<f32>());
    }
    let own = chance(member.x);
    let color = colors[member.y].rgb * (1.0 + BRIGHTNESS * own.x + WARMTH * own.y * vec3<f32>(1.0, 0.0, -1.0));
    let position = ball_square(ball, frame.eye.xyz, frame.up.xyz, index % 6u);
    return Fragment(frame.clip_from_world * vec4<f32>(position, 1.0), position, ball, color);
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
    let surface = Surface(hit, normal, normal, in.color, 0.0, 0.9, 1.0, vec3<f32>());
    let clip = frame.clip_from_world * vec4<f32>(hit, 1.0);
    return Drawn(vec4<f32>(displayed(hazed(lit(surface), hit), in.clip.xy), coverage), clip.z / clip.w);
}

struct ShadowFragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
}

@vertex
fn shadow_vertex(@builtin(vertex_index) index: u32) -> ShadowFragment {
    let ball = particles[members[index / 6u].x];
    let place = corner(index % 6u);
    let side = normalize(cross(vec3<f32>(0.0, 0.0, 1.0), frame.sun.xyz));
    let up = cross(frame.sun.xyz, side);
    return ShadowFragment(shadow_clip(ball.xyz + (side * place.x + up * place.y) * max(ball.w, 0.0)), place);
}

@fragment
fn shadow_fragment(in: ShadowFragment) {
    if dot(in.place, in.place) > 1.0 {
        discard;
    }
}
