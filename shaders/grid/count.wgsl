#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/thread"
// One thread per particle. Places it on its body, finds its bucket and counts it there.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_buckets: array<u32>;
@group(1) @binding(4) var<storage, read_write> cell_counts: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let row = particle_rows[i];
    var position = particles[i].xyz;
    if row.body != NONE {
        let b = bodies[row.body];
        position = b.center.xyz + rotate(b.rotation, row.local.xyz);
        particles[i] = vec4f(position, particles[i].w);
    }
    let bucket = grid_bucket(grid_cell(position, params.cell_size), params.cell_mask);
    particle_buckets[i] = bucket;
    atomicAdd(&cell_counts[bucket], 1u);
}
