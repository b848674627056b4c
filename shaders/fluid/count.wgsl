#import "fluid/fluid"
#import "common/thread"
// One thread per member of the fluid. Finds its bucket in the grid of the fluid and counts it there.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_particles: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> fluid_buckets: array<u32>;
@group(1) @binding(3) var<storage, read_write> fluid_cell_counts: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let m = global_index(id, groups);
    if m >= fluid.particle_count {
        return;
    }
    let bucket = fluid_bucket(fluid, fluid_cell(fluid, particles[fluid_particles[m]].xyz));
    fluid_buckets[m] = bucket;
    atomicAdd(&fluid_cell_counts[bucket], 1u);
}
