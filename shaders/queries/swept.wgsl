#import "queries/core"
// A box that moves without turning, and a box or triangle in place: separating axes, and when they stop to separate.

// Directions whose sine to each other is less than this have no cross product to speak of.
const PARALLEL: f32 = 1e-6;
// A face that touches, of the moving box or of the other.
const OF_MOVING: vec2u = vec2u(NOTHING, 0u);
const OF_OTHER: vec2u = vec2u(NOTHING, 1u);
// A face is preferred to edges that touch at the same time, so long after it [m].
const SAME_TIME: f32 = 1e-5;
// Sides that lean less than this lie flat on what they touch.
const FLAT: f32 = 1e-3;
// Rounds of projection that find a point of two faces that touch.
const PROJECTIONS: u32 = 48u;

var<private> swept_enter: f32;
var<private> swept_leave: f32;
var<private> swept_normal: vec3f;  // towards the moving box, of any length
var<private> swept_edges: vec2u;   // the edges that touch, or OF_MOVING or OF_OTHER
var<private> swept_rank: f32;

// The direction of an edge of what is in place.
fn edge_of(core: Core, k: u32) -> vec3f {
    if core.kind == TARGET_BOX {
        return vec3f(f32(k == 0u), f32(k == 1u), f32(k == 2u));
    }
    return select(select(core.a - core.c, core.c - core.b, k == 1u), core.b - core.a, k == 0u);
}

// The extent of what is in place along n.
fn extent_of(core: Core, n: vec3f) -> vec2f {
    if core.kind == TARGET_BOX {
        let half = dot(core.a, abs(n));
        return vec2f(-half, half);
    }
    let heights = vec3f(dot(core.a, n), dot(core.b, n), dot(core.c, n));
    return vec2f(min(heights.x, min(heights.y, heights.z)), max(heights.x, max(heights.y, heights.z)));
}

// Narrows when they overlap to when they do along n; never again where that is not.
fn narrow(moving: Query, core: Core, n: vec3f, edges: vec2u) {
    let half = dot(moving.half, abs(rotate_back(moving.rotation, n)));
    let extent = extent_of(core, n);
    let place = dot(moving.origin, n);
    let speed = dot(moving.direction, n);
    let behind = extent.x - half - place;
    let ahead = extent.y + half - place;
    var enter = -FAR;
    var leave = FAR;
    if abs(speed) > 1e-7 * length(n) {
        enter = select(ahead, behind, speed > 0.0) / speed;
        leave = select(behind, ahead, speed > 0.0) / speed;
    } else if behind > 0.0 || ahead < 0.0 {
        leave = -FAR;
    }
    swept_enter = max(swept_enter, enter);
    let rank = enter + select(0.0, SAME_TIME, edges.x == NOTHING);
    if rank > swept_rank {
        swept_rank = rank;
        swept_normal = select(n, -n, speed > 0.0);
        swept_edges = edges;
    }
    swept_leave = min(swept_leave, leave);
}

// When a box meets what is in place, in its frame: BEGAN or FAR too.
fn sweep_box(moving: Query, core: Core) -> f32 {
    swept_enter = -FAR;
    swept_leave = FAR;
    swept_normal = vec3f(0.0);
    swept_edges = OF_MOVING;
    swept_rank = -FAR;
    for (var i = 0u; i < 3u; i++) {
        let own_edge = rotate(moving.rotation, vec3f(f32(i == 0u), f32(i == 1u), f32(i == 2u)));
        narrow(moving, core, own_edge, OF_MOVING);
        for (var j = 0u; j < 3u; j++) {
            let edge = edge_of(core, j);
            let n = cross(own_edge, edge);
            if dot(n, n) > PARALLEL * dot(edge, edge) {
                narrow(moving, core, n, vec2u(i, j));
            }
        }
        if core.kind == TARGET_BOX {
            narrow(moving, core, edge_of(core, i), OF_OTHER);
        } else if i == 0u {
            narrow(moving, core, cross(core.b - core.a, core.c - core.a), OF_OTHER);
        }
    }
    if swept_leave < max(swept_enter, 0.0) {
        return FAR;
    }
    return select(swept_enter, BEGAN, swept_enter <= 0.0);
}

// The same with where they touch.
fn sweep_and_touch(moving: Query, core: Core, most: f32) -> Arrival {
    let distance = sweep_box(moving, core);
    if distance == BEGAN || distance > most {
        return Arrival(select(FAR, BEGAN, distance == BEGAN), vec3f(0.0), vec3f(0.0));
    }
    var there = moving;
    there.origin += distance * moving.direction;
    let normal = normalize(swept_normal);
    return Arrival(distance, normal, touching_point(there, core, normal));
}

// A point where a box and what is in place touch.
fn touching_point(box: Query, core: Core, normal: vec3f) -> vec3f {
    if swept_edges.x != NOTHING {
        return edges_point(box, core, normal);
    }
    // From the part of the one that is flat on the face of the other.
    var point = deepest(core, normal);
    if swept_edges.y == OF_OTHER.y {
        let local = rotate_back(box.rotation, normal);
        point = box.origin - rotate(box.rotation, box.half * sign(local) * step(vec3f(FLAT), abs(local)));
    }
    for (var k = 0u; k < PROJECTIONS; k++) {
        point = core_point(core, point);
        let inside = clamp(rotate_back(box.rotation, point - box.origin), -box.half, box.half);
        point = box.origin + rotate(box.rotation, inside);
    }
    return core_point(core, point);
}

// The middle of what is farthest along n of what is in place.
fn deepest(core: Core, n: vec3f) -> vec3f {
    if core.kind == TARGET_BOX {
        return core.a * sign(n) * step(vec3f(FLAT), abs(n));
    }
    let heights = vec3f(dot(core.a, n), dot(core.b, n), dot(core.c, n));
    let low = min(heights.x, min(heights.y, heights.z));
    let high = max(heights.x, max(heights.y, heights.z));
    let size = length(core.b - core.a) + length(core.c - core.a);
    let weights = select(vec3f(0.0), vec3f(1.0), heights >= vec3f(max(low, high - FLAT * size)));
    return (weights.x * core.a + weights.y * core.b + weights.z * core.c) / (weights.x + weights.y + weights.z);
}

// The point of what is in place nearest to p.
fn core_point(core: Core, p: vec3f) -> vec3f {
    if core.kind == TARGET_BOX {
        return clamp(p, -core.a, core.a);
    }
    return face_point(p, core);
}

// Where the edges that touch are nearest to each other, on the one in place.
fn edges_point(box: Query, core: Core, normal: vec3f) -> vec3f {
    let i = swept_edges.x;
    let along = vec3f(f32(i == 0u), f32(i == 1u), f32(i == 2u));
    let side = select(vec3f(-1.0), vec3f(1.0), rotate_back(box.rotation, normal) < vec3f(0.0));
    let middle = box.origin + rotate(box.rotation, side * box.half * (1.0 - along));
    let axis = rotate(box.rotation, along * box.half);
    let j = swept_edges.y;
    if core.kind == TARGET_BOX {
        let edge = edge_of(core, j);
        let other = select(vec3f(-1.0), vec3f(1.0), normal > vec3f(0.0)) * core.a * (1.0 - edge);
        return segments(middle, axis, other - edge * core.a, other + edge * core.a).core;
    }
    let start = select(select(core.c, core.b, j == 1u), core.a, j == 0u);
    return segments(middle, axis, start, start + edge_of(core, j)).core;
}
