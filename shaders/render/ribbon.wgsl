#import "render/corners"
#import "render/frame"
// Lines some pixels wide that things may hide.

// A line shorter than this has no direction [half pixels].
const LEAST_SPAN = 1e-6;

// Corner `index` (0..6) of a line between two places [m], `width` wide [pixels]; nowhere where an end is not before the eye.
fn ribbon(begin: vec3f, finish: vec3f, width: f32, index: u32) -> vec4f {
    let start = frame.clip_from_world * vec4f(begin, 1.0);
    let end = frame.clip_from_world * vec4f(finish, 1.0);
    if start.w <= LEAST_AHEAD || end.w <= LEAST_AHEAD {
        return NOWHERE;
    }
    let span = (end.xy / end.w - start.xy / start.w) * frame.viewport.xy;
    let aside = vec2f(-span.y, span.x) / max(length(span), LEAST_SPAN) * width;
    let along = corner(index);
    let at = select(start, end, along.x > 0.0);
    return vec4f(at.xy + aside * along.y * frame.viewport.zw * at.w, at.zw);
}
