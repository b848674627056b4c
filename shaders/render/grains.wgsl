#import "render/chance"
#import "render/lit_ball"
// Grains as lit balls in slightly different colors, at the low level; `render/heaps` at the high one. Six vertex threads stand for a grain, one fragment thread for a pixel
// of it.

// xyz: centre [m]; w: radius [m].
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
// x: particle; y: its kind.
@group(1) @binding(1) var<storage, read> members: array<vec2u>;
// rgb: color of each kind.
@group(1) @binding(2) var<storage, read> colors: array<vec4f>;

// Half of the difference between the brightest and darkest grain, and between the reddest and bluest.
const BRIGHTNESS = 0.28;
const WARMTH = 0.07;
// Of grains: dull, as sand is.
const ROUGHNESS = 0.9;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let member = members[index / 6u];
    let own = chance(member.x);
    let color = colors[member.y].rgb * (1.0 + BRIGHTNESS * own.x + WARMTH * own.y * vec3f(1.0, 0.0, -1.0));
    return ball_vertex(particles[member.x], color, index % 6u);
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    return ball_fragment(in, ROUGHNESS);
}
