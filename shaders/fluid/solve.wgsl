#import "common/params"
#import "common/fluid"
#import "common/thread"
// One thread per member of the fluid. Moves by what the steps of the multipliers push, its own and its neighbors': the same
// on both sides of a pair, so that momentum is kept. All of it becomes velocity, and so does the part of the pressure that the
// next substep begins with.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> fluid_particles: array<u32>;
@group(1) @binding(1) var<storage, read> fluid_places: array<vec4f>;
@group(1) @binding(2) var<storage, read> fluid_neighbors: array<u32>;
@group(1) @binding(3) var<storage, read> fluid_walls: array<Walls>;
@group(1) @binding(4) var<storage, read> fluid_steps: array<vec2f>;
@group(1) @binding(5) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> particle_velocities: array<vec4f>;

// Liquid particles do not come nearer than this part of a spacing: the slope of the kernel vanishes at its center, so that
// pressure alone lets them fall into pairs, and a pair displaces less than two.
const APART: f32 = 0.9;
// Part of what they lack that a substep makes up; several neighbors push at once.
const PARTING: f32 = 0.3;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.member_count {
        return;
    }
    let i = fluid_particles[s];
    let own = particle_velocities[i].w;
    let place = fluid_places[s];
    let step = fluid_steps[s];
    let count = fluid_neighbors[s];
    var push = vec3f(0.0);
    var kick = vec3f(0.0);
    if fluid.mixed == 0u {
        for (var k = 1u; k <= count; k++) {
            let j = fluid_neighbors[neighbor_slot(fluid, s, k)];
            let offset = place.xyz - fluid_places[j].xyz;
            let both = step + fluid_steps[j];
            let gradient = kernel_slope(fluid, kernel_base(fluid, offset)) * offset;
            push += both.x * gradient + parting(offset, s < j, 2.0 * own);
            kick += both.y * gradient;
        }
    } else {
        let volume = abs(volume_of(place));
        for (var k = 1u; k <= count; k++) {
            let j = fluid_neighbors[neighbor_slot(fluid, s, k)];
            let other = fluid_places[j];
            let offset = place.xyz - other.xyz;
            let both = step * abs(volume_of(other)) + fluid_steps[j] * volume;
            let gradient = kernel_slope(fluid, kernel_base(fluid, offset)) * offset;
            push += both.x * gradient;
            kick += both.y * gradient;
            if min(volume_of(place), volume_of(other)) > 0.0 {
                push += parting(offset, s < j, inverse_mass_of(place) + inverse_mass_of(other));
            }
        }
    }
    if fluid_walls[s].count != 0.0 {
        push += step.x * fluid_walls[s].push;
        kick += step.y * fluid_walls[s].push;
    }
    let v = particle_velocities[i];
    particles[i] = vec4f(particles[i].xyz + v.w * push, particles[i].w);
    particle_velocities[i] = vec4f(v.xyz + v.w * (push + kick) / params.gravity.w, v.w);
}

// What pushes a pair of particles apart along `offset` [kg m], for the sum of their inverse masses. Those in one place part
// along x.
fn parting(offset: vec3f, is_first: bool, weight: f32) -> vec3f {
    let distance = length(offset);
    let lack = APART * 0.5 * fluid.support - distance;
    if lack <= 0.0 {
        return vec3f(0.0);
    }
    let apart = vec3f(select(-1.0, 1.0, is_first), 0.0, 0.0);
    let normal = select(offset / distance, apart, distance < 1e-4 * fluid.support);
    return PARTING * lack / max(weight, 1e-12) * normal;
}
