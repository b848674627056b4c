#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/thread"
// One thread per particle, after the host has changed something: contacts of a body that it has put elsewhere hold on to nothing where the
// body was. What was put elsewhere together keeps its grip, and what stands on a body that is moved by the host goes along.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> saved_bodies: array<Body>; // at the end of the last frame
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(3) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let first_target = target_base(i, params.contact_slots);
    let own = contact_targets[first_target - 1u];
    if own == NONE {
        return;
    }
    let counts = contact_targets[first_target - 2u];
    let elsewhere = was_put_elsewhere(own);
    for (var k = 0u; elsewhere && k < (counts & 0xffffu); k++) {
        lose_grip(slot_at(i, params.contact_capacity + k, params.particle_count));
    }
    for (var k = 0u; k < (counts >> 16u); k++) {
        let contact = contact_targets[first_target + k];
        if (contact & TARGET_KIND) != TARGET_BODY {
            continue;
        }
        let other = contact & TARGET_INDEX;
        if (elsewhere || was_put_elsewhere(other)) && are_parted(own, other) {
            lose_grip(slot_at(i, k, params.particle_count));
        }
    }
}

fn lose_grip(slot: u32) {
    contacts[slot].hold = 0.0;
    contacts[slot].warm_start = 0.0;
}

// Bodies that the host drives carry what stands on them.
fn was_put_elsewhere(body: u32) -> bool {
    return bodies[body].inv_mass > 0.0 && is_noticed(saved_bodies[body], bodies[body], body);
}

// Whether two bodies lie otherwise to each other than before.
fn are_parted(a: u32, b: u32) -> bool {
    return is_noticed(seen_from(saved_bodies[a], saved_bodies[b]), seen_from(bodies[a], bodies[b]), b);
}

fn seen_from(a: Body, b: Body) -> Body {
    var seen = b;
    seen.center = rotate_back(a.rotation, b.center - a.center);
    seen.rotation = quat_mul(quat_conjugate(a.rotation), b.rotation);
    return seen;
}

fn is_noticed(before: Body, now: Body, body: u32) -> bool {
    return way_from(before, now, body_properties[body].reach) > UNNOTICED * params.particle_radius;
}
