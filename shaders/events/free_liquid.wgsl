#import "common/params"
#import "fluid/walls"
#import "common/row"
#import "events/note_free"
#import "common/thread"
// One thread per member of the fluid, once its pressure is solved. Notes what the pressure of a particle of liquid presses on: colliders, what
// stands in the liquid, other liquids.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> fluid: Fluid;
@group(0) @binding(3) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_neighbors: texture_2d<u32>;
@group(1) @binding(3) var fluid_steps: texture_2d<u32>;
@group(1) @binding(4) var<storage, read> colliders: array<Collider>;
@group(1) @binding(5) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(6) var<storage, read_write> collider_gaps: array<ColliderGap>;
@group(1) @binding(7) var<storage, read> fluid_counts: array<u32>;
@group(1) @binding(8) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(9) var<storage, read> fluid_boundaries: array<Boundary>;
@group(1) @binding(10) var<storage, read_write> free_touches: FreeTouches;

var<private> own: u32;
var<private> at: vec3f;
var<private> velocity: vec3f;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    note_row(global_index(id, groups));
    tell();
}

fn note_row(s: u32) {
    if s >= fluid.particle_count {
        return;
    }
    let row = textureLoad(fluid_places, row_at(s), 0);
    let i = sorted_particles[s];
    own = free_touches.things[i];
    if own == UNNAMED || is_solid(fluid, row) {
        return;
    }
    at = vector_of(row);
    velocity = particle_velocities[i].xyz;
    let pressure = step_of(textureLoad(fluid_steps, row_at(s), 0));
    // `fluid/boundary` has found them at this place.
    let boundary = fluid_boundaries[s];
    wall_count = 0u;
    if pressure.x + pressure.y != 0.0 && boundary.count != 0.0 && boundary.wall != 0u {
        if boundary.wall == MANY_WALLS {
            find_walls(i, at);
        } else {
            find_wall(boundary.wall - 1u, at, fluid.support / LIQUID_SUPPORT);
        }
    }
    for (var k = 0u; k < wall_count; k++) {
        press_on_wall(wall_colliders[k], walls[k], pressure.x + pressure.y);
    }
    // One liquid without anything in it presses on itself only.
    let alone = thing_counts.grains - thing_counts.liquids == 1u;
    let end = select(neighbor_end(fluid, s, fluid_counts[s]), s, alone && !MIXED);
    for (var n = s; n < end; n += fluid.particle_count) {
        let four = textureLoad(fluid_neighbors, row_at(n), 0);
        for (var k = 0u; k < 4u; k++) {
            let place = textureLoad(fluid_places, row_at(four[k]), 0);
            let near = four[k] != nobody(fluid) && kernel_base(fluid, at - vector_of(place)) > 0.0;
            if near && !(alone && !is_solid(fluid, place)) {
                press_on(four[k], place, row, pressure);
            }
        }
    }
}

fn press_on_wall(index: u32, wall: vec4f, pressure: f32) {
    let impulse = pressure * half_space_slope(fluid, wall.w) / params.substep_dt;
    if impulse != 0.0 {
        let c = collider_now(colliders[index], batch.time);
        let point = at - wall.w * wall.xyz;
        let closing = dot(collider_velocity_at(c, point) - velocity, wall.xyz);
        note_free(own, free_touches.things[params.particle_count + thing_counts.colliders + index], wall.xyz, impulse, point, closing);
    }
}

fn press_on(member: u32, place: vec4u, row: vec4u, pressure: vec2f) {
    let i = sorted_particles[member];
    let other = free_touches.things[i];
    // Of two liquids the lower one tells.
    if other == own || (!is_solid(fluid, place) && (own & ~HEARD) > (other & ~HEARD)) {
        return;
    }
    let offset = at - vector_of(place);
    var volumes = vec2f(1.0);
    if MIXED {
        volumes = abs(vec2f(volume_of(place), volume_of(row)));
    }
    let steps = pressure * volumes.x + step_of(textureLoad(fluid_steps, row_at(member), 0)) * volumes.y;
    let distance = length(offset);
    let impulse = (steps.x + steps.y) * kernel_slope(fluid, kernel_base(fluid, offset)) * distance / params.substep_dt;
    if impulse != 0.0 && distance > 0.0 {
        let n = offset / distance;
        note_free(own, other, n, impulse, at - 0.5 * offset, dot(particle_velocities[i].xyz - velocity, n));
    }
}
