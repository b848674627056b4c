#import "common/fluid"
#import "common/thread"
// One thread per member of the fluid, in the order of its grid. Brings places next to one another in memory.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_particles: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_volumes: array<f32>;
@group(1) @binding(4) var<storage, read_write> fluid_places: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.member_count {
        return;
    }
    let i = fluid_particles[s];
    var traits = 0u;
    if fluid.mixed != 0u {
        traits = packed(particle_volumes[i], particle_velocities[i].w);
    }
    fluid_places[s] = vec4f(particles[i].xyz, bitcast<f32>(traits));
}
