#import "queries/core"
#import "queries/piece"
// Cylinders and hulls that move without turning, and a core: by what of both is farthest in a direction (Gilbert, Johnson and Keerthi
// 1988). The including kernel declares `query_corners`.

// Most rounds until they touch.
const ROUNDS: u32 = 32u;
// Rounding leaves them so far apart at most when they touch [m].
const UNSURE: f32 = 1e-4;
// How much farther apart than they are rounding may show them [m]: what passes closely by would go too far otherwise.
const APART_BY_ROUNDING: f32 = 2e-6;
// A triangle is a line when the square of its area is below this part of that of its sides.
const THIN: f32 = 1e-9;

var<private> piece: Piece;     // what moves
// Corners of the difference of both, with those of the core that they are of, and where among them the nearest point is.
var<private> simplex: array<vec3f, 4>;
var<private> simplex_core: array<vec3f, 4>;
var<private> simplex_weights: array<f32, 4>;
var<private> simplex_count: u32;
var<private> simplex_flat: bool; // four corners in a plane
var<private> face_square: f32; // of the nearest point of a face so far [m²]

// The farthest of four corners each.
struct Farthest {
    along: vec4f,
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

// The point of the piece that is farthest along d; `moving` says where it is.
fn farthest_of_piece(moving: Query, d: vec3f) -> vec3f {
    let along = rotate_back(moving.rotation, d);
    var farthest = vec3f(0.0);
    if piece.kind == PIECE_CYLINDER {
        let across = length(along.xz);
        let out = select(vec2f(0.0), along.xz * (piece.radius / across), across > 1e-12);
        farthest = vec3f(out.x, select(-piece.height, piece.height, along.y > 0.0), out.y);
    } else {
        farthest = farthest_corner(along);
    }
    return moving.origin + rotate(moving.rotation, farthest);
}

// Sixteen corners a round: some drivers end the loops of a thread after 65 535 rounds in all.
fn farthest_corner(d: vec3f) -> vec3f {
    var far = Farthest(vec4f(-FAR), vec4f(0.0), vec4f(0.0), vec4f(0.0));
    for (var row = piece.first_row; row < piece.end_row; row += 12u) {
        far = farther(far, row, d);
        far = farther(far, row + 3u, d);
        far = farther(far, row + 6u, d);
        far = farther(far, row + 9u, d);
    }
    let xy = select(vec2u(0u, 2u), vec2u(1u, 3u), far.along.yw > far.along.xz);
    let k = select(xy.x, xy.y, far.along[xy.y] > far.along[xy.x]);
    return vec3f(far.x[k], far.y[k], far.z[k]);
}

fn farther(far: Farthest, row: u32, d: vec3f) -> Farthest {
    let x = query_corners[row];
    let y = query_corners[row + 1u];
    let z = query_corners[row + 2u];
    let along = d.x * x + d.y * y + d.z * z;
    let is_farther = along > far.along;
    return Farthest(max(along, far.along), select(far.x, x, is_farther), select(far.y, y, is_farther),
        select(far.z, z, is_farther));
}

// Half extents of a hull whose middle is at `offset`.
fn extent_of_corners(rotation: vec4f, offset: vec3f) -> vec3f {
    // How far a corner is along each axis of the world, by its own.
    let along_x = rotate_back(rotation, vec3f(1.0, 0.0, 0.0));
    let along_y = rotate_back(rotation, vec3f(0.0, 1.0, 0.0));
    let along_z = rotate_back(rotation, vec3f(0.0, 0.0, 1.0));
    var extent = vec3f(0.0);
    for (var row = piece.first_row; row < piece.end_row; row += 3u) {
        let corners = mat3x4f(query_corners[row], query_corners[row + 1u], query_corners[row + 2u]);
        extent.x = max(extent.x, largest(abs(corners * along_x + offset.x)));
        extent.y = max(extent.y, largest(abs(corners * along_y + offset.y)));
        extent.z = max(extent.z, largest(abs(corners * along_z + offset.z)));
    }
    return extent;
}

fn largest(values: vec4f) -> f32 {
    return max(max(values.x, values.y), max(values.z, values.w));
}

fn farthest_of_core(core: Core, d: vec3f) -> vec3f {
    if core.kind == TARGET_BOX {
        return select(-core.a, core.a, d > vec3f(0.0));
    }
    if core.kind == TARGET_FACE {
        let heights = vec3f(dot(core.a, d), dot(core.b, d), dot(core.c, d));
        let farther = select(core.b, core.c, heights.z > heights.y);
        return select(farther, core.a, heights.x >= max(heights.y, heights.z));
    }
    return select(-core.a, core.a, dot(core.a, d) > 0.0);
}

// From the origin to the nearest point of the simplex, of which only the corners of that point stay; zero inside of it.
fn nearest_of_simplex() -> vec3f {
    simplex_weights = array<f32, 4>(1.0, 0.0, 0.0, 0.0);
    if simplex_count == 2u {
        let at = edge_weight(simplex[0], simplex[1]);
        simplex_weights = array<f32, 4>(1.0 - at, at, 0.0, 0.0);
    } else if simplex_count == 3u {
        let weights = face_weights(simplex[0], simplex[1], simplex[2]);
        simplex_weights = array<f32, 4>(weights.x, weights.y, weights.z, 0.0);
    } else if simplex_count == 4u && !choose_face() {
        return vec3f(0.0);
    }
    keep_corners();
    let a = simplex[0];
    if simplex_count == 1u {
        return a;
    }
    let ab = simplex[1] - a;
    if simplex_count == 2u {
        // Twice: what is far shorter than its corners would lean.
        let square = max(dot(ab, ab), 1e-20);
        let across = a - ab * (dot(a, ab) / square);
        return across - ab * (dot(across, ab) / square);
    }
    let n = cross(ab, simplex[2] - a);
    return n * (dot(a, n) / dot(n, n));
}

// The weight of b in the point of an edge that is nearest to the origin.
fn edge_weight(a: vec3f, b: vec3f) -> f32 {
    let ab = b - a;
    return saturate(-dot(a, ab) / max(dot(ab, ab), 1e-30));
}

fn face_weights(a: vec3f, b: vec3f, c: vec3f) -> vec3f {
    let area = cross(b - a, c - a);
    let longest = max(dot(b - a, b - a), max(dot(c - a, c - a), dot(c - b, c - b)));
    if dot(area, area) > THIN * longest * longest {
        return -corner_frame(mat4x3f(vec3f(0.0), a, b, c)).weights.yzw;
    }
    let on_ab = edge_weight(a, b);
    let on_bc = edge_weight(b, c);
    let on_ca = edge_weight(c, a);
    var weights = vec3f(1.0 - on_ab, on_ab, 0.0);
    var nearest = mix(a, b, on_ab);
    let from_bc = mix(b, c, on_bc);
    if dot(from_bc, from_bc) < dot(nearest, nearest) {
        nearest = from_bc;
        weights = vec3f(0.0, 1.0 - on_bc, on_bc);
    }
    let from_ca = mix(c, a, on_ca);
    if dot(from_ca, from_ca) < dot(nearest, nearest) {
        weights = vec3f(on_ca, 0.0, 1.0 - on_ca);
    }
    return weights;
}

// The weights on the nearest face of four corners; false when the origin is behind all of them.
fn choose_face() -> bool {
    let across = cross(simplex[1] - simplex[0], simplex[2] - simplex[0]);
    let largest = max(max(length(simplex[0]), length(simplex[1])), max(length(simplex[2]), length(simplex[3])));
    simplex_flat = abs(dot(across, simplex[3] - simplex[0])) <= 1e-6 * largest * length(across);
    face_square = FAR;
    try_face(0u, 1u, 2u, 3u);
    try_face(1u, 2u, 3u, 0u);
    try_face(2u, 3u, 0u, 1u);
    try_face(3u, 0u, 1u, 2u);
    return face_square < FAR;
}

// The face of three corners, if the origin is not on the side of the other one.
fn try_face(i: u32, j: u32, k: u32, other: u32) {
    let a = simplex[i];
    let n = cross(simplex[j] - a, simplex[k] - a);
    if !simplex_flat && dot(n, a) * dot(n, simplex[other] - a) < 0.0 {
        return;
    }
    let weights = face_weights(a, simplex[j], simplex[k]);
    let point = weights.x * a + weights.y * simplex[j] + weights.z * simplex[k];
    if dot(point, point) < face_square {
        face_square = dot(point, point);
        simplex_weights[i] = weights.x;
        simplex_weights[j] = weights.y;
        simplex_weights[k] = weights.z;
        simplex_weights[other] = 0.0;
    }
}

// Leaves out the corners without a weight.
fn keep_corners() {
    let count = simplex_count;
    simplex_count = 0u;
    keep_corner(0u, count);
    keep_corner(1u, count);
    keep_corner(2u, count);
    keep_corner(3u, count);
}

fn keep_corner(k: u32, count: u32) {
    let weight = simplex_weights[k];
    simplex_weights[k] = 0.0;
    if k < count && weight > 0.0 {
        simplex[simplex_count] = simplex[k];
        simplex_core[simplex_count] = simplex_core[k];
        simplex_weights[simplex_count] = weight;
        simplex_count += 1u;
    }
}

// How far the piece goes at least until it meets a core, FAR where it passes by: by balls around both.
fn least_way(moving: Query, core: Core, radius: f32) -> f32 {
    let middle = middle_of(core);
    let reach = piece.reach + radius + size_of(core, middle) + TOUCH;
    let offset = moving.origin - middle;
    let along = dot(offset, moving.direction);
    let least = offset - along * moving.direction;
    let rest = reach * reach - dot(least, least);
    if dot(offset, offset) <= reach * reach {
        return 0.0;
    }
    let way = select(FAR, -along - sqrt(max(rest, 0.0)), rest >= 0.0 && along < 0.0);
    if core.kind != TARGET_FACE {
        return way;
    }
    // Nor before the ball around the piece is at the plane of the triangle.
    let across = cross(core.b - core.a, core.c - core.a);
    let n = across * inverseSqrt(max(dot(across, across), 1e-30));
    let height = dot(moving.origin - core.a, n);
    let left = abs(height) - piece.reach - radius - TOUCH;
    let closing = -sign(height) * dot(moving.direction, n);
    return max(way, select(0.0, select(FAR, left / closing, closing > 1e-7), left > 0.0));
}

// As `advance`, of the piece, which is not there before `start`: a simplex of the difference goes along on the way, and what is nearest in
// it says how far (van den Bergen 2004).
fn advance_piece(moving: Query, core: Core, radius: f32, start: f32, most: f32) -> Arrival {
    var there = moving;
    var arrival = Arrival(select(start, BEGAN, start == 0.0), vec3f(0.0), vec3f(0.0));
    // From the core to the piece.
    var offset = moving.origin + start * moving.direction - middle_of(core);
    if dot(offset, offset) == 0.0 {
        offset = vec3f(0.0, 1.0, 0.0);
    }
    arrival.normal = normalize(offset);
    var least = FAR;
    var nearest = FAR;
    simplex_count = 0u;
    for (var k = 0u; k < ROUNDS; k++) {
        there.origin = moving.origin + max(arrival.distance, 0.0) * moving.direction;
        let normal = normalize(offset);
        let of_core = farthest_of_core(core, offset);
        var corner = farthest_of_piece(there, -offset) - of_core;
        let apart = dot(corner, normal) - radius - APART_BY_ROUNDING;
        if apart > 0.0 {
            arrival.normal = normal;
            let closing = -dot(normal, moving.direction);
            let step = apart / max(closing, 1e-7);
            arrival.distance = max(arrival.distance, 0.0) + step;
            if closing <= 1e-7 || arrival.distance > most {
                return never();
            }
            corner += step * moving.direction;
            move_simplex(step * moving.direction);
            least = FAR;
        }
        simplex[simplex_count] = corner;
        simplex_core[simplex_count] = of_core;
        simplex_count += 1u;
        offset = nearest_of_simplex();
        nearest = length(offset);
        // They touch, or rounding has its way.
        if nearest <= radius + TOUCH || nearest >= least {
            break;
        }
        least = nearest;
    }
    if nearest > radius + UNSURE {
        return never();
    }
    // Corners that are not there have no weight.
    arrival.point = simplex_weights[0] * simplex_core[0] + simplex_weights[1] * simplex_core[1]
        + simplex_weights[2] * simplex_core[2] + simplex_weights[3] * simplex_core[3];
    return arrival;
}

fn move_simplex(by: vec3f) {
    simplex[0] += by;
    simplex[1] += by;
    simplex[2] += by;
    simplex[3] += by;
}

fn middle_of(core: Core) -> vec3f {
    return select(vec3f(0.0), (core.a + core.b + core.c) / 3.0, core.kind == TARGET_FACE);
}

// Of the ball around it.
fn size_of(core: Core, middle: vec3f) -> f32 {
    let size = max(distance(core.a, middle), max(distance(core.b, middle), distance(core.c, middle)));
    return select(length(core.a), size, core.kind == TARGET_FACE);
}
