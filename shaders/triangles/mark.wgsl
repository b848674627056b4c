#import "common/params"
#import "common/thread"
// One thread per particle, when surfaces are searched. Remembers where it begins this substep and how it moves.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> marked_places: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> marked_velocities: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.particle_count {
        marked_places[i] = vec4f(particle_origins[i].xyz, 0.0);
        marked_velocities[i] = particle_velocities[i];
    }
}
