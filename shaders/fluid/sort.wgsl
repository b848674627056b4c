#import "fluid/fluid"
#import "common/thread"
// One thread per member of the fluid. Its place in its bucket is the number of smaller ones there: an order that never
// depends on timing. From here on members are counted in this order, next to their neighbors in memory.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_particles: array<u32>;
@group(1) @binding(1) var<storage, read> fluid_buckets: array<u32>;
@group(1) @binding(2) var<storage, read> fluid_cell_starts: array<u32>;
@group(1) @binding(3) var<storage, read> fluid_bucket_particles: array<u32>;
@group(1) @binding(4) var<storage, read_write> sorted_particles: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let m = global_index(id, groups);
    if m >= fluid.particle_count {
        return;
    }
    let bucket = fluid_buckets[m];
    let first = fluid_cell_starts[bucket];
    let end = fluid_cell_starts[bucket + 1u];
    var rank = 0u;
    for (var k = first; k < end; k++) {
        rank += u32(fluid_bucket_particles[k] < m);
    }
    sorted_particles[first + rank] = fluid_particles[m];
}
