// Orders the particles of a cell, so that sums over them do not depend on timing. One thread stands for a particle of a
// liquid; its place is the number of those before it.

#import "render/liquid_grid"

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    let particle = particles[members[i].x];
    if !is_drawn(particle) {
        return;
    }
    let liquid = members[i].y;
    let range = cell_ranges[bucket_of(cell_of(particle.xyz, liquid), liquid)];
    var rank = 0u;
    for (var k = range.x; k < range.y; k++) {
        rank += u32(places[k] < i);
    }
    sorted[range.x + rank] = vec4<f32>(particle.xyz, f32(liquid));
}
