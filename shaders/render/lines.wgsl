#import "common/body"
#import "render/corners"
#import "render/frame"
// Lines between points that ride on bodies, some pixels wide, over the scene. Six vertex threads stand for one line.

struct Line {
    start: vec3f, // place in the body's frame, or in the world without a body [m]
    start_body: u32,
    end: vec3f,
    end_body: u32,
    color: vec3f, // linear colour
    width: f32, // width [pixels]
}

@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> joint_lines: array<Line>;

const NO_BODY: u32 = 0xffffffffu;
// A line shorter than this is a dot; and what keeps its direction finite [pixels].
const LEAST_LINE = 1e-3;
const LEAST_SPAN = 1e-6;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec3f,
}

fn clip_position(place: vec3f, index: u32) -> vec4f {
    if index == NO_BODY {
        return frame.clip_from_world * vec4f(place, 1.0);
    }
    let body = bodies[index];
    if all(body.rotation == vec4f()) {
        return NOWHERE;
    }
    return frame.clip_from_world * vec4f(body.center + rotate(body.rotation, place), 1.0);
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let line = joint_lines[index / 6u];
    let start = clip_position(line.start, line.start_body);
    let end = clip_position(line.end, line.end_body);
    // Only the near plane matters: a point behind the eye has no direction on screen.
    if start.w <= LEAST_AHEAD || end.w <= LEAST_AHEAD || start.z < 0.0 || end.z < 0.0 {
        return Fragment(NOWHERE, line.color);
    }
    let a = start.xy / start.w * frame.viewport.xy * 0.5;
    let b = end.xy / end.w * frame.viewport.xy * 0.5;
    // A line of no length is a dot: the ends reach half the width beyond the points.
    let span = b - a;
    let along = select(vec2f(1.0, 0.0), span / max(length(span), LEAST_SPAN), length(span) > LEAST_LINE) * line.width * 0.5;
    let place = corner(index % 6u);
    let at = mix(a - along, b + along, 0.5 + 0.5 * place.x) + vec2f(-along.y, along.x) * place.y;
    return Fragment(vec4f(at * 2.0 * frame.viewport.zw, 0.5, 1.0), line.color);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}
