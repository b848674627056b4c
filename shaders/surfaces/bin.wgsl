#import "common/params"
#import "common/body"
#import "common/grid"
#import "surfaces/primitive"
#import "surfaces/lists"
#import "surfaces/primitive_rows"
#import "surfaces/islands"
#import "common/thread"
// One thread per leaf, and per node of islands, which parts them. The boxes of its primitives and its own where this substep began, how they move, and its place in the hash
// grid (paper 4): a chain for each bucket. The order in a chain depends on timing; nothing depends on the order.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> marked_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(4) var primitive_bounds: texture_storage_2d<rgba32uint, write>;
@group(1) @binding(5) var<storage, read_write> leaf_bounds: array<Bounds>;
@group(1) @binding(6) var<storage, read_write> leaf_chains: array<atomic<u32>>;
@group(1) @binding(7) var<storage, read> primitive_rests: array<vec4f>;
@group(1) @binding(8) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < ISLANDS {
        part_island(i);
    }
    if i >= surface_list.leaf_count {
        return;
    }
    let first = first_primitive(i, params.full_leaves);
    let end = first + select(1u, LEAF, i < params.full_leaves);
    var whole = place_primitive(first);
    var low = whole.center - whole.half;
    var high = whole.center + whole.half;
    for (var k = first + 1u; k < end && primitives[k].corners.x != NONE; k++) {
        let part = place_primitive(k);
        low = min(low, part.center - part.half);
        high = max(high, part.center + part.half);
        // As fast as its first primitive, and what the others differ from it.
        let differs = surface_list.time * distance(part.velocity, whole.velocity);
        whole.spread = max(whole.spread, part.spread + differs);
    }
    let center = 0.5 * (low + high);
    let half = 0.5 * (high - low);
    var box = Bounds(center, 0.0, half, whole.radius, whole.velocity, whole.spread);
    let reach = reach_of(box, surface_list.time);
    box.farthest = max(reach.x, max(reach.y, reach.z));
    leaf_bounds[i] = box;
    let bucket = grid_bucket(grid_cell(center, surface_list.cell_size), SMALL_CELLS, surface_list.leaf_mask);
    let largest = surface_list.leaf_mask + 1u;
    atomicStore(&leaf_chains[largest + LARGEST_WORDS + i], atomicExchange(&leaf_chains[bucket], i));
    if i >= params.triangle_leaves {
        atomicMax(&leaf_chains[largest], bitcast<u32>(box.farthest));
    }
}

fn place_primitive(primitive: u32) -> Bounds {
    let corners = primitives[primitive].corners;
    let time = surface_list.time;
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
    let of_body = (primitives[primitive].bits & OF_BODY) != 0u;
    var margin = BODY_MARGIN * radius;
    var strays = false;
    if !of_body {
        let margins = vec3f(marked_velocities[corners.x].w, marked_velocities[corners.y].w, marked_velocities[corners.z].w);
        let far = abs(margins);
        margin = max(far.x, max(far.y, far.z));
        strays = any(margins < vec3f(0.0));
    }
    let half = 0.5 * (high - low) + THICKNESS * radius + margin;
    let bounds = Bounds(0.5 * (low + high), f32(strays), half, radius, velocity, spread);
    var area = area_of(a.xyz, b, c);
    if of_body {
        area = vec4f(unpack4x8snorm(bitcast<u32>(marked_velocities[corners.x].w)).xyz, 0.0);
    }
    keep(primitive, 0u, vec4f(bounds.center, bounds.farthest));
    keep(primitive, 1u, vec4f(bounds.half, bounds.radius));
    keep(primitive, 2u, vec4f(bounds.velocity, bounds.spread));
    keep(primitive, PRIMITIVE_MIDDLE, vec4f((a.xyz + b + c) / 3.0, margin));
    keep(primitive, PRIMITIVE_AREA, area);
    keep(primitive, PRIMITIVE_REST, primitive_rests[primitive]);
    keep(primitive, PRIMITIVE_AREA_THEN, area_of(a.xyz + time * va, b + time * vb, c + time * vc));
    return bounds;
}

// Twice the area of a triangle along its normal, and the sum of its squared sides [m²].
fn area_of(a: vec3f, b: vec3f, c: vec3f) -> vec4f {
    let sides = mat3x3f(b - a, c - b, a - c);
    let squares = dot(sides[0], sides[0]) + dot(sides[1], sides[1]) + dot(sides[2], sides[2]);
    return vec4f(cross(sides[0], -sides[2]), squares);
}

fn keep(primitive: u32, row: u32, value: vec4f) {
    textureStore(primitive_bounds, row_at(PRIMITIVE_ROWS * primitive + row), bitcast<vec4u>(value));
}
