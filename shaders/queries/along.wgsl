#import "queries/query"
// How far a moving shape goes until it may meet a box, and what it meets first. Files that are imported with it: `queries/tree`. The including kernel says
// whether a query begins in a shape: `is_in(query, shape)`.

// Whether it is measured if a query begins in a shape that has triangles. Where all are closed, and what is begun in is only passed
// over, the first triangle tells: it is met from behind.
override INSIDE: u32 = 1u;

// Part of a way by which rounding may make it wrong.
const WAY_SLACK: f32 = 4e-7;

var<private> nearest: Hit;     // so far
var<private> shape_hit: Hit;   // the first triangle of a shape, in its frame; `more`: met from behind
var<private> began_inside: bool; // a triangle of the shape overlaps with the start, or all of it is around it
var<private> inverse: vec3f;   // of the direction

fn turned() {
    inverse = 1.0 / select(own.direction, vec3f(1e-20), abs(own.direction) < vec3f(1e-20));
}

// Along the way of the query to each child [m], FAR when it passes by.
fn ways_to(node: Node) -> vec4f {
    let scale = node.scale * inverse;
    let from_low = (node.origin - reach - own.origin) * inverse;
    let from_high = (node.origin + reach - own.origin) * inverse;
    let back = inverse < vec3f(0.0);
    let near = select(node.low, node.high, back);
    let far = select(node.high, node.low, back);
    let to_near = select(from_low, from_high, back);
    let to_far = select(from_high, from_low, back);
    let enter = max(bytes_of(near.x) * scale.x + to_near.x, bytes_of(near.y) * scale.y + to_near.y);
    let leave = min(bytes_of(far.x) * scale.x + to_far.x, bytes_of(far.y) * scale.y + to_far.y);
    let first = max(max(enter, bytes_of(near.z) * scale.z + to_near.z), vec4f(0.0)) * (1.0 - WAY_SLACK);
    let last = min(leave, bytes_of(far.z) * scale.z + to_far.z) * (1.0 + WAY_SLACK);
    let there = bytes_of(node.low.x) <= bytes_of(node.high.x);
    return select(vec4f(FAR), first, (first <= last) & there);
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
    if hit.distance <= best && comes_before(hit, shape_hit) {
        shape_hit = hit;
        best = hit.distance;
    }
}

// Meets what has triangles.
fn meet_shape(t: Target) {
    begin_shape(t);
    shape_hit = no_hit();
    began_inside = false;
    if INSIDE == 1u && is_in(own, u32(t.b.x)) {
        began_in_shape();
    }
}

// All else in the shape is of no interest then.
fn began_in_shape() {
    began_inside = true;
    best = -FAR;
}

fn end_shape() {
    if began_inside || shape_hit.more != 0u {
        if from_inside() {
            take(at_start(shape.thing, NOTHING));
        }
    } else if shape_hit.part != NOTHING {
        let rotation = bitcast<vec4f>(shape.c);
        let point = shape.a + rotate(rotation, shape_hit.point);
        take(Hit(point, shape_hit.distance, rotate(rotation, shape_hit.normal), shape.thing, shape_hit.part, 0u));
    }
}
