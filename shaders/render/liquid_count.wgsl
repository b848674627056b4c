#import "render/liquid_grid"
// Counts the particles of liquids by cell. One thread stands for a particle of a liquid.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    let particle = particles[members[i].x];
    if is_drawn(particle) {
        let liquid = members[i].y;
        atomicAdd(&cells[bucket_of(cell_of(particle.xyz, liquid), liquid)].count, 1u);
    }
}
