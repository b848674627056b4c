// Facets: triangles of free particles, and points: particles at the surface of bodies, and free ones of no triangle. Two
// features of theirs that may meet make a pair of four particles: a particle and a triangle, or two edges (paper 4; Lewin
// 2018). Both are convex and apart when a substep begins.

// `triangles` has a row for each facet: its corners, then bits. A point has its particle three times. Triangles that lie next
// to one another make a patch of as many, with rows of NONE at its end; after them so do particles of a body. The other points
// are patches of their own, after all of those.
const PATCH: u32 = 8u;

fn first_facet(patch_index: u32, full_patches: u32) -> u32 {
    return select(PATCH * patch_index, (PATCH - 1u) * full_patches + patch_index, patch_index >= full_patches);
}

// Bits of what a facet answers for, so that no feature is looked at twice: corners 0 1 2, edges 01 12 20.
const OWNS_EDGE: u32 = 8u;
// Bits of a particle of a body, and of the first one of each body.
const OF_BODY: u32 = 64u;
const FIRST_OF_BODY: u32 = 128u;
// Bit of a triangle with a corner that meets nothing because something holds it: bodies do not meet it either.
const FASTENED: u32 = 256u;
// Bit of a triangle that is torn, and of a particle of a body that is gone: it meets nothing any more.
const TORN: u32 = 0x80000000u;

// `patch_boxes`: center of a box [m]; half its sides with the gap of what is inside [m] and its radius [m]; velocity [m/s] and
// how much what is inside moves apart until the next search [m].
struct Box {
    center: vec4f,
    half: vec4f,
    velocity: vec4f,
}

// `facet_boxes`: the same of a facet, with its center of mass [m] and twice its area along its normal [m²]; of a particle of a
// body, the direction out of it, 0 where there is none.
struct Facet {
    bounds: Box,
    middle: vec4f,
    area: vec4f,
}

// How far from its center a box reaches in `time` [s], with what is inside [m].
fn reach_of(box: Box, time: f32) -> vec3f {
    return box.half.xyz + time * abs(box.velocity.xyz) + box.velocity.w;
}

// `patch_chains`: the first patch of each bucket, LARGEST_WORDS, then the next patch of each. That word is the bits of the
// largest reach of patches without triangles.
const LARGEST_WORDS: u32 = 1u;

// `near_patches`: the head of a list, then patches near one another, two a row. `surface_list`: the head of the pairs, then
// numbers, then the head of the pairs of particles of bodies and triangles, which come after the ROOM of the others; then the
// heads of these two lists and of the particles once more, empty when nothing need be bound again.
const PATCH_COUNT: u32 = 4u;
const ROOM: u32 = 5u;          // pairs that fit, and patches near one another
const CELL_BITS: u32 = 6u;     // cell size of patches [m]
const FACET_MASK: u32 = 7u;    // buckets of patches - 1
const BODY_LIST: u32 = 8u;
const AGAIN: u32 = 12u;
const NEAR_AT: u32 = 4u;
// `surface_candidates`: the head of a list, then two facets a row; above the bits of the second one, which of their features.
const CANDIDATES: u32 = 4u;    // for each pair that fits
const FACET_BITS: u32 = 28u;
// Features of two facets: corner k of the second and the first, 3 + k of the first and the second, edges 6 + 3 k + l.
const CORNER_OF_FIRST: u32 = 3u;
const EDGE_WITH_EDGE: u32 = 6u;

struct SurfacePair {
    particles: vec4u,          // particle and triangle, or two and two; EDGES in the first
    frame: vec4f,              // direction from the second to the first in which they are apart, w: gap to keep [m]
    weights: vec4f,            // of the points that touch, less than 0 on the second; 0 when they do not touch
}

const EDGES: u32 = 0x80000000u;

// How far a particle may stray from the way it was expected to go until surfaces are searched again, in radii.
const STRAY: f32 = 0.3;
// Gap between surfaces, in radii of their particles.
const THICKNESS: f32 = 0.7;
// Most of the distance at rest that is kept between parts of one object.
const REST_PART: f32 = 0.5;

