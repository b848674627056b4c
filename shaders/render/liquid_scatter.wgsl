#import "render/liquid_grid"
// Puts the particles of liquids into their cells, and leaves the counts empty for the next frame. One thread stands for
// a particle of a liquid.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    if i == 0u {
        atomicStore(&cells[liquid_grid.cell_mask + 1u].count, 0u);
    }
    let particle = particles[members[i].x];
    if is_drawn(particle) {
        let liquid = members[i].y;
        let bucket = bucket_of(cell_of(particle.xyz, liquid), liquid);
        let slot = atomicSub(&cells[bucket].count, 1u) - 1u;
        places[cells[bucket].first + slot] = i;
    }
}
