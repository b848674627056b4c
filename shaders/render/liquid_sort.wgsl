#import "render/liquid_grid"
// Orders the particles of a bucket, so that sums over them do not depend on timing. One thread stands for a particle of a
// liquid; its place is the number of those before it.

@group(0) @binding(4) var<storage, read> particle_velocities: array<vec4f>; // [m/s]
@group(0) @binding(5) var<storage, read> member_buckets: array<u32>;
@group(0) @binding(6) var<storage, read> cell_starts: array<u32>;
@group(0) @binding(7) var<storage, read> bucket_members: array<u32>; // by bucket, in an order that depends on timing
@group(0) @binding(8) var<storage, read_write> sorted_members: array<Placed>; // by bucket, in order

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    let bucket = member_buckets[i];
    let first = cell_starts[bucket];
    var rank = 0u;
    for (var k = first; k < cell_starts[bucket + 1u]; k++) {
        rank += u32(bucket_members[k] < i);
    }
    let member = members[i];
    let particle = particles[member.x];
    let liquid = select(NO_LIQUID, member.y, is_drawn(particle));
    sorted_members[first + rank] = Placed(particle.xyz, liquid, particle_velocities[member.x].xyz, 0.0);
}
