#import "common/list"
// Lists that the search of surfaces makes: `surface_list`, `leaf_pairs` and `surface_candidates`; `surface_list_again` and
// `surface_list_last` are `surface_list` once more, with all pairs bound or none, for ways that are bound again; `surface_list_end` is
// never run over. Kernels that add to one declare its head with atomics, the others as it is here.

struct SurfaceList {
    pairs: ListHead,           // features of free particles, in `surface_pairs`
    leaf_count: u32,
    room: u32,                 // pairs that fit, and leaves near one another
    cell_size: f32,            // of the hash grid of leaves [m]
    leaf_mask: u32,            // buckets of leaves - 1
    body_pairs: ListHead,      // particles of bodies and triangles, after the room of the others
    particle_groups: vec3u,    // of `ccd/truncate` over all particles, or none
    renewed: u32,              // 1 when surfaces were searched in this substep, after its contacts were solved
    body_groups: vec3u,        // of `ccd/truncate_bodies`
    round: u32,                // how often ways were bound before in this substep
    bound: ListHead,           // `pairs` once ways cross, until then nothing
    bound_bodies: ListHead,    // `body_pairs` once ways cross
    time: f32,                 // for which they were searched [s]
}

// The same where threads add pairs.
struct GrowingSurfaceList {
    pairs: GrowingListHead,
    leaf_count: u32,
    room: u32,
    cell_size: f32,
    leaf_mask: u32,
    body_pairs: GrowingListHead,
    particle_groups: vec3u,
    renewed: u32,
    body_groups: vec3u,
    round: u32,
    bound: ListHead,
    bound_bodies: ListHead,
    time: f32,
}

// The round in which no particle may rely on where another one goes.
const LAST_ROUND: u32 = 2u;

struct LeafPairs {
    head: ListHead,
    leaves: array<vec2u>,      // near one another
}

struct GrowingLeafPairs {
    head: GrowingListHead,
    leaves: array<vec2u>,
}

struct Candidates {
    head: ListHead,
    rows: array<vec2u>,        // two primitives; above PRIMITIVE_BITS of the second one, which of their features
}

struct GrowingCandidates {
    head: GrowingListHead,
    rows: array<vec2u>,
}

// For each pair that fits.
const CANDIDATES_EACH: u32 = 4u;
const PRIMITIVE_BITS: u32 = 28u;
// Features of two primitives: corner k of the second and the first, 3 + k of the first and the second, edges 6 + 3 k + l.
const CORNER_OF_FIRST: u32 = 3u;
const EDGE_WITH_EDGE: u32 = 6u;
