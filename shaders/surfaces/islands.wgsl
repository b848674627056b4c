#import "common/body"
#import "common/control"
#import "surfaces/delta"
// Islands: things that may meet until the next search, with all that meets those. What moves together is cut in a frame that
// moves with it, or fast cloth would be left behind by what wears it. Rows of `surface_deltas` after those of bodies: `contacts`
// counts the pairs of the island whose ways cross in this substep, `displacement` and `velocity_part` are the upper and the lower
// part of the sum of how they move, `truncation` is the node above, with STANDS; one row more tells whether there is any such pair. The
// including kernel declares `params`.

// Things beyond so many share the rows of others: then their islands are one.
const ISLANDS: u32 = 2048u;
// Set where something is pinned in the world: the island is cut in the frame of the world.
const STANDS: i32 = 0x40000000;
// A way of 1 m, the longest that counts [m], and bits of the lower part: a million pairs fit.
const MOTION_SCALE: f32 = 1048576.0;
const LONGEST_MOTION: f32 = 2.0;
const LOWER_BITS: u32 = 11u;

// The frame of an island.
struct IslandMotion {
    crossing: bool,            // whether ways of any of its pairs cross
    way: vec3f,                // how the frame moves in this substep [m]
}

// The node of a body, or of a free particle by its object; loose particles have one in common.
fn island_of(row: ParticleRow) -> u32 {
    return select(2u * row.body + 1u, 2u * group_of(row.phase), row.body == NONE) % ISLANDS;
}

fn island_row(node: u32) -> u32 {
    return params.particle_count + ROWS_OF_BODY * params.body_count + node;
}

fn word_of(node: u32) -> i32 {
    return atomicLoad(&surface_deltas[island_row(node)].truncation);
}

fn above(word: i32) -> u32 {
    return u32(word & (STANDS - 1)) % ISLANDS;
}

fn root_of(node: u32) -> u32 {
    var at = node;
    for (var k = 0u; k < ISLANDS; k++) {
        let next = above(word_of(at));
        if next == at {
            break;
        }
        at = next;
    }
    return at;
}

// Makes one island of two. The root is one that stands, else the least, whoever is first.
fn join(a: u32, b: u32) {
    for (var k = 0u; k < ISLANDS; k++) {
        let p = root_of(a);
        let q = root_of(b);
        if p == q {
            return;
        }
        let stands = vec2<bool>((word_of(p) & STANDS) != 0, (word_of(q) & STANDS) != 0);
        let leads = select(p < q, stands.x, stands.x != stands.y);
        let root = select(q, p, leads);
        let other = select(p, q, leads);
        let word = word_of(other);
        if above(word) != other {
            continue;
        }
        let joined = i32(root) | (word & STANDS);
        if atomicCompareExchangeWeak(&surface_deltas[island_row(other)].truncation, word, joined).exchanged {
            return;
        }
    }
}

// Every node alone again.
fn part_island(node: u32) {
    let stands = word_of(node) & STANDS;
    atomicStore(&surface_deltas[island_row(node)].truncation, i32(node) | stands);
}

fn stand(node: u32) {
    atomicOr(&surface_deltas[island_row(node)].truncation, STANDS);
}

// Forgets which ways crossed.
fn still_island(node: u32) {
    let row = island_row(node);
    atomicStore(&surface_deltas[row].contacts, 0);
    for (var k = 0u; k < 3u; k++) {
        atomicStore(&surface_deltas[row].displacement[k], 0);
        atomicStore(&surface_deltas[row].velocity_part[k], 0);
    }
}

// Counts a pair whose ways cross, and that moves by this mean of its places [m].
fn add_motion(node: u32, way: vec3f) {
    let row = island_row(root_of(node));
    atomicAdd(&surface_deltas[row].contacts, 1);
    atomicStore(&surface_deltas[island_row(ISLANDS)].contacts, 1);
    if is_broken(vec4f(way, 0.0)) {
        return;
    }
    let limited = clamp(way, vec3f(-LONGEST_MOTION), vec3f(LONGEST_MOTION));
    let whole = vec3i(round(limited * MOTION_SCALE));
    for (var k = 0u; k < 3u; k++) {
        atomicAdd(&surface_deltas[row].displacement[k], whole[k] >> LOWER_BITS);
        atomicAdd(&surface_deltas[row].velocity_part[k], whole[k] & ((1 << LOWER_BITS) - 1));
    }
}

// Whether ways cross anywhere.
fn any_cross() -> bool {
    return atomicLoad(&surface_deltas[island_row(ISLANDS)].contacts) != 0;
}

// The mean of what crosses: in that frame the least is cut.
fn island_motion(node: u32) -> IslandMotion {
    let root = root_of(node);
    let row = island_row(root);
    let count = atomicLoad(&surface_deltas[row].contacts);
    if count == 0 || (word_of(root) & STANDS) != 0 {
        return IslandMotion(count != 0, vec3f(0.0));
    }
    var sum: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let upper = f32(atomicLoad(&surface_deltas[row].displacement[k])) * f32(1u << LOWER_BITS);
        sum[k] = upper + f32(atomicLoad(&surface_deltas[row].velocity_part[k]));
    }
    return IslandMotion(true, sum / (f32(count) * MOTION_SCALE));
}
