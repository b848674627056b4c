// `surface_deltas`: what surfaces do to particles and bodies, one row a particle, then two a body: how it moves and how it turns; then
// those of `surfaces/islands`.
// The including kernel declares `params` and `surface_deltas` with atomics. Sums are of whole numbers: their order does not matter.

struct SurfaceDelta {
    contacts: atomic<i32>,                  // while they are solved, how many; in `ccd/follow` the body that carries the particle,
                                            // + 1; then WAY_CUT once its way was cut
    displacement: array<atomic<i32>, 3>,    // over DELTA_SCALE [m]; of a body impulse over mass [m], and its moment [m²]; of what
                                            // is cut the bits of how the frame moves in which it is [m]
    velocity_part: array<atomic<i32>, 3>,   // the same of what becomes velocity
    truncation: atomic<i32>,                // part of the way of this substep to cut off, over TRUNCATION_SCALE
    hold: atomic<u32>,                      // in how far it was cut off: TRUNCATED_NOW and TRUNCATED_BEFORE
}

// What was summed, as numbers.
struct Delta {
    displacement: vec3f,
    velocity_part: vec3f,
}

// A displacement of 1 m, and the whole of a way: 32 m and the whole fit into a word.
const DELTA_SCALE: f32 = 67108864.0;
// A sum is no longer than that [m], so that it does not wrap: each contact adds no more than its part.
const LONGEST_SUM: f32 = 31.0;
// A sum beyond that was cut off, or nearly [m].
const CUT_SUM: f32 = 15.0;
const TRUNCATION_SCALE: f32 = 1073741824.0;

// Of `contacts`: the way of the last substep was cut. Forgotten when displacements are applied.
const WAY_CUT: i32 = 0x40000000;

const ROWS_OF_BODY: u32 = 2u;

// Of `hold`: in this substep, and for each one before, in a row.
const TRUNCATED_NOW: u32 = 1u;
const TRUNCATED_BEFORE: u32 = 2u;

// The row of how a body moves.
fn linear_row(body: u32) -> u32 {
    return params.particle_count + ROWS_OF_BODY * body;
}

// The row of how it turns. It has no contacts and no way of its own: there is what `wake_body` sets.
fn angular_row(body: u32) -> u32 {
    return linear_row(body) + 1u;
}

// The row whose contacts are those of this one: of how a body turns, that of how it moves.
fn counted_row(row: u32) -> u32 {
    let turns = row > params.particle_count && (row - params.particle_count) % ROWS_OF_BODY == 1u;
    return select(row, row - 1u, turns);
}

// Whether sums were so long that they may have been cut off.
fn is_cut(sums: Delta) -> bool {
    return any(max(abs(sums.displacement), abs(sums.velocity_part)) > vec3f(CUT_SUM));
}

fn contacts_of(row: u32) -> i32 {
    return atomicLoad(&surface_deltas[row].contacts) & (WAY_CUT - 1);
}

fn wake_body(body: u32) {
    atomicStore(&surface_deltas[angular_row(body)].contacts, 1);
}

fn is_woken(body: u32) -> bool {
    return atomicLoad(&surface_deltas[angular_row(body)].contacts) != 0;
}

// Remembers that the way of a row was cut in this substep. Returns how often in a row it was before.
fn hold_row(row: u32) -> u32 {
    return (atomicOr(&surface_deltas[row].hold, TRUNCATED_NOW)) / TRUNCATED_BEFORE;
}

fn is_held(row: u32) -> bool {
    return (atomicLoad(&surface_deltas[row].hold) & TRUNCATED_NOW) != 0u;
}

// Counts the last substep, before this one cuts ways: whose way it did not cut is free.
fn age_hold(row: u32) {
    let hold = atomicLoad(&surface_deltas[row].hold);
    if hold != 0u {
        atomicStore(&surface_deltas[row].hold, select(0u, hold - TRUNCATED_NOW + TRUNCATED_BEFORE, (hold & TRUNCATED_NOW) != 0u));
    }
}

fn add_delta(row: u32, displacement: vec3f, velocity_part: vec3f) {
    // Sums of whole numbers would pass on what is none as any number.
    if is_broken(vec4f(displacement, 0.0)) || is_broken(vec4f(velocity_part, 0.0)) {
        return;
    }
    let most = vec3f(LONGEST_SUM / f32(max(contacts_of(counted_row(row)), 1)));
    let whole = vec3i(round(clamp(displacement, -most, most) * DELTA_SCALE));
    let whole_velocity = vec3i(round(clamp(velocity_part, -most, most) * DELTA_SCALE));
    for (var k = 0u; k < 3u; k++) {
        atomicAdd(&surface_deltas[row].displacement[k], whole[k]);
        atomicAdd(&surface_deltas[row].velocity_part[k], whole_velocity[k]);
    }
}

// Several that push a row one way push it no farther than one: the most of their ways [m] and the least are kept, 0 among them.
fn push_row(row: u32, way: vec3f) {
    let whole = vec3i(round(way * DELTA_SCALE));
    for (var k = 0u; k < 3u; k++) {
        atomicMax(&surface_deltas[row].displacement[k], whole[k]);
        atomicMin(&surface_deltas[row].velocity_part[k], whole[k]);
    }
}

// Where that pushes it [m], forgotten then.
fn take_push(row: u32) -> vec3f {
    var way: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let most = atomicExchange(&surface_deltas[row].displacement[k], 0);
        let least = atomicExchange(&surface_deltas[row].velocity_part[k], 0);
        way[k] = f32(most + least) / DELTA_SCALE;
    }
    return way;
}

// How the frame moved in which the way of a row is cut [m], forgotten then.
fn take_frame(row: u32) -> vec3f {
    var way: vec3f;
    for (var k = 0u; k < 3u; k++) {
        way[k] = bitcast<f32>(atomicExchange(&surface_deltas[row].displacement[k], 0));
    }
    return way;
}

// The sums of a row, which begins anew. Its truncation stays.
fn take_delta(row: u32) -> Delta {
    var sums: Delta;
    for (var k = 0u; k < 3u; k++) {
        sums.displacement[k] = f32(atomicLoad(&surface_deltas[row].displacement[k])) / DELTA_SCALE;
        sums.velocity_part[k] = f32(atomicLoad(&surface_deltas[row].velocity_part[k])) / DELTA_SCALE;
        atomicStore(&surface_deltas[row].displacement[k], 0);
        atomicStore(&surface_deltas[row].velocity_part[k], 0);
    }
    atomicStore(&surface_deltas[row].contacts, 0);
    return sums;
}
