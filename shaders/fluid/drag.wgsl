#import "common/params"
#import "common/body"
#import "common/contact"
#import "fluid/walls"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid, after the viscosity between its members. Bodies and colliders take viscous liquid along
// as if liquid that moves with them filled them; implicit, so that it never does more than that. Notes what this does to
// bodies at the contact.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_places: texture_2d<u32>;
@group(1) @binding(2) var fluid_motions: texture_2d<u32>;
@group(1) @binding(3) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> bodies: array<Body>;
@group(1) @binding(6) var<storage, read> colliders: array<Collider>;
@group(1) @binding(7) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(8) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(9) var<storage, read_write> collider_gaps: array<ColliderGap>;

var<private> first_target: u32;
var<private> place: vec3f;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    let drag = params.substep_dt * high_part(textureLoad(fluid_motions, row_at(s), 0).w);
    if drag == 0.0 {
        return;
    }
    place = bitcast<vec3f>(textureLoad(fluid_places, row_at(s), 0).xyz);
    wall_mover = particle_velocities[i].xyz;
    find_walls(i, place);
    first_target = target_base(i, params.contact_slots);
    let count = contact_targets[first_target - 2u] >> 16u;
    if wall_count + count == 0u {
        return;
    }
    var fill = 0.0;
    // What the walls fill, times how fast they move [m/s].
    var drawn = vec3f(0.0);
    for (var k = 0u; k < wall_count; k++) {
        let part = half_space(fluid, walls[k].w);
        let c = collider_now(colliders[wall_colliders[k]], batch.time);
        fill += part;
        drawn += part * (collider_velocity_at(c, place - walls[k].w * walls[k].xyz) + running(c, walls[k].xyz));
    }
    for (var k = 0u; k < count; k++) {
        fill += fill_of(i, k);
    }
    let v = particle_velocities[i];
    let held = drag / (1.0 + v.w * drag * fill);
    var push = held * drawn;
    for (var k = 0u; k < wall_count; k++) {
        push -= held * half_space(fluid, walls[k].w) * v.xyz;
    }
    for (var k = 0u; k < count; k++) {
        let part = fill_of(i, k);
        if part > 0.0 {
            let slot = slot_at(i, k, params.particle_count);
            let b = bodies[contact_targets[first_target + k]];
            let impulse = held * part * (body_velocity_at(b, contacts[slot].point - b.center) - v.xyz);
            push += impulse;
            contacts[slot].anchor = params.substep_dt * impulse;
            contacts[slot].hold = WET;
        }
    }
    particle_velocities[i] = vec4f(v.xyz + v.w * push, v.w);
}

// What the body behind a slot displaces.
fn fill_of(i: u32, k: u32) -> f32 {
    if (contact_targets[first_target + k] & TARGET_KIND) != TARGET_BODY {
        return 0.0;
    }
    let contact = contacts[slot_at(i, k, params.particle_count)];
    return half_space(fluid, dot(place - contact.point, contact.normal));
}
