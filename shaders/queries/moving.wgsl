#import "queries/swept"
#import "queries/convex"
// The shape of a query, a ball, capsule or box or one of pieces, and a core in place, in the frame of that. The including kernel declares
// `query_pieces`.

// Whether the queries of a dispatch have shapes of pieces.
override PIECES: u32 = 0u;
// Threads for each of them. Those side by side wait for one another in long loops, and some drivers end the loops of eight of them after
// 65 535 rounds in all.
const THREADS_EACH: u32 = 8u;

// The query of a thread; none of most where there are pieces.
fn query_of(thread: u32) -> u32 {
    if PIECES == 0u {
        return thread;
    }
    return select(NOTHING, thread / THREADS_EACH, thread % THREADS_EACH == 0u);
}

// A piece of its shape as a query of its own.
fn part_of(moving: Query, k: u32) -> Query {
    piece = query_pieces[moving.first_piece + k];
    var part = moving;
    part.origin += rotate(moving.rotation, piece.position);
    part.rotation = quat_mul(moving.rotation, piece.rotation);
    part.half = piece.half;
    part.radius = piece.radius;
    part.axis = vec3f(0.0, piece.height, 0.0);
    return part;
}

// When it meets all within `radius` of a core, and the point on the core.
fn arrival_at(moving: Query, core: Core, radius: f32, most: f32) -> Arrival {
    if PIECES == 0u {
        return simple_arrival(moving, core, radius, most);
    }
    // What comes from outside meets a closed shape where it faces it.
    let is_back = in_shape && closed && core.kind == TARGET_FACE
        && dot(cross(core.b - core.a, core.c - core.a), moving.direction) > 0.0;
    var first = never();
    for (var k = 0u; k < moving.piece_count && first.distance != BEGAN; k++) {
        let part = part_of(moving, k);
        let start = least_way(part, core, radius);
        var arrival = never();
        if is_back && start > 0.0 {
            continue;
        }
        // What it begins in is at 0, which nothing is nearer than: which of such things counts is told by their order.
        let is_near = start == 0.0 || start < most;
        if is_near && piece.kind == PIECE_SIMPLE {
            arrival = simple_arrival(part, core, radius, most);
        } else if is_near {
            arrival = advance_piece(part, core, radius, start, most);
        }
        if arrival.distance < first.distance {
            first = arrival;
        }
    }
    return first;
}

fn simple_arrival(moving: Query, core: Core, radius: f32, most: f32) -> Arrival {
    let is_box = moving.half.x > 0.0;
    if is_box && core.kind != TARGET_BALL {
        return sweep_and_touch(moving, core, most);
    }
    var other = core;
    var middle = moving.origin;
    var axis = rotate(moving.rotation, moving.axis);
    var way = moving.direction;
    if is_box {
        // Seen from the box, the capsule moves.
        other = Core(TARGET_BOX, moving.half, vec3f(0.0), vec3f(0.0));
        middle = rotate_back(moving.rotation, -moving.origin);
        axis = rotate_back(moving.rotation, core.a);
        way = -rotate_back(moving.rotation, moving.direction);
    }
    var arrival = advance(other, middle, axis, way, moving.radius + radius, most);
    if is_box {
        let point = moving.origin + rotate(moving.rotation, arrival.point) + arrival.distance * moving.direction;
        arrival.normal = -rotate(moving.rotation, arrival.normal);
        arrival.point = point - radius * arrival.normal;
    }
    return arrival;
}

// Whether it touches all within `radius` of a core.
fn is_touching(moving: Query, core: Core, radius: f32) -> bool {
    if PIECES == 0u {
        return is_simple_touching(moving, core, radius);
    }
    for (var k = 0u; k < moving.piece_count; k++) {
        let part = part_of(moving, k);
        if least_way(part, core, radius) > 0.0 {
            continue;
        }
        if piece.kind == PIECE_SIMPLE {
            if is_simple_touching(part, core, radius) {
                return true;
            }
        } else if advance_piece(part, core, radius, 0.0, 0.0).distance == BEGAN {
            return true;
        }
    }
    return false;
}

fn is_simple_touching(moving: Query, core: Core, radius: f32) -> bool {
    let is_box = moving.half.x > 0.0;
    if is_box && core.kind != TARGET_BALL {
        return sweep_box(moving, core) == BEGAN;
    }
    var other = core;
    var middle = moving.origin;
    var along = rotate(moving.rotation, moving.axis);
    if is_box {
        // Seen from the box.
        other = Core(TARGET_BOX, moving.half, vec3f(0.0), vec3f(0.0));
        middle = rotate_back(moving.rotation, -moving.origin);
        along = rotate_back(moving.rotation, core.a);
    }
    let pair = nearest_pair(other, middle, along);
    return distance(pair.segment, pair.core) <= moving.radius + radius;
}

// Its point that is farthest along d, a unit vector.
fn farthest_along(moving: Query, d: vec3f) -> vec3f {
    if PIECES == 0u {
        return simple_farthest(moving, d);
    }
    var farthest = vec3f(0.0);
    var most = -FAR;
    for (var k = 0u; k < moving.piece_count; k++) {
        let part = part_of(moving, k);
        var point = vec3f(0.0);
        if piece.kind == PIECE_SIMPLE {
            point = simple_farthest(part, d);
        } else {
            point = farthest_of_piece(part, d);
        }
        let far = dot(point - moving.origin, d);
        farthest = select(farthest, point, far > most);
        most = max(most, far);
    }
    return farthest;
}

fn simple_farthest(moving: Query, d: vec3f) -> vec3f {
    let axis = rotate(moving.rotation, moving.axis);
    let side = select(vec3f(-1.0), vec3f(1.0), rotate_back(moving.rotation, d) > vec3f(0.0));
    return moving.origin + rotate(moving.rotation, side * moving.half) + axis * sign(dot(axis, d)) + moving.radius * d;
}

// Half extents of a box around its origin.
fn extent_along_axes(moving: Query) -> vec3f {
    if PIECES == 0u {
        return turned_extent(moving.rotation, moving.half) + abs(rotate(moving.rotation, moving.axis)) + moving.radius;
    }
    var extent = vec3f(0.0);
    for (var k = 0u; k < moving.piece_count; k++) {
        let part = part_of(moving, k);
        extent = max(extent, extent_of_piece(part, part.origin - moving.origin));
    }
    return extent;
}

// Of a piece whose middle is at `offset`.
fn extent_of_piece(part: Query, offset: vec3f) -> vec3f {
    if piece.kind == PIECE_HULL {
        return extent_of_corners(part.rotation, offset);
    }
    let axis = rotate(part.rotation, part.axis);
    var round = vec3f(part.radius);
    if piece.kind == PIECE_CYLINDER {
        let along = rotate(part.rotation, vec3f(0.0, 1.0, 0.0));
        round *= sqrt(max(1.0 - along * along, vec3f(0.0)));
    }
    return abs(offset) + turned_extent(part.rotation, part.half) + abs(axis) + round;
}

// Whether the middle of one of its pieces is in a shape, all in the frame of that.
fn is_in(moving: Query, shape_index: u32) -> bool {
    if PIECES == 0u {
        return shape_at(shape_index, moving.origin).w < 0.0;
    }
    for (var k = 0u; k < moving.piece_count; k++) {
        if shape_at(shape_index, part_of(moving, k).origin).w < 0.0 {
            return true;
        }
    }
    return false;
}
