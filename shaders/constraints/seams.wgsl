// Cloth that tears. Its triangles stay; a vertex splits, and the triangles on one side of it take a spare particle. So which particle
// each corner of a triangle is, `tear_corners`, is all that changes, and everything else follows from it. Corner 3 f + k is corner k
// of face f; an edge goes from a corner to the next one. Twin: scene::seams.

// By corner: it, and the edge that begins there.
struct TearSide {
    most: f32,                 // length at which the edge tears [m]
    across: u32,               // corner at which the edge begins on its other side; HELD or more without one
    vertex: u32,               // index of its vertex while all is whole
    place: u32,                // among the corners of that vertex
    share: f32,                // its mass [kg]
    offset: u32,               // of particles of its object, from their index among the vertices
}

// Particles of objects that tear, the spares of each after its others.
struct TearVertex {
    first: u32,                // corners that may be of it, in `tear_fans`
    count: u32,
    offset: u32,               // its particle, less its index here
    held: u32,                 // 1 when it never splits, or found no spare
}

// How a vertex splits.
struct TearPlan {
    key: u32,                  // how much it should, as bits in order; 0 when it does not
    leaving: u32,              // places of the corners that take another particle
    staying: u32,              // and of those that do not
    given: u32,                // vertex that it gets, CHOSEN while it waits for one, NONE
}

// Whether it splits now, and has what for.
fn is_split(plan: TearPlan) -> bool {
    return plan.key != 0u && plan.given < CHOSEN;
}

// An object that tears.
struct TearFabric {
    first: u32,                // its vertices
    count: u32,
    spare: u32,                // the first spare one
    taken: u32,                // so many of those are in the world
    globals: u32,              // constraints that need it whole, in `tear_globals`
    global_count: u32,
}

// A constraint that follows corners.
struct TearFollower {
    corners: vec4u,
    across: vec2u,             // what the first two are on the other side of the edge between them; HELD or more without one
    first: u32,                // its first word, and how far apart they are
    stride: u32,
    count: u32,                // particles
    mode: u32,                 // when it acts, below
    tear: u32,                 // the edge that it tells of, or NONE
}

const ALWAYS: u32 = 0u;
const PARTED: u32 = 1u;
const WHOLE: u32 = 2u;

const HELD: u32 = 0xfffffffeu;
const CHOSEN: u32 = 0xfffffffeu;
// Of what hangs together by a point: it splits before all else.
const LOOSE: u32 = 0x7f7fffffu;
const MOST_FAN: u32 = 32u;

// The next corner of the same triangle, and the one before.
fn next_corner(corner: u32) -> u32 {
    return select(corner + 1u, corner - 2u, corner % 3u == 2u);
}

fn last_corner(corner: u32) -> u32 {
    return select(corner - 1u, corner + 2u, corner % 3u == 0u);
}
