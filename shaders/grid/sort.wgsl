#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/thread"
// One thread per particle. Its place in its bucket is the number of smaller ids there: an order that never depends
// on timing. Writes what searches read, next to its neighbors in memory.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_buckets: array<u32>;
@group(1) @binding(1) var<storage, read> cell_starts: array<u32>;
@group(1) @binding(2) var<storage, read> bucket_particles: array<u32>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(5) var<storage, read_write> sorted_particles: array<SortedParticle>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let bucket = particle_buckets[i];
    let first = cell_starts[bucket];
    let end = cell_starts[bucket + 1u];
    var rank = 0u;
    for (var k = first; k < end; k++) {
        rank += u32(bucket_particles[k] < i);
    }
    let row = particle_rows[i];
    sorted_particles[first + rank] = SortedParticle(particles[i], i, row.body, row.phase, 0u);
}
