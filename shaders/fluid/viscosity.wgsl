#import "common/params"
#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid, at the end of a substep. Velocities near one another become alike, as fast as the
// viscosity says (XSPH: Schechter and Bridson 2012), and particles of one liquid hold together (Akinci et al. 2013). Both
// are the same on both sides of a pair.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> fluid_counts: array<u32>;
@group(1) @binding(5) var fluid_motions: texture_2d<u32>;
@group(1) @binding(4) var<storage, read_write> particle_velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    let v = particle_velocities[i];
    let place = textureLoad(fluid_places, row_at(s), 0);
    let motion = textureLoad(fluid_motions, row_at(s), 0);
    let h = params.substep_dt / viscosity_sweeps(fluid, params.substep_dt);
    var push = vec3f(0.0);
    let end = neighbor_end(fluid, s, fluid_counts[s]);
    for (var n = s; n < end; n += fluid.particle_count) {
        let four = textureLoad(fluid_neighbors, row_at(n), 0);
        for (var k = 0u; k < 4u; k++) {
            let other = textureLoad(fluid_motions, row_at(four[k]), 0);
            let there = textureLoad(fluid_places, row_at(four[k]), 0);
            let offset = vector_of(place) - vector_of(there);
            let value = kernel_value(fluid, kernel_base(fluid, offset));
            let a = high_part(motion.w);
            let b = high_part(other.w);
            // What is no liquid has no viscosity of its own.
            let drag = select(0.5 * (a + b), max(a, b), min(a, b) == 0.0);
            let lightest = max(v.w, select(v.w, inverse_mass_of(there), MIXED));
            push += min(h * drag, MOST_DRAG / max(lightest, 1e-12)) * value * (vector_of(other) - vector_of(motion));
            let pull = min(low_part(motion.w), low_part(other.w));
            let distance = length(offset);
            push -= h * pull * cohesion(distance / fluid.support) / max(distance, 1e-9) * offset;
        }
    }
    particle_velocities[i] = vec4f(v.xyz + v.w * push, v.w);
}

// Force between two particles over their distance in kernel radii: it pulls, and pushes when they are near; 1 at most.
fn cohesion(q: f32) -> f32 {
    let both = (1.0 - q) * (1.0 - q) * (1.0 - q) * q * q * q;
    let near = 2.0 * both - 1.0 / 64.0;
    return 64.0 * select(select(0.0, both, q < 1.0), near, q < 0.5);
}
