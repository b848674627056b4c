#import "common/params"
#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid, at the end of a frame. Liquid at rest would creep on for half a minute, each particle by itself:
// velocities of those that list one another become a little alike. The same on both sides of a pair, as all have one mass: not where liquids
// differ in density, as it is by creeping that the light one rises.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> fluid_counts: array<u32>;
@group(1) @binding(4) var fluid_motions: texture_2d<u32>;
@group(1) @binding(5) var<storage, read_write> particle_velocities: array<vec4f>;

// How fast a particle becomes as fast as what is around it [1/s].
const CALMING: f32 = 4.0;
// Neighbors in a lattice.
const AROUND: f32 = 32.0;
// Most of a difference in velocity that all of them take away in a frame.
const MOST_CALMED: f32 = 0.5;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let place = textureLoad(fluid_places, row_at(s), 0);
    if is_solid(fluid, place) {
        return;
    }
    let own = vector_of(textureLoad(fluid_motions, row_at(s), 0));
    let end = neighbor_end(fluid, s, fluid_counts[s]);
    var change = vec3f(0.0);
    if !MIXED {
        for (var n = s; n < end; n += fluid.particle_count) {
            let four = textureLoad(fluid_neighbors, row_at(n), 0);
            for (var k = 0u; k < 4u; k++) {
                let other = vector_of(textureLoad(fluid_motions, row_at(four[k]), 0));
                change += select(other - own, vec3f(0.0), four[k] == nobody(fluid));
            }
        }
    } else {
        for (var n = s; n < end; n += fluid.particle_count) {
            let four = textureLoad(fluid_neighbors, row_at(n), 0);
            for (var k = 0u; k < 4u; k++) {
                let there = textureLoad(fluid_places, row_at(four[k]), 0);
                let other = vector_of(textureLoad(fluid_motions, row_at(four[k]), 0));
                change += select(other - own, vec3f(0.0), is_solid(fluid, there) || four[k] == nobody(fluid));
            }
        }
    }
    let part = min(CALMING * params.dt / AROUND, MOST_CALMED / f32(fluid.slots));
    let i = sorted_particles[s];
    let v = particle_velocities[i];
    particle_velocities[i] = vec4f(v.xyz + part * change, v.w);
}
