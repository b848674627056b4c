#import "common/rotation"
#import "queries/target"
// Queries and what they meet.

struct Query {
    origin: vec3f,             // start, or middle [m]
    first_hit: u32,            // its rows in `hits`
    direction: vec3f,          // unit, of a cast
    most: f32,                 // farthest [m]
    rotation: vec4f,
    half: vec3f,               // half extents of a box [m]; zero for others
    radius: f32,               // of a ball or capsule [m], 0 of a ray or point
    axis: vec3f,               // half the axis of a capsule in its own frame [m]
    kinds: u32,                // of things that it meets, a bit for each, and from QUERY_LAYERS on one for the number of their layers
    first_ignored: u32,        // things that it does not meet, in `ignored`
    ignored_count: u32,
    hit_count: u32,            // rows in `hits`
    flags: u32,
    first_piece: u32,          // of its shape, in `query_pieces`; none of a ball, capsule or box
    piece_count: u32,
}

// Bits of kinds below those of layers.
const QUERY_LAYERS: u32 = 16u;

// What a cast begins in counts.
const QUERY_FROM_INSIDE: u32 = 1u;
// All that overlaps is wanted, not the nearest alone.
const QUERY_OVERLAP: u32 = 2u;

// What a query met. The rows of a query are filled from the first on.
struct Hit {
    point: vec3f,              // [m]
    distance: f32,             // [m]
    normal: vec3f,             // unit
    thing: u32,                // NOTHING in an empty row
    part: u32,                 // as of a target
    more: u32,                 // in the first row: 1 when more things overlap than rows can tell
}

fn no_hit() -> Hit {
    return Hit(vec3f(0.0), FAR, vec3f(0.0), NOTHING, NOTHING, 0u);
}

// Whether `a` comes before `b`: no two hits are alike, so that the order in which they are found does not matter.
fn comes_before(a: Hit, b: Hit) -> bool {
    if a.distance != b.distance {
        return a.distance < b.distance;
    }
    return a.thing < b.thing || (a.thing == b.thing && a.part < b.part);
}

// The same query in the frame of something at `position`, turned by `rotation`.
fn seen_from(query: Query, position: vec3f, rotation: vec4f) -> Query {
    var out = query;
    out.origin = rotate_back(rotation, query.origin - position);
    out.direction = rotate_back(rotation, query.direction);
    out.rotation = quat_mul(quat_conjugate(rotation), query.rotation);
    return out;
}
