#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "surfaces/primitive"
#import "surfaces/lists"
#import "surfaces/wanted"
#import "common/thread"
// One thread per leaf of triangles. Lists the leaves whose boxes may meet its own until the next search, itself too. Of two
// leaves of triangles the one that reaches farther does: one that is fast or large makes no other look farther.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> leaf_bounds: array<Bounds>;
@group(1) @binding(3) var<storage, read> leaf_chains: array<u32>;
@group(1) @binding(4) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(5) var<storage, read_write> leaf_pairs: GrowingLeafPairs;
@group(1) @binding(6) var<storage, read_write> control: Control;

// More cells than this along an axis take longer than a look at all leaves.
const MOST_CELLS: i32 = 12;

var<private> own: Bounds;
var<private> own_index: u32;
var<private> phase: u32;
var<private> time: f32;        // until the next search [s]
var<private> farthest: f32;    // largest component of what its own box reaches in that time [m]

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    own_index = global_index(id, groups);
    if own_index >= params.triangle_leaves {
        return;
    }
    phase = particle_rows[primitives[LEAF * own_index].corners.x].phase;
    let cell_size = surface_list.cell_size;
    let mask = surface_list.leaf_mask;
    let leaves = surface_list.leaf_count;
    time = surface_list.time;
    own = leaf_bounds[own_index];
    let center = own.center;
    let extent = reach_of(own, time);
    farthest = own.farthest;
    let reach = extent + max(farthest, bitcast<f32>(leaf_chains[mask + 1u]));
    let first = grid_cell(center - reach, cell_size);
    let count = grid_cell(center + reach, cell_size) - first + vec3i(1);
    if any(count > vec3i(MOST_CELLS)) {
        for (var other = 0u; other < leaves; other++) {
            consider(other);
        }
        return;
    }
    for (var n = 0; n < count.x * count.y * count.z; n++) {
        let cell = first + vec3i(n % count.x, (n / count.x) % count.y, n / (count.x * count.y));
        var other = leaf_chains[grid_bucket(cell, SMALL_CELLS, mask)];
        for (var k = 0u; k < leaves && other != NONE; k++) {
            let at = leaf_bounds[other].center;
            // Buckets hold other cells too.
            if all(abs(at - center) < reach) && all(grid_cell(at, cell_size) == cell) {
                consider(other);
            }
            other = leaf_chains[mask + 1u + LARGEST_WORDS + other];
        }
    }
}

fn consider(other: u32) {
    let box = leaf_bounds[other];
    let closing = time * abs(own.velocity - box.velocity) + own.spread + box.spread;
    if all(abs(own.center - box.center) < own.half + box.half + closing) && leads(other, box) && meet(other) {
        let both = other < params.triangle_leaves;
        list(select(own_index, max(own_index, other), both), select(other, min(own_index, other), both));
    }
}

// Whether this leaf is the one of the two that looks for the other.
fn leads(other: u32, box: Bounds) -> bool {
    // Kept with the box: two evaluations of it might differ in the last bit, and then neither would look.
    let others = box.farthest;
    return other >= params.triangle_leaves || others < farthest || (others == farthest && other <= own_index);
}

fn meet(other_leaf: u32) -> bool {
    let other = particle_rows[primitives[first_primitive(other_leaf, params.full_leaves)].corners.x].phase;
    return group_of(other) == 0u || group_of(other) != group_of(phase) || (other & phase & PHASE_MEETS_ITSELF) != 0u;
}

fn list(a: u32, b: u32) {
    let room = surface_list.room;
    let place = atomicAdd(&leaf_pairs.head.count, 1u);
    tell_wanted(place, place + 1u, room, 1u);
    if place >= room - room / 4u {
        atomicMax(&control.surfaces_most, place + 1u);
    }
    if place >= room {
        atomicAdd(&control.surfaces_dropped, 1u);
        return;
    }
    leaf_pairs.leaves[place] = vec2u(a, b);
    let listed = listed_groups(place, WORKGROUP / LEAF);
    atomicMax(&leaf_pairs.head.groups[0], listed.x);
    atomicMax(&leaf_pairs.head.groups[1], listed.y);
}
