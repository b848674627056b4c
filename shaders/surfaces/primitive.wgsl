#import "surfaces/features"
// Facets: triangles of free particles, and points: particles at the surface of bodies, and free ones of no triangle. Two
// features of theirs that may meet make a pair of four particles: a particle and a triangle, or two edges (paper 4; Lewin
// 2018). Both are convex and apart when a substep begins.

// `triangles` has a row for each primitive: its corners, then bits. A point has its particle three times. Triangles that lie next
// to one another make a leaf of as many, with rows of NONE at its end; after them so do particles of a body. The other points
// are leaves of their own, after all of those.
const LEAF: u32 = 8u;

fn first_primitive(leaf_index: u32, full_leaves: u32) -> u32 {
    return select(LEAF * leaf_index, (LEAF - 1u) * full_leaves + leaf_index, leaf_index >= full_leaves);
}

// Bits of what a primitive answers for, so that no feature is looked at twice: corners 0 1 2, edges 01 12 20.
const OWNS_EDGE: u32 = 8u;
// Bits of a particle of a body, and of the first one of each body.
const OF_BODY: u32 = 64u;
const FIRST_OF_BODY: u32 = 128u;
// Bit of a triangle with a corner that meets nothing because something holds it: bodies do not meet it either.
const FASTENED: u32 = 256u;
// Bit of a triangle that is torn, and of a particle of a body that is gone: it meets nothing any more.
const TORN: u32 = 0x80000000u;

// `leaf_bounds`: center of a box [m] and the largest component of what it reaches until the next search [m]; half its sides with the gap of what is inside [m] and its radius [m]; velocity [m/s] and
// how much what is inside moves apart until the next search [m].
struct Bounds {
    center: vec4f,
    half: vec4f,
    velocity: vec4f,
}

// How far from its center a box reaches in `time` [s], with what is inside [m].
fn reach_of(box: Bounds, time: f32) -> vec3f {
    return box.half.xyz + time * abs(box.velocity.xyz) + box.velocity.w;
}

// `leaf_chains`: the first leaf of each bucket, LARGEST_WORDS, then the next leaf of each. That word is the bits of the
// largest reach of leaves without triangles.
const LARGEST_WORDS: u32 = 1u;

// `leaf_pairs`: the head of a list, then leaves near one another, two a row. `surface_list`: the head of the pairs, then
// numbers, then the head of the pairs of particles of bodies and triangles, which come after the ROOM of the others; then the
// heads of these two lists and of the particles once more, empty when nothing need be bound again, and how often it was.
const LEAF_COUNT: u32 = 4u;
const ROOM: u32 = 5u;          // pairs that fit, and leaves near one another
const CELL_BITS: u32 = 6u;     // cell size of leaves [m]
const LEAF_MASK: u32 = 7u;    // buckets of leaves - 1
const BODY_LIST: u32 = 8u;
const AGAIN: u32 = 12u;
const ROUND: u32 = 23u;
const ROUNDS: u32 = 2u;        // with the pairs that are solved as contacts; solver::step::ROUNDS
const LAST_ROUND: u32 = 5u;    // in which no particle may rely on where another one goes
const LEAF_PAIRS_AT: u32 = 4u;
// `surface_candidates`: the head of a list, then two primitives a row; above the bits of the second one, which of their features.
const CANDIDATES_EACH: u32 = 4u;    // for each pair that fits
const PRIMITIVE_BITS: u32 = 28u;
// Features of two primitives: corner k of the second and the first, 3 + k of the first and the second, edges 6 + 3 k + l.
const CORNER_OF_FIRST: u32 = 3u;
const EDGE_WITH_EDGE: u32 = 6u;

// A body as it was when surfaces were searched.
struct MarkedBody {
    center: vec3f,             // [m]
    radius: f32,               // of its particles, 0 when none is at its surface [m]
    rotation: vec4f,
    velocity: vec3f,           // [m/s]
    age: f32,                  // substeps since
    angular_velocity: vec3f,   // [rad/s]
}

struct SurfacePair {
    particles: vec4u,          // particle and triangle, or two and two; EDGES in the first
    frame: vec4f,              // direction from the second to the first in which they are apart, w: gap to keep [m]
    weights: vec4f,            // of the points that touch, less than 0 on the second; 0 when they do not touch
}

const EDGES: u32 = 0x80000000u;

// How far a particle may stray from the way it was expected to go until surfaces are searched again, in radii; what is finer
// than its particles are large no more than this part of its heights.
const SURFACE_MARGIN: f32 = 0.3;
const SURFACE_MARGIN_PART: f32 = 0.27;
// How many times as far a particle may get before it may have met what the search left out: pairs are listed by their gap and
// by that distance once; half the gap is left.
const REBUILD_MARGIN: f32 = 1.5;
// Gap between surfaces, in radii of their particles.
const THICKNESS: f32 = 0.7;
// Most of the distance at rest that is kept between parts of one object.
const REST_PART: f32 = 0.5;

// Words of `surface_deltas` of a particle: how often it touches, later 1 once its way was cut; sums of displacement, and of the
// part of it that becomes velocity; the part of its way to cut off. In whole numbers the order of a sum does not matter.
const DELTA_WORDS: u32 = 8u;
// First word of the displacement, of its part that becomes velocity, and the word of the truncation.
const DELTA_TOTAL: u32 = 1u;
const DELTA_VELOCITY: u32 = 4u;
const DELTA_TRUNCATION: u32 = 7u;
// After those of all particles the words of a body: how often it touches, sums of impulse over its mass and of their moments
// [m²], then the same of what becomes velocity, the part of its way to cut off, how long it has been held, and 1 when it wakes.
const BODY_DELTA_WORDS: u32 = 16u;
// First words of impulse over mass and of its moment, then of those that become velocity.
const BODY_LINEAR: u32 = 1u;
const BODY_ANGULAR: u32 = 4u;
const BODY_VELOCITY_LINEAR: u32 = 7u;
const BODY_VELOCITY_ANGULAR: u32 = 10u;
const BODY_TRUNCATION: u32 = 13u;
const BODY_TRUNCATED: u32 = 14u;
const BODY_WAKES: u32 = 15u;
// The word after that of the cut: whether it was held in this substep, and in how many before, in a row.
const TRUNCATED_NOW: u32 = 1u;
const TRUNCATED_BEFORE: u32 = 2u;

fn body_words(body: u32, particle_count: u32) -> u32 {
    return DELTA_WORDS * particle_count + BODY_DELTA_WORDS * body;
}

// A displacement of 1 m, and the whole of a way.
const DELTA_SCALE: f32 = 67108864.0;
const TRUNCATION_SCALE: f32 = 1073741824.0;
