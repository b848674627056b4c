#import "common/body"
#import "common/control"
#import "surfaces/delta"
// Islands: things that may meet until the next search, with all that meets those. What moves together is cut in a frame that
// moves with it, or fast cloth would be left behind by what wears it. Rows of `surface_deltas` after those of bodies: `contacts`
// counts the pairs of the island whose ways cross in this substep, `displacement` and `velocity_part` are the upper and the lower
// part of the sum of how they move, `truncation` is the node above; one row more tells whether there is any such pair. The
// including kernel declares `params`.

// Things beyond so many share the rows of others: then their islands are one.
const ISLANDS: u32 = 2048u;
// Of `contacts`: in this substep the island is cut in the frame of the world.
const STANDS: i32 = 0x40000000;
// How far the frame may be from where something goes by itself, in radii; where it goes farther, no farther than the world is.
const FRAME_OFF: f32 = 0.15;
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
    return select(island_of_body(row.body), 2u * group_of(row.phase) % ISLANDS, row.body == NONE);
}

fn island_of_body(body: u32) -> u32 {
    return (2u * body + 1u) % ISLANDS;
}

fn island_row(node: u32) -> u32 {
    return params.particle_count + ROWS_OF_BODY * params.body_count + node;
}

fn above(node: u32) -> u32 {
    return u32(atomicLoad(&surface_deltas[island_row(node)].truncation)) % ISLANDS;
}

fn root_of(node: u32) -> u32 {
    var at = node;
    for (var k = 0u; k < ISLANDS; k++) {
        let next = above(at);
        if next == at {
            break;
        }
        at = next;
    }
    return at;
}

// Makes one island of two. The root is the least of its nodes, whoever is first.
fn join(a: u32, b: u32) {
    for (var k = 0u; k < ISLANDS; k++) {
        let p = root_of(a);
        let q = root_of(b);
        if p == q {
            return;
        }
        let other = max(p, q);
        if atomicCompareExchangeWeak(&surface_deltas[island_row(other)].truncation, i32(other), i32(min(p, q))).exchanged {
            return;
        }
    }
}

// Every node alone again.
fn part_island(node: u32) {
    atomicStore(&surface_deltas[island_row(node)].truncation, i32(node));
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

// Lets the island stand if its frame would take along what goes by itself otherwise, this `way` [m]: then that would be where
// nobody has searched. What is pinned goes with no frame at all.
fn check_frame(node: u32, way: vec3f, radius: f32, pinned: bool) {
    let frame = island_motion(node).way;
    if all(frame == vec3f(0.0)) {
        return;
    }
    if pinned || distance(frame, way) > max(length(way), FRAME_OFF * radius) {
        atomicOr(&surface_deltas[island_row(root_of(node))].contacts, STANDS);
    }
}

// The mean of what crosses: in that frame the least is cut.
fn island_motion(node: u32) -> IslandMotion {
    let root = root_of(node);
    let row = island_row(root);
    let count = atomicLoad(&surface_deltas[row].contacts);
    if count == 0 || (count & STANDS) != 0 {
        return IslandMotion(count != 0, vec3f(0.0));
    }
    var sum: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let upper = f32(atomicLoad(&surface_deltas[row].displacement[k])) * f32(1u << LOWER_BITS);
        sum[k] = upper + f32(atomicLoad(&surface_deltas[row].velocity_part[k]));
    }
    return IslandMotion(true, sum / (f32(count) * MOTION_SCALE));
}
