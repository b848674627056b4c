#import "common/params"
#import "common/body"
#import "common/contact"
#import "events/note_free"
#import "common/thread"
// One thread per free particle that touches a body or another particle, once contacts are solved and before they move anything. Notes them.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read> loads: Loads;
@group(1) @binding(5) var<storage, read_write> free_touches: FreeTouches;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    note_row(global_index(id, groups));
    tell();
}

fn note_row(listed: u32) {
    if listed >= loads.heads[TOUCHING_PARTICLES].count {
        return;
    }
    let i = loads.words[first_touching(TOUCHING_PARTICLES, params.manifold_slots, params.body_count, params.particle_count) + listed];
    let first_target = target_base(i, params.contact_slots);
    let count = contact_targets[first_target - 2u] >> 16u;
    for (var k = 0u; k < count; k++) {
        let slot = slot_at(i, k, params.particle_count);
        if contacts[slot].touching != APART {
            note_contact(i, slot, contact_targets[first_target + k]);
        }
    }
}

fn note_contact(i: u32, slot: u32, contact: u32) {
    let own = free_touches.things[i];
    let index = contact & TARGET_INDEX;
    let n = contacts[slot].normal;
    let point = contacts[slot].point;
    let v = particle_velocities[i];
    var impulse = dot(contacts[slot].impulse, n);
    if (contact & TARGET_KIND) == TARGET_BODY {
        if contacts[slot].hold == WET {
            impulse += contacts[slot].grip.y;
        }
        let b = bodies[index];
        let closing = dot(body_velocity_at(b, point - b.center) - v.xyz, n);
        note_free(own, free_touches.things[params.particle_count + index], n, impulse / params.substep_dt, point, closing);
        return;
    }
    // Both own it: of two that move the lower thing tells, else the one that moves, whose contact is solved.
    let other = free_touches.things[index];
    let moves = v.w != 0.0;
    let tells = select((own & ~HEARD) < (other & ~HEARD), moves, moves != (particle_velocities[index].w != 0.0));
    if tells {
        let closing = dot(particle_velocities[index].xyz - v.xyz, n);
        note_free(own, other, n, select(0.0, impulse / params.substep_dt, moves), point, closing);
    }
}
