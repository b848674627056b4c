#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "common/facet"
#import "common/thread"
// One thread per triangle. Lists the facets whose boxes may meet its own until the next search; of two triangles the later
// one does.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> facet_boxes: array<FacetBox>;
@group(1) @binding(3) var<storage, read> facet_heads: array<u32>;
@group(1) @binding(4) var<storage, read> facet_next: array<u32>;
@group(1) @binding(5) var<storage, read> surface_list: array<u32>;
@group(1) @binding(6) var<storage, read_write> near_facets: array<atomic<u32>>;
@group(1) @binding(7) var<storage, read_write> control: Control;

// Most cells that are searched along an axis.
const MOST_CELLS: i32 = 12;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.triangle_count {
        return;
    }
    let phase = particle_rows[triangles[i].x].phase;
    if (phase & PHASE_GHOST) != 0u {
        return;
    }
    let cell_size = bitcast<f32>(surface_list[CELL_BITS]);
    let mask = surface_list[FACET_MASK];
    let facets = surface_list[FACET_COUNT];
    let center = facet_boxes[i].center;
    let half = facet_boxes[i].half.xyz;
    let velocity = facet_boxes[i].velocity;
    let slow = 0.6 * params.particle_radius;
    let reach = half + bitcast<f32>(facet_heads[mask + 1u])
        + (center.w + bitcast<f32>(facet_heads[mask + 2u]) - slow);
    let first = grid_cell(center.xyz - reach, cell_size);
    let wide = grid_cell(center.xyz + reach, cell_size) - first + vec3i(1);
    let count = min(wide, vec3i(MOST_CELLS));
    if any(count != wide) {
        atomicAdd(&control.surfaces_dropped, 1u);
    }
    for (var n = 0; n < count.x * count.y * count.z; n++) {
        let cell = first + vec3i(n % count.x, (n / count.x) % count.y, n / (count.x * count.y));
        var other = facet_heads[grid_bucket(cell, mask)];
        for (var k = 0u; k < facets && other != NONE; k++) {
            if other < i || other >= params.triangle_count {
                let at = facet_boxes[other].center;
                let offset = abs(at.xyz - center.xyz);
                // Buckets hold other cells too.
                if all(offset < reach) && all(grid_cell(at.xyz, cell_size) == cell) {
                    let moving = facet_boxes[other].velocity;
                    let closing = LASTING * params.gravity.w * abs(velocity.xyz - moving.xyz) + velocity.w + moving.w;
                    let most = min(closing, vec3f(center.w + at.w - slow));
                    if all(offset < half + facet_boxes[other].half.xyz + most) && meet(phase, other) {
                        list(i, other);
                    }
                }
            }
            other = facet_next[other];
        }
    }
}

fn meet(phase: u32, facet: u32) -> bool {
    let other = particle_rows[triangles[facet].x].phase;
    let alone = (other >> 8u) != 0u && (other >> 8u) == (phase >> 8u) && (other & phase & PHASE_MEETS_ITSELF) == 0u;
    return !alone && (other & PHASE_GHOST) == 0u;
}

fn list(a: u32, b: u32) {
    let room = 2u * surface_list[ROOM];
    let place = atomicAdd(&near_facets[3u], 1u);
    if place >= room - room / 4u {
        atomicMax(&control.surfaces_most, (place + 2u) / 2u);
    }
    if place >= room {
        atomicAdd(&control.surfaces_dropped, 1u);
        return;
    }
    atomicStore(&near_facets[NEAR_AT + 2u * place], a);
    atomicStore(&near_facets[NEAR_AT + 2u * place + 1u], b);
    let listed = listed_groups(place, WORKGROUP);
    atomicMax(&near_facets[0], listed.x);
    atomicMax(&near_facets[1], listed.y);
}
