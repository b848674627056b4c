#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid. Brings velocities next to one another in memory, and what liquid each is of.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_liquids: array<vec2f>;
@group(1) @binding(3) var fluid_motions: texture_storage_2d<rgba32uint, write>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    let liquid = particle_liquids[i];
    textureStore(fluid_motions, row_at(s), vec4u(bitcast<vec3u>(particle_velocities[i].xyz), packed(liquid.x, liquid.y)));
}
