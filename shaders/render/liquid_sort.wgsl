#import "render/liquid_grid"
// Orders the particles of a cell, so that sums over them do not depend on timing. One thread stands for a particle of a
// liquid; its place is the number of those before it.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    let particle = particles[members[i].x];
    if !is_drawn(particle) {
        return;
    }
    let liquid = members[i].y;
    let bucket = bucket_of(cell_of(particle.xyz, liquid), liquid);
    let first = cells[bucket].first;
    var rank = 0u;
    for (var k = first; k < cells[bucket].end; k++) {
        rank += u32(places[k] < i);
    }
    sorted[first + rank] = Placed(particle.xyz, liquid, particle_velocities[members[i].x].xyz, 0.0);
}
