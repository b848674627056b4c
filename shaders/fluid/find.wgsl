#import "fluid/fluid"
#import "common/row"
#import "common/params"
#import "common/body"
#import "common/control"
#import "common/layers"
#import "common/thread"
// One thread per member of the fluid. Lists who is within reach, by rows of cells: those that the ball of its reach meets.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_cell_starts: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_storage_2d<rgba32uint, write>;
@group(1) @binding(3) var<storage, read_write> control: Control;
@group(1) @binding(4) var<storage, read_write> fluid_counts: array<u32>;
@group(1) @binding(5) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(6) var<storage, read> particle_rows: array<ParticleRow>;

// Rows of cells that a ball of two cells can meet, along y and z.
const ROWS: i32 = 5;
// Candidates looked at before what was found is written: a bit each.
const CHUNK: u32 = 32u;

var<private> own: vec3f;
var<private> solid: bool;
var<private> phase: u32;
var<private> member: u32;
var<private> found: u32;
// Those found last, that make no four yet, and how many they are; the rest of the four is nobody.
var<private> kept: vec4u;
var<private> keeping: u32;
var<private> row_to_write: u32;
var<private> rows_left: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let row = textureLoad(fluid_places, row_at(s), 0);
    own = vector_of(row);
    solid = is_solid(fluid, row);
    member = s;
    if LAYERS {
        phase = particle_rows[sorted_particles[s]].phase;
    }
    kept = vec4u(nobody(fluid));
    row_to_write = s;
    rows_left = fluid.slots / 4u;
    let center = fluid_cell(fluid, own);
    for (var n = 0; n < ROWS * ROWS; n++) {
        search_row(center.yz + vec2i(n % ROWS, n / ROWS) - ROWS / 2);
    }
    if 4u * found > 3u * fluid.slots {
        atomicMax(&control.liquid_most, found);
    }
    if found > fluid.slots {
        atomicAdd(&control.liquid_dropped, found - fluid.slots);
    }
    fluid_counts[s] = min(found, fluid.slots);
    if keeping > 0u {
        write_four();
    }
}

// The part of a row of cells, at these y and z, that is within reach.
fn search_row(row: vec2i) {
    let low = vec2f(row) * fluid.cell_size;
    let gap = max(max(low - own.yz, own.yz - low - fluid.cell_size), vec2f(0.0));
    let left = fluid.reach * fluid.reach - dot(gap, gap);
    let half = sqrt(max(left, 0.0));
    let first_bucket = fluid_bucket(fluid, vec3i(i32(floor((own.x - half) / fluid.cell_size)), row));
    let last_bucket = fluid_bucket(fluid, vec3i(i32(floor((own.x + half) / fluid.cell_size)), row));
    let first = fluid_cell_starts[first_bucket];
    // It may go over the last bucket and on from the first.
    let over = select(0u, fluid.particle_count, first_bucket > last_bucket);
    let end = select(first, fluid_cell_starts[last_bucket + 1u] + over, left > 0.0);
    for (var chunk = first; chunk < end; chunk += CHUNK) {
        search_chunk(chunk, min(chunk + CHUNK, end), row);
    }
}

fn search_chunk(first: u32, end: u32, row: vec2i) {
    var bits = 0u;
    var bit = 1u;
    for (var k = first; k < end; k++) {
        let j = around(k);
        let other = textureLoad(fluid_places, row_at(j), 0);
        let offset = own - vector_of(other);
        // Buckets hold other rows too.
        let within = dot(offset, offset) < fluid.reach * fluid.reach && all(fluid_cell(fluid, vector_of(other)).yz == row);
        var met = within && j != member && !(solid && is_solid(fluid, other));
        if LAYERS && met {
            let theirs = particle_rows[sorted_particles[j]].phase;
            let one = (phase & theirs & PHASE_LIQUID) != 0u && phase >> 28u == theirs >> 28u;
            met = one || layers_meet(phase, theirs);
        }
        bits |= select(0u, bit, met);
        bit <<= 1u;
    }
    found += countOneBits(bits);
    while countOneBits(bits) + keeping >= 4u {
        bits = keep_next(bits, first);
        write_four();
    }
    bits = keep_next(bits, first);
}

// Keeps whom the first of these bits stand for, until they make a four; returns the bits of the others.
fn keep_next(bits: u32, first: u32) -> u32 {
    var left = bits;
    for (var k = 0u; k < 4u; k++) {
        let next = left != 0u && keeping < 4u;
        let j = around(first + firstTrailingBit(left));
        kept = select(kept, vec4u(j), vec4<bool>(next) & (vec4u(0u, 1u, 2u, 3u) == vec4u(keeping)));
        keeping += u32(next);
        left = select(left, left & (left - 1u), next);
    }
    return left;
}

// Members follow one another around.
fn around(k: u32) -> u32 {
    return select(k, k - fluid.particle_count, k >= fluid.particle_count);
}

fn write_four() {
    if rows_left > 0u {
        textureStore(fluid_neighbors, row_at(row_to_write), kept);
        row_to_write += fluid.particle_count;
        rows_left -= 1u;
    }
    kept = vec4u(nobody(fluid));
    keeping = 0u;
}
