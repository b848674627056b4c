#import "common/body"
#import "render/frame"
// Lines between points that ride on bodies, some pixels wide, over the scene. Six vertex threads stand for one line.

struct Line {
    /// Place in the body's frame, or in the world without a body [m].
    start: vec3f,
    start_body: u32,
    end: vec3f,
    end_body: u32,
    /// Linear colour.
    color: vec3f,
    /// Width [pixels].
    width: f32,
}

@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> joint_lines: array<Line>;

const NO_BODY = 0xffffffffu;

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
    if start.w <= 1e-3 || end.w <= 1e-3 || start.z < 0.0 || end.z < 0.0 {
        return Fragment(NOWHERE, line.color);
    }
    let a = start.xy / start.w * frame.viewport.xy * 0.5;
    let b = end.xy / end.w * frame.viewport.xy * 0.5;
    // A line of no length is a dot: the ends reach half the width beyond the points.
    let span = b - a;
    let along = select(vec2f(1.0, 0.0), span / max(length(span), 1e-6), length(span) > 1e-3) * line.width * 0.5;
    let corner = index % 6u;
    let far = f32((0x1au >> corner) & 1u);
    let side = f32((0x34u >> corner) & 1u) * 2.0 - 1.0;
    let at = mix(a - along, b + along, far) + vec2f(-along.y, along.x) * side;
    return Fragment(vec4f(at * 2.0 * frame.viewport.zw, 0.5, 1.0), line.color);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}
