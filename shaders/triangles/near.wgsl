#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "common/facet"
#import "common/thread"
// One thread per patch of triangles. Lists the patches whose boxes may meet its own until the next search, itself too; of two
// patches of triangles the later one does.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> patch_boxes: array<Box>;
@group(1) @binding(3) var<storage, read> patch_chains: array<u32>;
@group(1) @binding(4) var<storage, read> surface_list: array<u32>;
@group(1) @binding(5) var<storage, read_write> near_patches: array<atomic<u32>>;
@group(1) @binding(6) var<storage, read_write> control: Control;

// Most cells that are searched along an axis.
const MOST_CELLS: i32 = 12;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.triangle_patches {
        return;
    }
    let phase = particle_rows[triangles[PATCH * i].x].phase;
    if (phase & PHASE_GHOST) != 0u {
        return;
    }
    let cell_size = bitcast<f32>(surface_list[CELL_BITS]);
    let mask = surface_list[FACET_MASK];
    let patches = surface_list[PATCH_COUNT];
    let center = patch_boxes[i].center;
    let half = patch_boxes[i].half.xyz;
    let velocity = patch_boxes[i].velocity;
    let time = control.horizon * params.gravity.w;
    let reach = half + bitcast<f32>(patch_chains[mask + 1u])
        + 2.0 * (center.w + bitcast<f32>(patch_chains[mask + 2u]));
    let first = grid_cell(center.xyz - reach, cell_size);
    let wide = grid_cell(center.xyz + reach, cell_size) - first + vec3i(1);
    let count = min(wide, vec3i(MOST_CELLS));
    if any(count != wide) {
        atomicAdd(&control.surfaces_dropped, 1u);
    }
    for (var n = 0; n < count.x * count.y * count.z; n++) {
        let cell = first + vec3i(n % count.x, (n / count.x) % count.y, n / (count.x * count.y));
        var other = patch_chains[grid_bucket(cell, mask)];
        for (var k = 0u; k < patches && other != NONE; k++) {
            if other <= i || other >= params.triangle_patches {
                let at = patch_boxes[other].center;
                let offset = abs(at.xyz - center.xyz);
                // Buckets hold other cells too.
                if all(offset < reach) && all(grid_cell(at.xyz, cell_size) == cell) {
                    let moving = patch_boxes[other].velocity;
                    let closing = time * abs(velocity.xyz - moving.xyz) + velocity.w + moving.w;
                    if all(offset < half + patch_boxes[other].half.xyz + closing) && meet(phase, other) {
                        list(i, other);
                    }
                }
            }
            other = patch_chains[mask + 1u + LARGEST_WORDS + other];
        }
    }
}

fn meet(phase: u32, other_patch: u32) -> bool {
    let other = particle_rows[triangles[first_facet(other_patch, params.triangle_patches)].x].phase;
    let alone = (other >> 8u) != 0u && (other >> 8u) == (phase >> 8u) && (other & phase & PHASE_MEETS_ITSELF) == 0u;
    return !alone && (other & PHASE_GHOST) == 0u;
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
