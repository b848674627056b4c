#import "common/rotation"
#import "queries/query"
#import "surfaces/features"
// Distances between the cores of shapes: a segment (a point where its axis is zero) against another, a box or a triangle. A
// capsule is all within its radius of a segment.

// What stays in place, in its own frame.
struct Core {
    kind: u32,                 // TARGET_BALL: a segment, TARGET_BOX or TARGET_FACE
    a: vec3f,                  // half the axis, half extents or a corner [m]
    b: vec3f,                  // corners [m]
    c: vec3f,
}

// Points of a segment and of a core that are nearest to each other.
struct Pair {
    segment: vec3f,            // [m]
    core: vec3f,
}

// Rounds that halve where on a segment the nearest point is.
const HALVINGS: u32 = 12u;

// For the segment from `middle - axis` to `middle + axis`.
fn nearest_pair(core: Core, middle: vec3f, axis: vec3f) -> Pair {
    if core.kind == TARGET_BOX {
        return segment_and_box(middle, axis, core.a);
    }
    if core.kind == TARGET_FACE {
        return segment_and_face(middle, axis, core);
    }
    return segments(middle, axis, -core.a, core.a);
}

fn segments(middle: vec3f, axis: vec3f, from_end: vec3f, to_end: vec3f) -> Pair {
    let low = middle - axis;
    let high = middle + axis;
    let w = edges_frame(mat4x3f(low, high, from_end, to_end)).weights;
    return Pair(w.x * low + w.y * high, -w.z * from_end - w.w * to_end);
}

fn face_point(p: vec3f, core: Core) -> vec3f {
    let w = corner_frame(mat4x3f(p, core.a, core.b, core.c)).weights;
    return -w.y * core.a - w.z * core.b - w.w * core.c;
}

// The squared distance to a box is convex along the segment: its slope is 0 where it is least.
fn segment_and_box(middle: vec3f, axis: vec3f, half: vec3f) -> Pair {
    var at = 0.0;
    if dot(axis, axis) > 0.0 {
        var low = -1.0;
        var high = 1.0;
        if slope_at(middle, axis, half, low) >= 0.0 {
            at = low;
        } else if slope_at(middle, axis, half, high) <= 0.0 {
            at = high;
        } else {
            for (var k = 0u; k < HALVINGS; k++) {
                let between = 0.5 * (low + high);
                if slope_at(middle, axis, half, between) > 0.0 {
                    high = between;
                } else {
                    low = between;
                }
            }
            // Within a piece the slope is linear.
            let falls = slope_at(middle, axis, half, low);
            let rises = slope_at(middle, axis, half, high);
            at = low + (high - low) * saturate(-falls / max(rises - falls, 1e-30));
        }
    }
    let p = middle + at * axis;
    return Pair(p, clamp(p, -half, half));
}

fn slope_at(middle: vec3f, axis: vec3f, half: vec3f, at: f32) -> f32 {
    let p = middle + at * axis;
    return dot(p - clamp(p, -half, half), axis);
}

fn nearer(pair: Pair, other: Pair) -> Pair {
    let a = pair.segment - pair.core;
    let b = other.segment - other.core;
    if dot(b, b) < dot(a, a) {
        return other;
    }
    return pair;
}

fn segment_and_face(middle: vec3f, axis: vec3f, core: Core) -> Pair {
    let low = middle - axis;
    var pair = Pair(low, face_point(low, core));
    if dot(axis, axis) == 0.0 {
        return pair;
    }
    let high = middle + axis;
    let across = cross(core.b - core.a, core.c - core.a);
    let below = dot(low - core.a, across);
    let above = dot(high - core.a, across);
    if below * above < 0.0 {
        let p = mix(low, high, below / (below - above));
        pair = nearer(pair, Pair(p, face_point(p, core)));
    }
    pair = nearer(pair, Pair(high, face_point(high, core)));
    pair = nearer(pair, segments(middle, axis, core.a, core.b));
    pair = nearer(pair, segments(middle, axis, core.b, core.c));
    return nearer(pair, segments(middle, axis, core.c, core.a));
}

// Where a moving shape meets one in place.
struct Arrival {
    distance: f32,             // along the way [m], FAR for never, BEGAN when they overlap at the start
    normal: vec3f,             // from the one in place
    point: vec3f,              // on it when they meet [m]
}

const BEGAN: f32 = -1.0;

fn never() -> Arrival {
    return Arrival(FAR, vec3f(0.0), vec3f(0.0));
}

// A capsule moves along `way`, a unit vector: it goes as far as the plane between the two lets it, which is never too far, until they touch
// (conservative advancement, Mirtich 1996). The point is on the core.
const MOST_ADVANCES: u32 = 40u;
const TOUCH: f32 = 1e-5;

fn advance(core: Core, middle: vec3f, axis: vec3f, way: vec3f, radius: f32, most: f32) -> Arrival {
    var distance = 0.0;
    var arrival = never();
    for (var k = 0u; k < MOST_ADVANCES; k++) {
        let pair = nearest_pair(core, middle + distance * way, axis);
        let offset = pair.segment - pair.core;
        let length = length(offset);
        let gap = length - radius;
        if k == 0u && gap <= 0.0 {
            arrival.distance = BEGAN;
            return arrival;
        }
        let normal = offset / max(length, 1e-20);
        let closing = -dot(normal, way);
        if closing <= 1e-7 {
            return arrival;
        }
        if gap <= TOUCH || k + 1u == MOST_ADVANCES {
            return Arrival(distance, normal, pair.core);
        }
        distance += gap / closing;
        if distance > most {
            return arrival;
        }
    }
    return arrival;
}
