#import "common/thread"
#import "queries/tree"
#import "queries/moving"
// One thread per query for what is near: all things that overlap with a shape, or the point nearest to one.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> queries: array<Query>;
@group(1) @binding(1) var<storage, read> ignored: array<u32>;
@group(1) @binding(2) var nodes: texture_2d<u32>;
@group(1) @binding(3) var targets: texture_2d<u32>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read> query_pieces: array<Piece>;
@group(1) @binding(6) var<storage, read> query_corners: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> hits: array<Hit>;

var<private> found: u32;       // rows that are filled
var<private> left_out: bool;   // more things than rows
var<private> touching: bool;   // only what touches the query's shape counts
var<private> shape_hit: Hit;   // the nearest triangle of a shape, in its frame
var<private> inside: bool;     // of the solid that it is in

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = query_of(global_index(id, groups));
    if i >= batch.count {
        return;
    }
    begin(batch.first + i);
    for (var k = 0u; k < query.hit_count; k++) {
        hits[query.first_hit + k] = no_hit();
    }
    found = 0u;
    left_out = false;
    touching = is_overlap();
    walk();
    if left_out {
        hits[query.first_hit].more = 1u;
    }
}

fn is_overlap() -> bool {
    return (query.flags & QUERY_OVERLAP) != 0u;
}

fn turned() {}

// From the middle of the query to each child [m]; of what is around it nothing may be left out, for it may be deep in a thing.
fn ways_to(node: Node) -> vec4f {
    var away = vec4f(0.0);
    var beyond = vec4f(0.0);
    for (var axis = 0u; axis < 3u; axis++) {
        let low = node.origin[axis] + bytes_of(node.low[axis]) * node.scale[axis];
        let high = node.origin[axis] + bytes_of(node.high[axis]) * node.scale[axis];
        let off = max(low - own.origin[axis], own.origin[axis] - high);
        away += max(off, vec4f(0.0)) * max(off, vec4f(0.0));
        beyond = max(beyond, off - reach[axis]);
    }
    let there = bytes_of(node.low.x) <= bytes_of(node.high.x);
    let ways = select(vec4f(FAR), sqrt(away) * (1.0 - SLACK), there & !((beyond > vec4f(0.0)) & vec4<bool>(touching)));
    return select(ways, vec4f(-FAR), ways == vec4f(0.0));
}

// A row for each thing, the nearest first.
fn take(hit: Hit) {
    let first = query.first_hit;
    var old = found;
    for (var k = 0u; k < found; k++) {
        old = select(old, k, hits[first + k].thing == hit.thing);
    }
    let known = old < found;
    let full = !known && found == query.hit_count;
    left_out = left_out || (full && is_overlap());
    // The row that it takes the place of.
    let last = select(old, found - 1u, full);
    if hit.distance > query.most || ((known || full) && !comes_before(hit, hits[first + last])) {
        return;
    }
    var place = last;
    while place > 0u && comes_before(hit, hits[first + max(place, 1u) - 1u]) {
        hits[first + place] = hits[first + place - 1u];
        place -= 1u;
    }
    hits[first + place] = hit;
    found += u32(!known && !full);
    if !is_overlap() {
        best = hits[first].distance;
    }
}

fn meet(t: Target) {
    if is_a(t, TARGET_SHAPE) {
        meet_shape(t);
        return;
    }
    var hit = no_hit();
    var core = Core(t.kind, t.b, vec3f(0.0), vec3f(0.0));
    var rotation = vec4f(0.0, 0.0, 0.0, 1.0);
    var radius = 0.0;
    if is_a(t, TARGET_BOX) {
        rotation = bitcast<vec4f>(t.c);
    }
    let local = seen_from(own, t.a, rotation);
    if is_a(t, TARGET_BALL) {
        radius = bitcast<f32>(t.c.x);
        hit = at_capsule(local.origin, t);
    } else if is_a(t, TARGET_BOX) {
        let at = cuboid_at(t.b, local.origin);
        hit = Hit(local.origin - at.w * at.xyz, at.w, at.xyz, t.thing, NOTHING, 0u);
    } else if is_a(t, TARGET_FACE) {
        // From a corner, where numbers are small.
        core = Core(TARGET_FACE, vec3f(0.0), t.b - t.a, bitcast<vec3f>(t.c.xyz) - t.a);
        hit = at_face(local.origin, core, t.c.w);
    }
    if t.kind == TARGET_ABSENT || (in_shape && !comes_before(hit, shape_hit))
        || (touching && !is_touching(local, core, radius)) {
        return;
    }
    if in_shape {
        shape_hit = hit;
        shape_hit.point += t.a;
        best = hit.distance;
    } else {
        take(Hit(t.a + rotate(rotation, hit.point), hit.distance, rotate(rotation, hit.normal), t.thing, hit.part, 0u));
    }
}

// The nearest point of a capsule about the origin.
fn at_capsule(p: vec3f, t: Target) -> Hit {
    let radius = bitcast<f32>(t.c.x);
    let on_axis = t.b * clamp(dot(p, t.b) / max(dot(t.b, t.b), 1e-30), -1.0, 1.0);
    let away = length(p - on_axis);
    let normal = select(vec3f(0.0, 1.0, 0.0), (p - on_axis) / away, away > 1e-12);
    return Hit(on_axis + radius * normal, away - radius, normal, t.thing, t.c.w, 0u);
}

// The nearest point of a triangle.
fn at_face(p: vec3f, core: Core, part: u32) -> Hit {
    let point = face_point(p, core);
    let away = length(p - point);
    let across = cross(core.b - core.a, core.c - core.a);
    let face = across * inverseSqrt(max(dot(across, across), 1e-30));
    return Hit(point, away, select(face, (p - point) / away, away > 1e-9), NOTHING, part, 0u);
}

fn meet_plane(t: Target) {
    let height = dot(query.origin - t.a, t.b);
    if !touching || dot(farthest_along(query, -t.b) - t.a, t.b) <= 0.0 {
        take(Hit(query.origin - height * t.b, height, t.b, t.thing, NOTHING, 0u));
    }
}

// What is met by its triangles. What has the middle of a piece in a solid overlaps with it wherever its surface is.
fn meet_shape(t: Target) {
    begin_shape(t);
    inside = shape_at(u32(t.b.x), own.origin).w < 0.0;
    var within = inside;
    if PIECES > 0u {
        within = is_in(own, u32(t.b.x));
    }
    touching = is_overlap() && !within;
    // A point deep in a solid is far from its surface; what is passed by is farther still.
    best = select(query.most, 0.5 * FAR, inside);
    shape_hit = no_hit();
}

fn end_shape() {
    touching = is_overlap();
    if shape_hit.part != NOTHING {
        let side = select(1.0, -1.0, inside);
        let rotation = bitcast<vec4f>(shape.c);
        let point = shape.a + rotate(rotation, shape_hit.point);
        let normal = side * rotate(rotation, shape_hit.normal);
        take(Hit(point, side * shape_hit.distance, normal, shape.thing, shape_hit.part, 0u));
    }
}
