#import "constraints/object"
#import "constraints/phantoms"
#import "common/thread"
// One thread per particle that constraints join, before the last color of a hybrid partition: its phantoms go where the colors before
// it moved it.

@group(1) @binding(0) var<storage, read> joined_particles: array<Joined>;
@group(1) @binding(1) var<storage, read_write> particle_moves: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= arrayLength(&joined_particles) {
        return;
    }
    let joined = joined_particles[index];
    for (var k = joined.first_phantom; k < joined.first_phantom + phantom_count(joined.phantoms); k++) {
        particle_moves[k] = vec4f(particle_moves[joined.particle].xyz, particle_moves[k].w);
    }
}
