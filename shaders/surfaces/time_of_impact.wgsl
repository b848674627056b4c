#import "surfaces/primitive"
// Where two features come as near as their gap on the way of a substep, by conservative advancement. The including kernel declares
// `surface_pairs` to be written.

// Steps of the advancement, and how near to the gap is near enough [dimensionless].
const ADVANCES: u32 = 6u;
const NEAR_ENOUGH: f32 = 1.05;

// The frame of that moment, with weights of 0 when they do not.
fn time_of_impact(start: mat4x3f, now: mat4x3f, gap: f32, edges: bool) -> Frame {
    var at = 0.0;
    var frame = frame_of(start, edges);
    for (var k = 0u; k < ADVANCES && frame.distance > NEAR_ENOUGH * gap; k++) {
        let end = separation(frame.normal * now, edges);
        if end >= gap {
            break;
        }
        at += (1.0 - at) * (frame.distance - gap) / (frame.distance - end);
        frame = frame_of(start + (now - start) * at, edges);
    }
    if dot(frame.normal, now * frame.weights) >= gap || frame.distance == 0.0 {
        frame.weights = vec4f(0.0);
    }
    return frame;
}

// Writes the contact of a pair: the frame of that moment. Returns its weights, 0 when they do not touch.
fn update_pair(index: u32, normal: vec3f, gap: f32, start: mat4x3f, now: mat4x3f, edges: bool) -> vec4f {
    var weights = vec4f(0.0);
    // Most are as far apart as ever, in the direction found last.
    if min(separation(normal * start, edges), separation(normal * now, edges)) < gap {
        let frame = time_of_impact(start, now, gap, edges);
        weights = frame.weights;
        surface_pairs[index].normal = frame.normal;
    }
    surface_pairs[index].weights = weights;
    return weights;
}
