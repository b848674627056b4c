#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/control"
#import "common/facet"
#import "common/thread"
// One thread per facet. Its box where this substep began, how it moves, and its place in the hash grid of facets (paper 4): a
// chain for each bucket. The order in a chain depends on timing; nothing depends on the order.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> triangles: array<vec4u>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(4) var<storage, read> surface_list: array<u32>;
@group(1) @binding(5) var<storage, read_write> facet_boxes: array<FacetBox>;
@group(1) @binding(6) var<storage, read_write> facet_heads: array<atomic<u32>>;
@group(1) @binding(7) var<storage, read_write> facet_next: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= surface_list[FACET_COUNT] {
        return;
    }
    let corners = triangles[i].xyz;
    let h = params.gravity.w;
    let a = particle_origins[corners.x].xyz;
    let b = particle_origins[corners.y].xyz;
    let c = particle_origins[corners.z].xyz;
    let va = particle_velocities[corners.x].xyz;
    let vb = particle_velocities[corners.y].xyz;
    let vc = particle_velocities[corners.z].xyz;
    let low = min(a, min(b, c));
    let high = max(a, max(b, c));
    let center = 0.5 * (low + high);
    let velocity = (va + vb + vc) / 3.0;
    let spread = LASTING * h * max(distance(va, velocity), max(distance(vb, velocity), distance(vc, velocity)));
    let fastest = max(length(va), max(length(vb), length(vc)));
    let motion = search_margin(fastest + params.collider_speed, h, params.particle_radius);
    let radius = particles[corners.x].w;
    let half = 0.5 * (high - low) + THICKNESS * radius + 0.3 * params.particle_radius;
    facet_boxes[i].center = vec4f(center, motion);
    facet_boxes[i].half = vec4f(half, radius);
    facet_boxes[i].velocity = vec4f(velocity, spread);
    let bucket = grid_bucket(grid_cell(center, bitcast<f32>(surface_list[CELL_BITS])), surface_list[FACET_MASK]);
    facet_next[i] = atomicExchange(&facet_heads[bucket], i);
    let largest = surface_list[FACET_MASK] + 1u;
    atomicMax(&facet_heads[largest], bitcast<u32>(max(half.x, max(half.y, half.z))));
    atomicMax(&facet_heads[largest + 1u], bitcast<u32>(motion));
}
