#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid, at the end of a substep, where a liquid confines its vorticity. The vorticity
// ω = Σ (v_j - v_i) × ∇W (Macklin and Müller 2013, eq. 15), times how strongly the liquid confines it.

@group(0) @binding(0) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> fluid_counts: array<u32>;
@group(1) @binding(4) var fluid_motions: texture_2d<u32>;
@group(1) @binding(5) var<storage, read> particle_confinements: array<f32>;
@group(1) @binding(6) var fluid_whirls: texture_storage_2d<rgba32uint, write>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let place = bitcast<vec3f>(textureLoad(fluid_places, row_at(s), 0).xyz);
    let motion = bitcast<vec3f>(textureLoad(fluid_motions, row_at(s), 0).xyz);
    var vorticity = vec3f(0.0);
    let end = neighbor_end(fluid, s, fluid_counts[s]);
    for (var n = s; n < end; n += fluid.particle_count) {
        let four = textureLoad(fluid_neighbors, row_at(n), 0);
        for (var k = 0u; k < 4u; k++) {
            let there = textureLoad(fluid_places, row_at(four[k]), 0);
            let other = bitcast<vec3f>(textureLoad(fluid_motions, row_at(four[k]), 0).xyz);
            let offset = place - vector_of(there);
            let volume = select(1.0, abs(volume_of(there)), MIXED);
            vorticity += volume * kernel_slope(fluid, kernel_base(fluid, offset)) * cross(other - motion, offset);
        }
    }
    let whirl = particle_confinements[sorted_particles[s]] * vorticity;
    textureStore(fluid_whirls, row_at(s), vec4u(bitcast<vec3u>(whirl), 0u));
}
