#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/control"
#import "common/facet"
#import "common/facet_rows"
#import "common/thread"
// One thread per patch. The boxes of its facets and its own where this substep began, how they move, and its place in the hash
// grid (paper 4): a chain for each bucket. The order in a chain depends on timing; nothing depends on the order.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> marked_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_list: array<u32>;
@group(1) @binding(4) var<storage, read_write> control: Control;
@group(1) @binding(5) var facet_boxes: texture_storage_2d<rgba32uint, write>;
@group(1) @binding(6) var<storage, read_write> patch_boxes: array<Box>;
@group(1) @binding(7) var<storage, read_write> patch_chains: array<atomic<u32>>;
@group(1) @binding(8) var<storage, read> facet_rests: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= surface_list[PATCH_COUNT] {
        return;
    }
    let first = first_facet(i, params.full_patches);
    let end = first + select(1u, PATCH, i < params.full_patches);
    var whole = place_facet(first);
    var low = whole.center.xyz - whole.half.xyz;
    var high = whole.center.xyz + whole.half.xyz;
    for (var k = first + 1u; k < end && triangles[k].x != NONE; k++) {
        let part = place_facet(k);
        low = min(low, part.center.xyz - part.half.xyz);
        high = max(high, part.center.xyz + part.half.xyz);
        // As fast as its first facet, and what the others differ from it.
        let differs = control.horizon * params.gravity.w * distance(part.velocity.xyz, whole.velocity.xyz);
        whole.velocity.w = max(whole.velocity.w, part.velocity.w + differs);
    }
    let center = 0.5 * (low + high);
    let half = 0.5 * (high - low);
    var box = Box(vec4f(center, 0.0), vec4f(half, whole.half.w), whole.velocity);
    let reach = reach_of(box, control.horizon * params.gravity.w);
    box.center.w = max(reach.x, max(reach.y, reach.z));
    patch_boxes[i] = box;
    let bucket = grid_bucket(grid_cell(center, bitcast<f32>(surface_list[CELL_BITS])), SMALL_CELLS, surface_list[FACET_MASK]);
    let largest = surface_list[FACET_MASK] + 1u;
    atomicStore(&patch_chains[largest + LARGEST_WORDS + i], atomicExchange(&patch_chains[bucket], i));
    if i >= params.triangle_patches {
        atomicMax(&patch_chains[largest], bitcast<u32>(box.center.w));
    }
}

fn place_facet(facet: u32) -> Box {
    let corners = triangles[facet].xyz;
    let time = control.horizon * params.gravity.w;
    let a = particle_origins[corners.x];
    let b = particle_origins[corners.y].xyz;
    let c = particle_origins[corners.z].xyz;
    let va = marked_velocities[corners.x].xyz;
    let vb = marked_velocities[corners.y].xyz;
    let vc = marked_velocities[corners.z].xyz;
    let low = min(a.xyz, min(b, c));
    let high = max(a.xyz, max(b, c));
    let velocity = (va + vb + vc) / 3.0;
    let spread = time * max(distance(va, velocity), max(distance(vb, velocity), distance(vc, velocity)));
    let radius = max(a.w, max(particle_origins[corners.y].w, particle_origins[corners.z].w));
    let of_body = (triangles[facet].w & OF_BODY) != 0u;
    var stray = STRAY * radius;
    if !of_body {
        stray = max(marked_velocities[corners.x].w, max(marked_velocities[corners.y].w, marked_velocities[corners.z].w));
    }
    let half = 0.5 * (high - low) + THICKNESS * radius + stray;
    let bounds = Box(vec4f(0.5 * (low + high), 0.0), vec4f(half, radius), vec4f(velocity, spread));
    let sides = mat3x3f(b - a.xyz, c - b, a.xyz - c);
    let squares = dot(sides[0], sides[0]) + dot(sides[1], sides[1]) + dot(sides[2], sides[2]);
    var area = vec4f(cross(sides[0], -sides[2]), squares);
    if of_body {
        area = vec4f(unpack4x8snorm(bitcast<u32>(marked_velocities[corners.x].w)).xyz, 0.0);
    }
    keep(facet, 0u, bounds.center);
    keep(facet, 1u, bounds.half);
    keep(facet, 2u, bounds.velocity);
    keep(facet, FACET_MIDDLE, vec4f((a.xyz + b + c) / 3.0, stray));
    keep(facet, FACET_AREA, area);
    keep(facet, FACET_REST, facet_rests[facet]);
    return bounds;
}

fn keep(facet: u32, row: u32, value: vec4f) {
    textureStore(facet_boxes, row_at(FACET_ROWS * facet + row), bitcast<vec4u>(value));
}
