#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "common/facet"
#import "common/thread"
// One thread per patch of triangles. Lists the patches whose boxes may meet its own until the next search, itself too. Of two
// patches of triangles the one that reaches farther does: one that is fast or large makes no other look farther.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> patch_boxes: array<Box>;
@group(1) @binding(3) var<storage, read> patch_chains: array<u32>;
@group(1) @binding(4) var<storage, read> surface_list: array<u32>;
@group(1) @binding(5) var<storage, read_write> near_patches: array<atomic<u32>>;
@group(1) @binding(6) var<storage, read_write> control: Control;

// More cells than this along an axis take longer than a look at all patches.
const MOST_CELLS: i32 = 12;

var<private> own: Box;
var<private> own_index: u32;
var<private> phase: u32;
var<private> time: f32;        // until the next search [s]
var<private> farthest: f32;    // largest component of what its own box reaches in that time [m]

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    own_index = global_index(id, groups);
    if own_index >= params.triangle_patches {
        return;
    }
    phase = particle_rows[triangles[PATCH * own_index].x].phase;
    let cell_size = bitcast<f32>(surface_list[CELL_BITS]);
    let mask = surface_list[FACET_MASK];
    let patches = surface_list[PATCH_COUNT];
    time = control.horizon * params.gravity.w;
    own = patch_boxes[own_index];
    let center = own.center.xyz;
    let extent = reach_of(own, time);
    farthest = own.center.w;
    let reach = extent + max(farthest, bitcast<f32>(patch_chains[mask + 1u]));
    let first = grid_cell(center - reach, cell_size);
    let count = grid_cell(center + reach, cell_size) - first + vec3i(1);
    if any(count > vec3i(MOST_CELLS)) {
        for (var other = 0u; other < patches; other++) {
            consider(other);
        }
        return;
    }
    for (var n = 0; n < count.x * count.y * count.z; n++) {
        let cell = first + vec3i(n % count.x, (n / count.x) % count.y, n / (count.x * count.y));
        var other = patch_chains[grid_bucket(cell, SMALL_CELLS, mask)];
        for (var k = 0u; k < patches && other != NONE; k++) {
            let at = patch_boxes[other].center.xyz;
            // Buckets hold other cells too.
            if all(abs(at - center) < reach) && all(grid_cell(at, cell_size) == cell) {
                consider(other);
            }
            other = patch_chains[mask + 1u + LARGEST_WORDS + other];
        }
    }
}

fn consider(other: u32) {
    let box = patch_boxes[other];
    let closing = time * abs(own.velocity.xyz - box.velocity.xyz) + own.velocity.w + box.velocity.w;
    if all(abs(own.center.xyz - box.center.xyz) < own.half.xyz + box.half.xyz + closing) && leads(other, box) && meet(other) {
        let both = other < params.triangle_patches;
        list(select(own_index, max(own_index, other), both), select(other, min(own_index, other), both));
    }
}

// Whether this patch is the one of the two that looks for the other.
fn leads(other: u32, box: Box) -> bool {
    // Kept with the box: two evaluations of it might differ in the last bit, and then neither would look.
    let others = box.center.w;
    return other >= params.triangle_patches || others < farthest || (others == farthest && other <= own_index);
}

fn meet(other_patch: u32) -> bool {
    let other = particle_rows[triangles[first_facet(other_patch, params.full_patches)].x].phase;
    return (other >> 8u) == 0u || (other >> 8u) != (phase >> 8u) || (other & phase & PHASE_MEETS_ITSELF) != 0u;
}

fn list(a: u32, b: u32) {
    let room = surface_list[ROOM];
    let place = atomicAdd(&near_patches[3u], 1u);
    if place >= room - room / 4u {
        atomicMax(&control.surfaces_most, place + 1u);
    }
    if place >= room {
        atomicAdd(&control.surfaces_dropped, 1u);
        return;
    }
    atomicStore(&near_patches[NEAR_AT + 2u * place], a);
    atomicStore(&near_patches[NEAR_AT + 2u * place + 1u], b);
    let listed = listed_groups(place, WORKGROUP / PATCH);
    atomicMax(&near_patches[0], listed.x);
    atomicMax(&near_patches[1], listed.y);
}
