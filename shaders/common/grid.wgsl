#import "common/row"
// Hash grid (Teschner et al. 2003) over proxies: balls around a few particles of one body, or single free particles.

struct Proxy {
    local: vec4f,              // center in the body's frame [m]; w: reach, over the surface its particles stand for [m]
    body: u32,                 // NONE for a free particle
    particle: u32,             // the free particle, NONE for a body's proxy
    phase: u32,
}

// `sorted_proxies`: two rows of a texture for each proxy, by bucket, then id.
struct SortedProxy {
    position: vec4f,           // [m]; w: reach and margin [m]
    proxy: u32,
    body: u32,
    particle: u32,
    phase: u32,
}

const SORTED_ROWS: u32 = 2u;

fn sorted_position(rows: texture_2d<u32>, s: u32) -> vec4f {
    return bitcast<vec4f>(textureLoad(rows, row_at(SORTED_ROWS * s), 0));
}

fn sorted_phase(rows: texture_2d<u32>, s: u32) -> u32 {
    return textureLoad(rows, row_at(SORTED_ROWS * s + 1u), 0).w;
}

fn sorted_proxy(rows: texture_2d<u32>, s: u32) -> SortedProxy {
    let who = textureLoad(rows, row_at(SORTED_ROWS * s + 1u), 0);
    return SortedProxy(sorted_position(rows, s), who.x, who.y, who.z, who.w);
}

fn grid_cell(position: vec3f, cell_size: f32) -> vec3i {
    return vec3i(floor(position / cell_size));
}

// Cells of two sizes share the buckets: large ones hold bodies, small ones free particles, which are many.
const LARGE_CELLS: u32 = 0u;
const SMALL_CELLS: u32 = 1u;

// Buckets of a block of 4 by 4 by 4 cells follow one another: what is near is near in memory.
fn grid_bucket(cell: vec3i, level: u32, cell_mask: u32) -> u32 {
    let block = bitcast<vec3u>(cell >> vec3u(2u));
    let hash = (block.x * 73856093u) ^ (block.y * 19349663u) ^ (block.z * 83492791u) ^ (level * 50331653u);
    let within = bitcast<vec3u>(cell) & vec3u(3u);
    return (64u * hash + (within.x | (within.y << 2u) | (within.z << 4u))) & cell_mask;
}

// A cell and those around it, for n below 27.
fn around_cell(n: i32) -> vec3i {
    return vec3i(n % 3 - 1, (n / 3) % 3 - 1, n / 9 - 1);
}

// `cell_starts`: the first sorted proxy of each bucket, and their number; then, at this word for each bucket, the last search
// in which something solid was in its cell or in one around it.
fn mark_of(bucket: u32, cell_mask: u32) -> u32 {
    return cell_mask + 2u + bucket;
}

// What is near each proxy until the next search: a row of words. Counts (low half colliders, high half bodies and
// particles), the proxy's position, its reach with margin, then the targets as in `contact_targets`.
const CANDIDATE_COLLIDERS: u32 = 8u;
const CANDIDATE_HEAD: u32 = 5u;
// Set in the counts of a still proxy without bodies near: its particle keeps the contacts that it has.
const CANDIDATES_KEPT: u32 = 0x8000u;

// Words of a row with room for so many bodies and particles.
fn candidate_row(others: u32) -> u32 {
    return CANDIDATE_HEAD + CANDIDATE_COLLIDERS + others;
}

// Word of a row for collider k: those that find none of the first take what bodies and particles leave of theirs, from the end on.
fn candidate_collider(k: u32, others: u32) -> u32 {
    return CANDIDATE_HEAD + select(CANDIDATE_COLLIDERS + others - 1u - (k - CANDIDATE_COLLIDERS), k, k < CANDIDATE_COLLIDERS);
}
