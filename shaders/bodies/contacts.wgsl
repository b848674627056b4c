#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/thread"
// One thread per body. Gathers the impulses of its particles' contacts and of the contacts that others own, always in
// the same order, then moves and turns the body by their sum. The push out of old overlap makes no velocity.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> links: array<Link>;
@group(1) @binding(3) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(4) var<storage, read> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(6) var<storage, read> reverse_contacts: array<u32>;
@group(1) @binding(7) var<storage, read_write> loads: array<u32>;

var<private> push: Push;
var<private> center: vec3f;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || loads[i] == 0u {
        return;
    }
    let woken = (loads[i] & LOAD_WAKE) != 0u;
    loads[i] = 0u;
    var b = bodies[i];
    let p = body_properties[i];
    if woken {
        b.center.w = p.inverse_inertia.w;
        b.velocity.w = 0.0;
        bodies[i] = b;
        return;
    }
    if b.center.w == 0.0 {
        return;
    }
    center = b.center.xyz;
    for (var k = p.first_link; k < p.first_link + p.link_count; k++) {
        if links[k].primary != 0u {
            gather_particle(links[k].particle);
        }
    }
    let end = p.first_reverse + min(reverse_counts[i], p.reverse_capacity);
    for (var k = p.first_reverse; k < end; k++) {
        gather(reverse_contacts[k], -1.0);
    }
    bodies[i] = body_pushed(b, p, push, params.gravity.w);
}

fn gather_particle(particle: u32) {
    let first_slot = slot_base(particle, params.contact_capacity);
    let counts = contact_targets[target_base(particle, params.contact_capacity) - 2u];
    for (var k = 0u; k < (counts & 0xffffu); k++) {
        gather(first_slot + k, 1.0);
    }
    for (var k = COLLIDER_SLOTS; k < COLLIDER_SLOTS + (counts >> 16u); k++) {
        gather(first_slot + k, 1.0);
    }
}

fn gather(slot: u32, side: f32) {
    let share = contacts[slot].point.w;
    if share == 0.0 {
        return;
    }
    let scale = select(-share, 1.0, side > 0.0);
    let impulse = scale * contacts[slot].impulse.xyz;
    let total = impulse + scale * contacts[slot].impulse.w * contacts[slot].normal.xyz;
    let arm = contacts[slot].point.xyz - center;
    push.linear += total;
    push.angular += cross(arm, total);
    push.made_linear += impulse;
    // Half of how far the centers pass each other in this substep: then p × P is the same on both sides.
    push.made_angular += cross(arm + side * contacts[slot].passing.xyz, impulse);
}
