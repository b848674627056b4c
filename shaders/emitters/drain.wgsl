#import "common/body"
#import "common/control"
#import "common/store"
#import "fluid/fluid"
#import "common/thread"
// One thread per particle of a liquid or of grains, at the start of a frame. What is in a drain leaves the world.

struct Drain {
    center: vec4f,             // [m]; w: radius of a ball, 0 of a box [m]
    half: vec4f,               // of a box [m]
}

@group(1) @binding(0) var<storage, read> loose_particles: array<u32>;
@group(1) @binding(1) var<storage, read> drains: array<Drain>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_pressures: array<Pressure>;
@group(1) @binding(5) var<storage, read_write> particle_rows: array<ParticleRow>;
@group(1) @binding(6) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let m = global_index(id, groups);
    if m >= arrayLength(&loose_particles) {
        return;
    }
    let i = loose_particles[m];
    let at = particles[i];
    for (var k = 0u; k < arrayLength(&drains); k++) {
        let offset = at.xyz - drains[k].center.xyz;
        if length(offset) < drains[k].center.w || all(abs(offset) < drains[k].half.xyz) {
            particles[i] = vec4f(stored_at(i, at.w), at.w);
            particle_velocities[i] = vec4f(0.0);
            particle_pressures[i] = Pressure();
            particle_rows[i].sleeper = 0.0;
            atomicStore(&control.due, 1u);
        }
    }
}
