#import "common/params"
#import "common/body"
#import "common/contact"
#import "fluid/fluid"
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

var<private> first_target: u32;
var<private> place: vec3f;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count {
        return;
    }
    let i = sorted_particles[s];
    first_target = target_base(i, params.contact_capacity);
    let counts = contact_targets[first_target - 2u];
    let drag = params.substep_dt * high_part(textureLoad(fluid_motions, row_at(s), 0).w);
    if counts == 0u || drag == 0.0 {
        return;
    }
    place = bitcast<vec3f>(textureLoad(fluid_places, row_at(s), 0).xyz);
    let colliders = counts & 0xffffu;
    let total = colliders + (counts >> 16u);
    var fill = 0.0;
    for (var n = 0u; n < total; n++) {
        fill += fill_of(i, wall_slot(n, colliders));
    }
    let v = particle_velocities[i];
    let held = drag / (1.0 + v.w * drag * fill);
    var push = vec3f(0.0);
    for (var n = 0u; n < total; n++) {
        let k = wall_slot(n, colliders);
        let part = fill_of(i, k);
        if part > 0.0 {
            let slot = slot_at(i, k, params.particle_count);
            let impulse = held * part * (wall_velocity(contact_targets[first_target + k], slot) - v.xyz);
            push += impulse;
            contacts[slot].anchor = params.substep_dt * impulse;
            contacts[slot].hold = WET;
        }
    }
    particle_velocities[i] = vec4f(v.xyz + v.w * push, v.w);
}

// What the wall behind a slot displaces.
fn fill_of(i: u32, k: u32) -> f32 {
    if (contact_targets[first_target + k] & TARGET_KIND) == TARGET_PARTICLE {
        return 0.0;
    }
    let contact = contacts[slot_at(i, k, params.particle_count)];
    return half_space(fluid, dot(place - contact.point, contact.normal));
}

fn wall_velocity(contact: u32, slot: u32) -> vec3f {
    let point = contacts[slot].point;
    if (contact & TARGET_KIND) == TARGET_BODY {
        let b = bodies[contact];
        return body_velocity_at(b, point - b.center);
    }
    let c = collider_at(colliders[u32(contacts[slot].partner)], batch.time);
    return c.velocity + cross(c.angular_velocity, point - c.position);
}
