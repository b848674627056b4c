#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid, in the order of its grid. Brings places next to one another in memory.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_volumes: array<f32>;
@group(1) @binding(4) var fluid_places: texture_storage_2d<rgba32uint, write>;

// Where nobody is [m]: its square is still a number.
const FAR: f32 = 1e15;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    var traits = 0u;
    if MIXED {
        traits = packed(particle_volumes[i], particle_velocities[i].w);
    }
    textureStore(fluid_places, row_at(s), vec4u(bitcast<vec3u>(particles[i].xyz), traits));
    if s == 0u {
        textureStore(fluid_places, row_at(nobody(fluid)), vec4u(bitcast<vec3u>(vec3f(FAR)), 0u));
    }
}
