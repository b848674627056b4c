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

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.member_count {
        return;
    }
    let own = fluid_places[s];
    let solid = is_solid(own);
    let center = fluid_cell(fluid, own.xyz);
    let reach = fluid.reach * fluid.reach;
    var found = 0u;
    var n = 0;
    var row = center;
    var k = 0u;
    var end = 0u;
    // Of a range that goes on at the first bucket.
    var rest = 0u;
    while n < ROWS * ROWS || k < end || rest > 0u {
        if k >= end {
            if rest > 0u {
                k = 0u;
                end = rest;
                rest = 0u;
                continue;
            }
            row = center + vec3i(0, n % ROWS - ROWS / 2, n / ROWS - ROWS / 2);
            n += 1;
            let low = vec2f(row.yz) * fluid.cell_size;
            let gap = max(max(low - own.yz, own.yz - low - fluid.cell_size), vec2f(0.0));
            let half = sqrt(max(reach - dot(gap, gap), 0.0));
            if half == 0.0 {
                continue;
            }
            let first = fluid_bucket(fluid, vec3i(i32(floor((own.x - half) / fluid.cell_size)), row.yz));
            let last = fluid_bucket(fluid, vec3i(i32(floor((own.x + half) / fluid.cell_size)), row.yz));
            k = fluid_cell_starts[first];
            end = fluid_cell_starts[last + 1u];
            if first > last {
                rest = end;
                end = fluid.member_count;
            }
            continue;
        }
        let other = fluid_places[k];
        let offset = own.xyz - other.xyz;
        // Buckets hold other rows too.
        if dot(offset, offset) < reach && k != s && all(fluid_cell(fluid, other.xyz).yz == row.yz) && !(solid && is_solid(other)) {
            found += 1u;
            if found <= fluid.slots {
                fluid_neighbors[neighbor_slot(fluid, s, found)] = k;
            }
        }
        k += 1u;
    }
    if found > fluid.slots {
        atomicAdd(&control.liquid_dropped, found - fluid.slots);
    }
    fluid_neighbors[s] = min(found, fluid.slots);
}

fn is_solid(place: vec4f) -> bool {
    return fluid.mixed != 0u && volume_of(place) < 0.0;
}
