#import "common/params"
#import "common/body"
#import "common/grid"
#import "search/margin"
#import "fluid/fluid"
#import "common/thread"
// One thread per proxy. Places it on its body or particle, finds its bucket and counts it there. Its reach is widened by
// how far its body or particle may move until the next search.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> proxies: array<Proxy>;
@group(1) @binding(2) var<storage, read> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> proxy_positions: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> proxy_buckets: array<u32>;
@group(1) @binding(5) var<storage, read_write> cell_counts: array<atomic<u32>>;
@group(1) @binding(6) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> particle_margins: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.proxy_count {
        return;
    }
    let proxy = proxies[i];
    var position: vec3f;
    var margin: f32;
    if proxy.body != NONE {
        let b = bodies[proxy.body];
        position = b.center + rotate(b.rotation, proxy.local.xyz);
        margin = b.margin;
    } else {
        position = particles[proxy.particle].xyz;
        let speed = length(particle_velocities[proxy.particle].xyz);
        margin = search_margin(way_ahead(speed, LASTING), proxy.local.w, MARGIN_MOST);
        if (proxy.phase & PHASE_LIQUID) != 0u {
            margin = max(margin, min(max(2.0 * LASTING * speed * params.substep_dt, proxy.local.w), fluid.contact_margin));
        }
        particle_margins[proxy.particle] = margin;
    }
    proxy_positions[i] = vec4f(position, proxy.local.w + margin);
    let level = select(LARGE_CELLS, SMALL_CELLS, proxy.body == NONE);
    let bucket = grid_bucket(grid_cell(position, select(params.cell_size, params.small_cell_size, proxy.body == NONE)), level, params.cell_mask);
    proxy_buckets[i] = bucket;
    atomicAdd(&cell_counts[bucket], 1u);
}
