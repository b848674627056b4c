#import "common/params"
#import "common/grid"
#import "common/body"
#import "common/control"
#import "fluid/fluid"
#import "common/thread"
// One thread per proxy. Its place in its bucket is the number of smaller ids there: an order that never depends
// on timing. Writes what searches read, next to its neighbors in memory. What is no liquid marks the cells around it, so that
// liquid far from it need not look.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> proxy_buckets: array<u32>;
@group(1) @binding(1) var<storage, read_write> cell_starts: array<atomic<u32>>;
@group(1) @binding(2) var<storage, read> bucket_proxies: array<u32>;
@group(1) @binding(3) var<storage, read> proxy_positions: array<vec4f>;
@group(1) @binding(4) var<storage, read> proxies: array<Proxy>;
@group(1) @binding(5) var sorted_proxies: texture_storage_2d<rgba32uint, write>;
@group(1) @binding(6) var<storage, read_write> control: Control;
@group(1) @binding(7) var<storage, read> particle_velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.proxy_count {
        return;
    }
    let bucket = proxy_buckets[i];
    let first = atomicLoad(&cell_starts[bucket]);
    let end = atomicLoad(&cell_starts[bucket + 1u]);
    var rank = 0u;
    for (var k = first; k < end; k++) {
        rank += u32(bucket_proxies[k] < i);
    }
    let proxy = proxies[i];
    var phase = proxy.phase;
    if proxy.body == NONE && particle_velocities[proxy.particle].w == 0.0 {
        phase |= PHASE_STILL;
    }
    let row = SORTED_ROWS * (first + rank);
    textureStore(sorted_proxies, row_at(row), bitcast<vec4u>(proxy_positions[i]));
    textureStore(sorted_proxies, row_at(row + 1u), vec4u(i, proxy.body, proxy.particle, phase));
    let level = select(LARGE_CELLS, SMALL_CELLS, proxy.body == NONE);
    let center = grid_cell(proxy_positions[i].xyz, select(params.cell_size, params.small_cell_size, level == SMALL_CELLS));
    let felt = fluid.particle_count > 0u && (proxy.phase & (PHASE_GHOST | PHASE_LIQUID)) == 0u;
    for (var n = 0; n < select(0, 27, felt); n++) {
        let around = grid_bucket(center + around_cell(n), level, params.cell_mask);
        atomicStore(&cell_starts[mark_of(around, params.cell_mask)], control.searches);
    }
}
