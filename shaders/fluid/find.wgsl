#import "common/fluid"
#import "common/control"
#import "common/thread"
// One thread per member of the fluid. Lists who is within reach, by rows of cells: those that the ball of its reach meets.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_cell_starts: array<u32>;
@group(1) @binding(1) var<storage, read> fluid_places: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> fluid_neighbors: array<u32>;
@group(1) @binding(3) var<storage, read_write> control: Control;

// Rows of cells that a ball of two cells can meet, along y and z.
const ROWS: i32 = 5;

var<private> own: vec4f;
var<private> solid: bool;
var<private> member: u32;
var<private> found: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.member_count {
        return;
    }
    own = fluid_places[s];
    solid = is_solid(fluid, own);
    member = s;
    let center = fluid_cell(fluid, own.xyz);
    for (var n = 0; n < ROWS * ROWS; n++) {
        search_row(center.yz + vec2i(n % ROWS, n / ROWS) - ROWS / 2);
    }
    if found > fluid.slots {
        atomicAdd(&control.liquid_dropped, found - fluid.slots);
    }
    fluid_neighbors[s] = min(found, fluid.slots);
}

// The part of a row of cells, at these y and z, that is within reach.
fn search_row(row: vec2i) {
    let low = vec2f(row) * fluid.cell_size;
    let gap = max(max(low - own.yz, own.yz - low - fluid.cell_size), vec2f(0.0));
    let left = fluid.reach * fluid.reach - dot(gap, gap);
    if left <= 0.0 {
        return;
    }
    let half = sqrt(left);
    let first = fluid_bucket(fluid, vec3i(i32(floor((own.x - half) / fluid.cell_size)), row));
    let last = fluid_bucket(fluid, vec3i(i32(floor((own.x + half) / fluid.cell_size)), row));
    let end = fluid_cell_starts[last + 1u];
    if first <= last {
        search_range(fluid_cell_starts[first], end, row);
    } else {
        // Over the last bucket and on from the first.
        search_range(fluid_cell_starts[first], fluid.member_count, row);
        search_range(0u, end, row);
    }
}

fn search_range(first: u32, end: u32, row: vec2i) {
    for (var k = first; k < end; k++) {
        let other = fluid_places[k];
        let offset = own.xyz - other.xyz;
        // Buckets hold other rows too.
        let within = dot(offset, offset) < fluid.reach * fluid.reach && all(fluid_cell(fluid, other.xyz).yz == row);
        if within && k != member && !(solid && is_solid(fluid, other)) {
            found += 1u;
            if found <= fluid.slots {
                fluid_neighbors[neighbor_slot(fluid, member, found)] = k;
            }
        }
    }
}
