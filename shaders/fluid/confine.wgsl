#import "common/params"
#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid, after `fluid/vorticity`. Vorticity confinement: ε d² ∇×ω, which speeds up the rim of an
// eddy as ε N × ω does (Macklin and Müller 2013, eq. 16), but is a sum over pairs that pushes both sides alike, so that momentum
// is kept.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> fluid_counts: array<u32>;
@group(1) @binding(4) var fluid_whirls: texture_2d<u32>;
@group(1) @binding(5) var<storage, read_write> particle_velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    let v = particle_velocities[i];
    let place = textureLoad(fluid_places, row_at(s), 0);
    let whirl = bitcast<vec3f>(textureLoad(fluid_whirls, row_at(s), 0).xyz);
    var push = vec3f(0.0);
    let end = neighbor_end(fluid, s, fluid_counts[s]);
    for (var n = s; n < end; n += fluid.particle_count) {
        let four = textureLoad(fluid_neighbors, row_at(n), 0);
        for (var k = 0u; k < 4u; k++) {
            let there = textureLoad(fluid_places, row_at(four[k]), 0);
            let other = bitcast<vec3f>(textureLoad(fluid_whirls, row_at(four[k]), 0).xyz);
            let offset = vector_of(place) - vector_of(there);
            // The lighter one says how much, so that neither is thrown.
            let lightest = select(v.w, max(inverse_mass_of(place), inverse_mass_of(there)), MIXED);
            push += kernel_slope(fluid, kernel_base(fluid, offset)) / max(lightest, 1e-12) * cross(whirl + other, offset);
        }
    }
    particle_velocities[i] = vec4f(v.xyz + params.substep_dt * v.w * push, v.w);
}
