#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/thread"
// One thread per proxy. Places it on its body or particle, finds its bucket and counts it there.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> proxies: array<Proxy>;
@group(1) @binding(2) var<storage, read> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> proxy_positions: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> proxy_buckets: array<u32>;
@group(1) @binding(5) var<storage, read_write> cell_counts: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.proxy_count {
        return;
    }
    let proxy = proxies[i];
    var position: vec3f;
    if proxy.body != NONE {
        let b = bodies[proxy.body];
        position = b.center.xyz + rotate(b.rotation, proxy.local.xyz);
    } else {
        position = particles[proxy.particle].xyz;
    }
    proxy_positions[i] = vec4f(position, proxy.local.w);
    let bucket = grid_bucket(grid_cell(position, params.cell_size), params.cell_mask);
    proxy_buckets[i] = bucket;
    atomicAdd(&cell_counts[bucket], 1u);
}
