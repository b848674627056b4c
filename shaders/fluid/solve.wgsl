#import "common/params"
#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid. Moves by what the steps of the multipliers push, its own and its neighbors': the same
// on both sides of a pair, so that momentum is kept. All of it becomes velocity, and so does the part of the pressure that the
// next substep begins with.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> fluid_boundaries: array<Boundary>;
@group(1) @binding(4) var fluid_steps: texture_2d<u32>;
@group(1) @binding(5) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(7) var<storage, read> fluid_counts: array<u32>;

// Liquid particles part that are nearer than this part of a spacing: the slope of the kernel vanishes at its center, so that
// pressure alone lets them fall into pairs, and a pair displaces less than two.
const APART: f32 = 1.0;
// Part of what they lack that a substep makes up: with much more they hold one another in a lattice, with less shaken water
// splashes over the rim of what holds it.
const PARTING: f32 = 0.06;
// In shorter substeps [s] it is less, to the power of 3/2: one that moves apart as far is the faster, and a block of liquid would stand as
// ice does. As stiff in each, which is the power of 2, it would hardly calm.
const SHORT_SUBSTEP: f32 = 1.0 / 480.0;
// Part of that between liquids of different density: they would hold one another in a lattice that the light one leaves slowly.
const UNLIKE: f32 = 0.06;
// Most that a particle is pushed in an iteration, of the support: 0.3 spacings.
const MOST_WAY: f32 = 0.15;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    let own = particle_velocities[i].w;
    let place = textureLoad(fluid_places, row_at(s), 0);
    let at = vector_of(place);
    let step = step_of(textureLoad(fluid_steps, row_at(s), 0));
    // The kernel's factors stand outside of the loops.
    let shrink = 1.0 / (fluid.support * fluid.support);
    let separation = APART * 0.5 * fluid.support;
    let end = neighbor_end(fluid, s, fluid_counts[s]);
    var push = vec3f(0.0);
    var kick = vec3f(0.0);
    var parting = vec3f(0.0);
    if !MIXED {
        for (var n = s; n < end; n += fluid.particle_count) {
            let four = textureLoad(fluid_neighbors, row_at(n), 0);
            for (var k = 0u; k < 4u; k++) {
                let other = textureLoad(fluid_steps, row_at(four[k]), 0);
                let offset = at - vector_of(other);
                let square = dot(offset, offset);
                let base = max(1.0 - shrink * square, 0.0);
                let slope = base * base * (step + step_of(other));
                push += slope.x * offset;
                kick += slope.y * offset;
                parting += lack(offset, square, s < four[k], separation);
            }
        }
        parting *= 0.5 / max(own, 1e-12);
    } else {
        let volume = abs(volume_of(place));
        for (var n = s; n < end; n += fluid.particle_count) {
            let four = textureLoad(fluid_neighbors, row_at(n), 0);
            for (var k = 0u; k < 4u; k++) {
                let other = textureLoad(fluid_places, row_at(four[k]), 0);
                let offset = at - vector_of(other);
                let square = dot(offset, offset);
                let base = max(1.0 - shrink * square, 0.0);
                let theirs = step_of(textureLoad(fluid_steps, row_at(four[k]), 0));
                let slope = base * base * (step * abs(volume_of(other)) + theirs * volume);
                push += slope.x * offset;
                kick += slope.y * offset;
                let weight = max(inverse_mass_of(place) + inverse_mass_of(other), 1e-12);
                let liquid = min(volume_of(place), volume_of(other)) > 0.0;
                let firm = select(UNLIKE, 1.0, inverse_mass_of(place) == inverse_mass_of(other));
                parting += select(0.0, firm / weight, liquid) * lack(offset, square, s < four[k], separation);
            }
        }
    }
    let slope_scale = kernel_slope(fluid, 1.0);
    push = slope_scale * push + parting_part() * parting;
    kick *= slope_scale;
    if fluid_boundaries[s].count != 0.0 {
        push += step.x * fluid_boundaries[s].push;
        kick += step.y * fluid_boundaries[s].push;
    }
    let v = particle_velocities[i];
    particles[i] = vec4f(particles[i].xyz + bounded(v.w * push), particles[i].w);
    particle_velocities[i] = vec4f(v.xyz + bounded(v.w * (push + kick)) / params.substep_dt, v.w);
}

fn parting_part() -> f32 {
    let short = min(params.substep_dt / SHORT_SUBSTEP, 1.0);
    return PARTING * short * sqrt(short);
}

// A way of a substep: what comes by most of a spacing in one, as a wave that hits a wall, would leave several times as fast, and what is
// pressed into one place would leave the world.
fn bounded(way: vec3f) -> vec3f {
    return way * min(1.0, MOST_WAY * fluid.support / max(length(way), 1e-20));
}

// What two particles lack to be `separation`, along their `offset` with this square. Those in one place part along x.
fn lack(offset: vec3f, square: f32, is_first: bool, separation: f32) -> vec3f {
    let least = 1e-4 * separation;
    let near = square < least * least;
    let way = vec3f(select(offset.x, select(-least, least, is_first), near), offset.yz);
    return max(separation * inverseSqrt(max(square, least * least)) - 1.0, 0.0) * way;
}
