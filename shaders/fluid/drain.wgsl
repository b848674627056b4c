#import "common/params"
#import "fluid/fluid"
#import "fluid/store"
#import "common/thread"
// One thread per member of the fluid, at the start of a frame. Liquid in a drain leaves the world.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_particles: array<u32>;
@group(1) @binding(1) var<storage, read> particle_volumes: array<f32>;
@group(1) @binding(2) var<storage, read> drains: array<Drain>;
@group(1) @binding(3) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_pressures: array<Pressure>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let m = global_index(id, groups);
    if m >= fluid.particle_count {
        return;
    }
    let i = fluid_particles[m];
    if particle_volumes[i] <= 0.0 {
        return;
    }
    let place = particles[i].xyz;
    for (var k = 0u; k < arrayLength(&drains); k++) {
        let offset = place - drains[k].center.xyz;
        if length(offset) < drains[k].center.w || all(abs(offset) < drains[k].half.xyz) {
            particles[i] = vec4f(stored_at(i, fluid.store_pitch), particles[i].w);
            particle_velocities[i] = vec4f(0.0);
            particle_pressures[i] = Pressure();
        }
    }
}
