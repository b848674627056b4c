#import "surfaces/features"
// Facets: triangles of free particles, and points: particles at the surface of bodies, and free ones of no triangle. Two
// features of theirs that may meet make a pair of four particles: a particle and a triangle, or two edges (paper 4; Lewin
// 2018). Both are convex and apart when a substep begins.

// A row of `primitives`. Triangles that lie next to one another make a leaf of as many, with rows of NONE at its end; after them
// so do particles of a body. The other points are leaves of their own, after all of those.
struct Primitive {
    corners: vec3u,            // a point has its particle three times
    bits: u32,                 // what it answers for and what it is, below
}

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

// A box about a primitive or a leaf, of `leaf_bounds`.
struct Bounds {
    center: vec3f,             // [m]
    farthest: f32,             // largest component of what a leaf reaches until the next search [m]; of a primitive 1 if it strays
    half: vec3f,               // of its sides, with the gap of what is inside [m]
    radius: f32,               // of the particles inside [m]
    velocity: vec3f,           // [m/s]
    spread: f32,               // how much what is inside moves apart until the next search [m]
}

// How far from its center a box reaches in `time` [s], with what is inside [m].
fn reach_of(box: Bounds, time: f32) -> vec3f {
    return box.half + time * abs(box.velocity) + box.spread;
}

// `leaf_chains`: the first leaf of each bucket, LARGEST_WORDS, then the next leaf of each. That word is the bits of the
// largest reach of leaves without triangles.
const LARGEST_WORDS: u32 = 1u;

// A body as it was when surfaces were searched.
struct MarkedBody {
    center: vec3f,             // [m]
    radius: f32,               // of its particles, 0 when none is at its surface [m]
    rotation: vec4f,
    velocity: vec3f,           // [m/s]
    angular_velocity: vec3f,   // [rad/s]
}

struct SurfacePair {
    particles: vec4u,          // particle and triangle, or two and two; EDGES in the first
    normal: vec3f,             // direction from the second to the first in which they are apart
    gap: f32,                  // to keep [m]
    weights: vec4f,            // of the points that touch, less than 0 on the second; 0 when they do not touch
}

const EDGES: u32 = 0x80000000u;

fn pair_particles(listed: vec4u) -> vec4u {
    return vec4u(listed.x & ~EDGES, listed.yzw);
}

// How far a particle may stray from the way it was expected to go until surfaces are searched again, in radii; what is finer
// than its particles are large no more than this part of its heights.
const SURFACE_MARGIN: f32 = 0.3;
const SURFACE_MARGIN_PART: f32 = 0.27;
// The same of particles of bodies, and of free ones of no triangle, in radii: they meet triangles only, so that few pairs more
// let them stray farther.
const BODY_MARGIN: f32 = 0.45;
const POINT_MARGIN: f32 = 2.0;
// And at most so many of what moves by itself: whatever it strikes may stop it or throw it back.
const FAST_POINT_MARGIN: f32 = 6.0;
// How many times as far a particle may get before surfaces are searched again: pairs are listed by their gap and by that distance
// once; half the gap is left.
const SURFACE_STRAY: f32 = 1.5;
// What strayed before does so again: it alone gets a margin of this many times as much, at most so many times that of the others.
// How much of what it strayed is remembered from one search to the next.
const STRAY_ROOM: f32 = 1.4;
const WIDEST_MARGIN: f32 = 6.0;
const STRAY_KEPT: f32 = 0.9;
// What is farther off than this has not strayed but was put elsewhere [radii].
const FARTHEST_STRAY: f32 = 50.0;
// Gap between surfaces, in radii of their particles.
const THICKNESS: f32 = 0.7;
// Most of the distance at rest that is kept between parts of one object.
const REST_PART: f32 = 0.5;
