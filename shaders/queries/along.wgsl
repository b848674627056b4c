#import "queries/query"
// How far a moving shape goes until it may meet a box, and what it meets first.

var<private> nearest: Hit;     // so far
var<private> shape_hit: Hit;   // the first triangle of a shape, in its frame
var<private> began_inside: bool; // a triangle of the shape overlaps with the start

// Along the way of the query [m], FAR when it passes by.
fn way_to(q: Query, extent: vec3f, box: Box) -> f32 {
    let slope = select(q.direction, vec3f(1e-20), abs(q.direction) < vec3f(1e-20));
    let a = (box.low - extent - q.origin) / slope;
    let b = (box.high + extent - q.origin) / slope;
    let enter = min(a, b);
    let leave = max(a, b);
    let first = max(max(enter.x, enter.y), max(enter.z, 0.0));
    let last = min(leave.x, min(leave.y, leave.z));
    return select(FAR, first, first <= last && box.low.x <= box.high.x);
}

fn take(hit: Hit) {
    if hit.distance <= query.most && comes_before(hit, nearest) {
        nearest = hit;
        best = hit.distance;
    }
}

// What is met at once.
fn at_start(thing: u32, part: u32) -> Hit {
    return Hit(query.origin, 0.0, -query.direction, thing, part, 0u);
}

fn from_inside() -> bool {
    return (query.flags & QUERY_FROM_INSIDE) != 0u;
}

fn take_face(hit: Hit) {
    if hit.distance <= shape_best && comes_before(hit, shape_hit) {
        shape_hit = hit;
        shape_best = hit.distance;
    }
}

// Meets what has triangles.
fn meet_shape(t: Target) {
    begin_shape(t);
    shape_best = best;
    shape_hit = no_hit();
    let shape = u32(t.b.x);
    began_inside = shape_at(shape, own.origin).w < 0.0;
}

fn end_shape() {
    if began_inside {
        if from_inside() {
            take(at_start(in_shape.thing, NOTHING));
        }
    } else if shape_hit.part != NOTHING {
        let rotation = bitcast<vec4f>(in_shape.c);
        let point = in_shape.a + rotate(rotation, shape_hit.point);
        take(Hit(point, shape_hit.distance, rotate(rotation, shape_hit.normal), in_shape.thing, shape_hit.part, 0u));
    }
}
