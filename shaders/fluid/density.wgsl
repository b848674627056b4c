#import "common/params"
#import "fluid/fluid"
#import "common/row"
#import "common/store"
#import "common/thread"
// One thread per member of the fluid. C = Σ W - 1 over what displaces liquid here, air beside a surface too; its multiplier is a pressure, which only
// pushes: it adds up over iterations and substeps and is never less than 0, so what was pushed too far comes back.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> fluid_boundaries: array<Boundary>;
@group(1) @binding(4) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read_write> particle_pressures: array<Pressure>;
@group(1) @binding(6) var fluid_steps: texture_storage_2d<rgba32uint, write>;
@group(1) @binding(7) var<storage, read> fluid_counts: array<u32>;

// All multipliers change at once: by as much as is stable. The shortest waves of the lattice answer 3.8 times as strongly as
// one multiplier alone, and 1.2 times is the most.
const RELAXATION: f32 = 0.3;
// Liquid that flows packs its particles so much more tightly than the lattice by which the kernel is scaled.
const PACKING: f32 = 1.005;

// Liquid that begins fuller than at rest, a little where it is poured up to walls, much where it is poured too tightly, may stay
// so at first, and spreads in this time [s]: at once it would leave the faster the shorter the substeps.
const EASING: f32 = 0.05;
// Most of it that spreads in that time.
const MOST_EASED: f32 = 0.02;
// What the air beside a surface counts follows in this time [s]: one that moves out leans more, counts more of it and is pushed further out,
// which would grow in every substep.
const AIR_DELAY: f32 = 0.016;
// It counts at most so much too much, in particles: what falls into liquid would splash for want of room.
const MOST_LATE: f32 = 0.04;

// Least that one gives way, of what it would with one neighbor at each side: deep in a wall nothing near it changes how full it is, and no
// pressure would be too high for it.
const LEAST_GIVE: f32 = 0.1;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    if s == 0u {
        textureStore(fluid_steps, row_at(nobody(fluid)), textureLoad(fluid_places, row_at(nobody(fluid)), 0));
    }
    let place = textureLoad(fluid_places, row_at(s), 0);
    let at = vector_of(place);
    let i = sorted_particles[s];
    let own = particle_velocities[i].w;
    if is_solid(fluid, place) {
        textureStore(fluid_steps, row_at(s), vec4u(place.xyz, 0u));
        return;
    }
    // What is not in the world has no mass, so that no pressure is too high for it: it must not bring one back.
    if is_stored(at) {
        particle_pressures[i] = Pressure();
        textureStore(fluid_steps, row_at(s), vec4u(place.xyz, 0u));
        return;
    }
    // The kernel's factors stand outside of the loops: sums of powers of the base inside.
    let shrink = 1.0 / (fluid.support * fluid.support);
    let end = neighbor_end(fluid, s, fluid_counts[s]);
    var values = 0.0;
    var push = vec3f(0.0);
    var weight = 0.0;
    var lean = vec3f(0.0);
    if !MIXED {
        for (var n = s; n < end; n += fluid.particle_count) {
            let four = textureLoad(fluid_neighbors, row_at(n), 0);
            for (var k = 0u; k < 4u; k++) {
                let offset = at - vector_of(textureLoad(fluid_places, row_at(four[k]), 0));
                let square = dot(offset, offset);
                let base = max(1.0 - shrink * square, 0.0);
                let slope = base * base;
                values += slope * base;
                lean += base * offset;
                push += slope * offset;
                weight += slope * slope * square;
            }
        }
        weight *= own;
    } else {
        for (var n = s; n < end; n += fluid.particle_count) {
            let four = textureLoad(fluid_neighbors, row_at(n), 0);
            for (var k = 0u; k < 4u; k++) {
                let other = textureLoad(fluid_places, row_at(four[k]), 0);
                let volume = abs(volume_of(other));
                let offset = at - vector_of(other);
                let square = dot(offset, offset);
                let base = max(1.0 - shrink * square, 0.0);
                let slope = volume * base * base;
                values += slope * base;
                lean += volume * base * offset;
                push += slope * offset;
                weight += inverse_mass_of(other) * slope * slope * square;
            }
        }
    }
    var fill = fluid.norm * (1.0 + values);
    let slope_scale = kernel_slope(fluid, 1.0);
    push *= slope_scale;
    weight *= slope_scale * slope_scale;
    lean /= full_lean(fluid);
    if fluid_boundaries[s].count != 0.0 {
        lean += wall_lean(fluid, fluid_boundaries[s].push);
        fill += fluid_boundaries[s].fill;
        push += fluid_boundaries[s].push;
        weight += fluid_boundaries[s].give;
    }
    weight += own * dot(push, push);
    let kept = particle_pressures[i];
    let air = air_beside(length(lean), kept);
    let full = PACKING * (fill + air);
    let most = most_full(s, full, kept.most);
    let before = select(1.0, RECALL, batch.iteration == 0u) * kept.multiplier;
    let more = RELAXATION * (full - most) / max(weight, least_give(own, slope_scale * fluid.support));
    let after = select(max(before + more, 0.0), 0.0, most == 0.0);
    particle_pressures[i] = Pressure(after, most, air);
    let step = packed(after - before, select(0.0, RECALL * after, batch.last == 1u));
    textureStore(fluid_steps, row_at(s), vec4u(place.xyz, step));
}

// What the air counts beside one with this lean.
fn air_beside(lean: f32, kept: Pressure) -> f32 {
    let air = beside_air(fluid, lean);
    if kept.most == 0.0 {
        return air;
    }
    let now = select(0.0, min(params.substep_dt / AIR_DELAY, 1.0), batch.iteration == 0u);
    return min(mix(kept.air, air, now), air + MOST_LATE);
}

// How full it may be for now; `before` says the same of the last time, 0 where that is not known. Nor is it while the list of neighbors is too
// short.
fn most_full(s: u32, full: f32, before: f32) -> f32 {
    if before == 0.0 {
        return select(max(full, 1.0), 0.0, fluid_counts[s] >= fluid.slots);
    }
    if batch.iteration > 0u {
        return before;
    }
    return before - min(before - 1.0, MOST_EASED) * min(params.substep_dt / EASING, 1.0);
}

// See `LEAST_GIVE`; `reach` is the slope of the kernel times how far it reaches.
fn least_give(own: f32, reach: f32) -> f32 {
    return LEAST_GIVE * max(own, 1e-12) * reach * reach;
}
