#import "render/liquid_grid"
// Finds the bucket of each particle of a liquid and counts it there. One thread stands for a particle of a liquid.

@group(0) @binding(4) var<storage, read_write> member_buckets: array<u32>;
@group(0) @binding(5) var<storage, read_write> cell_counts: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    let particle = particles[members[i].x];
    // What is not drawn has no cell: it is spread evenly, so that it fills none.
    var bucket = i & liquid_grid.cell_mask;
    if is_drawn(particle) {
        let liquid = members[i].y;
        bucket = bucket_of(cell_of(particle.xyz, liquid), liquid);
    }
    member_buckets[i] = bucket;
    atomicAdd(&cell_counts[bucket], 1u);
}