// Words of `triangle_pushes` of a particle: how often it touches, later 1 once its way was cut; sums of displacement, and of the
// part of it that becomes velocity; the part of its way to cut off. In whole numbers the order of a sum does not matter.
const PUSH_WORDS: u32 = 8u;
// After those of all particles the words of a body: how often it touches, sums of impulse over its mass and of their moments
// [m²], then the same of what becomes velocity, the part of its way to cut off, 1 once it was cut, and 1 when it wakes.
const BODY_WORDS: u32 = 16u;
const BODY_CUT: u32 = 13u;
const BODY_WAKES: u32 = 15u;

fn body_words(body: u32, particle_count: u32) -> u32 {
    return PUSH_WORDS * particle_count + BODY_WORDS * body;
}

// A displacement of 1 m, and the whole of a way.
const PUSH_SCALE: f32 = 67108864.0;
const CUT_SCALE: f32 = 1073741824.0;

// Where two features are nearest to each other.
struct Frame {
    normal: vec3f,             // from the second to the first
    distance: f32,             // [m]
    weights: vec4f,            // of the nearest points
}

// Features at the places in the columns.
fn frame_of(at: mat4x3f, edges: bool) -> Frame {
    if edges {
        return edges_frame(at);
    }
    return corner_frame(at);
}

fn corner_frame(at: mat4x3f) -> Frame {
    let ab = at[2] - at[1];
    let ac = at[3] - at[1];
    let ap = at[0] - at[1];
    let bp = at[0] - at[2];
    let area = cross(ab, ac);
    let square = max(dot(area, area), 1e-30);
    let v = dot(cross(ap, ac), area) / square;
    let w = dot(cross(ab, ap), area) / square;
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        let height = dot(ap, area) * inverseSqrt(square);
        let n = area * inverseSqrt(square) * select(1.0, -1.0, height < 0.0);
        return Frame(n, abs(height), vec4f(1.0, v + w - 1.0, -v, -w));
    }
    // The nearest of the three edges.
    let bc = at[3] - at[2];
    let s = clamp(dot(ap, ab) / max(dot(ab, ab), 1e-30), 0.0, 1.0);
    let t = clamp(dot(ap, ac) / max(dot(ac, ac), 1e-30), 0.0, 1.0);
    let u = clamp(dot(bp, bc) / max(dot(bc, bc), 1e-30), 0.0, 1.0);
    var offset = ap - s * ab;
    var weights = vec4f(1.0, s - 1.0, -s, 0.0);
    let from_ac = ap - t * ac;
    if dot(from_ac, from_ac) < dot(offset, offset) {
        offset = from_ac;
        weights = vec4f(1.0, t - 1.0, 0.0, -t);
    }
    let from_bc = bp - u * bc;
    if dot(from_bc, from_bc) < dot(offset, offset) {
        offset = from_bc;
        weights = vec4f(1.0, 0.0, u - 1.0, -u);
    }
    let distance = length(offset);
    return Frame(offset / max(distance, 1e-12), distance, weights);
}

fn edges_frame(at: mat4x3f) -> Frame {
    let d = at[1] - at[0];
    let e = at[3] - at[2];
    let r = at[0] - at[2];
    let dd = max(dot(d, d), 1e-30);
    let ee = max(dot(e, e), 1e-30);
    let de = dot(d, e);
    let dr = dot(d, r);
    let er = dot(e, r);
    let across = dd * ee - de * de;
    var s = 0.0;
    if across > 1e-6 * dd * ee {
        s = clamp((de * er - dr * ee) / across, 0.0, 1.0);
    }
    var t = (de * s + er) / ee;
    let inside = t > 0.0 && t < 1.0;
    if !inside {
        t = clamp(t, 0.0, 1.0);
        s = clamp((de * t - dr) / dd, 0.0, 1.0);
    }
    let offset = r + s * d - t * e;
    let weights = vec4f(1.0 - s, s, t - 1.0, -t);
    if inside && s > 0.0 && s < 1.0 && across > 1e-4 * dd * ee {
        let n = normalize(cross(d, e));
        let height = dot(r, n);
        return Frame(n * select(1.0, -1.0, height < 0.0), abs(height), weights);
    }
    let distance = length(offset);
    return Frame(offset / max(distance, 1e-12), distance, weights);
}

// Heights along a direction: the least of the first feature less the most of the second.
fn apart(heights: vec4f, edges: bool) -> f32 {
    let second = max(heights.z, heights.w);
    if edges {
        return min(heights.x, heights.y) - second;
    }
    return heights.x - max(heights.y, second);
}
