#import "common/params"
#import "common/fluid"
#import "common/thread"
// One thread per member of the fluid. C = Σ W - 1 over what displaces liquid here, air beside a surface too; its multiplier is a pressure, which only
// pushes: it adds up over iterations and substeps and is never less than 0, so what was pushed too far comes back.

@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_particles: array<u32>;
@group(1) @binding(1) var<storage, read> fluid_places: array<vec4f>;
@group(1) @binding(2) var<storage, read> fluid_neighbors: array<u32>;
@group(1) @binding(3) var<storage, read> fluid_walls: array<Walls>;
@group(1) @binding(4) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_pressures: array<f32>;
@group(1) @binding(6) var<storage, read_write> fluid_steps: array<vec2f>;

// All multipliers change at once: by as much as is stable. The shortest waves of the lattice answer 3.8 times as strongly as
// one multiplier alone, and 1.2 times is the most.
const RELAXATION: f32 = 0.3;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.member_count {
        return;
    }
    let place = fluid_places[s];
    let i = fluid_particles[s];
    let own = particle_velocities[i].w;
    if is_solid(fluid, place) {
        fluid_steps[s] = vec2f(0.0);
        return;
    }
    let count = fluid_neighbors[s];
    var fill = fluid.norm;
    var push = vec3f(0.0);
    var weight = 0.0;
    var lean = vec3f(0.0);
    if fluid.mixed == 0u {
        for (var k = 1u; k <= count; k++) {
            let offset = place.xyz - fluid_places[fluid_neighbors[neighbor_slot(fluid, s, k)]].xyz;
            let base = kernel_base(fluid, offset);
            fill += kernel_value(fluid, base);
            lean += base * offset;
            let gradient = kernel_slope(fluid, base) * offset;
            push += gradient;
            weight += dot(gradient, gradient);
        }
        weight *= own;
    } else {
        for (var k = 1u; k <= count; k++) {
            let other = fluid_places[fluid_neighbors[neighbor_slot(fluid, s, k)]];
            let volume = abs(volume_of(other));
            let offset = place.xyz - other.xyz;
            let base = kernel_base(fluid, offset);
            fill += volume * kernel_value(fluid, base);
            lean += volume * base * offset;
            let gradient = volume * kernel_slope(fluid, base) * offset;
            push += gradient;
            weight += inverse_mass_of(other) * dot(gradient, gradient);
        }
    }
    lean /= full_lean(fluid);
    if fluid_walls[s].count != 0.0 {
        lean += wall_lean(fluid, fluid_walls[s].push);
        fill += fluid_walls[s].fill;
        push += fluid_walls[s].push;
        weight += fluid_walls[s].give;
    }
    weight += own * dot(push, push);
    fill += beside_air(fluid, length(lean));
    let before = select(1.0, RECALL, batch.iteration == 0u) * particle_pressures[i];
    let after = max(before + RELAXATION * (fill - 1.0) / max(weight, 1e-12), 0.0);
    particle_pressures[i] = after;
    fluid_steps[s] = vec2f(after - before, select(0.0, RECALL * after, batch.last == 1u));
}
