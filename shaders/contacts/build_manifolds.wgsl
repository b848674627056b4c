#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
#import "common/touched"
#import "common/thread"
#import "narrow_phase/precedes"
// One thread per body. Lists the bodies it may touch until the next search, with the contacts they own on it, and its
// own contacts with the world. Reads sorted lists in order, so the slots never depend on timing.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(1) var<storage, read> links: array<Link>;
@group(1) @binding(2) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(3) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(4) var<storage, read_write> reverse_contacts: array<vec2u>;
@group(1) @binding(5) var<storage, read_write> manifolds: array<Manifold>;
@group(1) @binding(6) var<storage, read_write> world_contacts: array<u32>;
@group(1) @binding(7) var<storage, read_write> control: Control;

var<private> base: u32;
var<private> used: u32;
var<private> missed: u32;      // contacts of pairs that found no slot

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    let p = body_properties[i];
    base = i * params.manifold_slots;
    used = 1u;
    let first_world = p.first_link * COLLIDER_SLOTS;
    var world_count = 0u;
    for (var k = p.first_link; k < p.first_link + p.link_count; k++) {
        if links[k].primary == 0u {
            continue;
        }
        let first_target = target_base(links[k].particle, params.contact_slots);
        let counts = contact_targets[first_target - 2u];
        for (var c = 0u; c < (counts & 0xffffu); c++) {
            world_contacts[first_world + world_count] = slot_at(links[k].particle, params.contact_capacity + c, params.particle_count);
            world_count += 1u;
        }
        for (var c = 0u; c < (counts >> 16u); c++) {
            let contact = contact_targets[first_target + c];
            if (contact & TARGET_KIND) == TARGET_BODY {
                slot_of(contact);
            } else if (contact & TARGET_KIND) == TARGET_PARTICLE {
                // Limiters meet as particles.
                slot_of(contact_targets[target_base(contact & TARGET_INDEX, params.contact_slots) - 1u]);
            }
        }
    }
    manifolds[base] = Manifold(NONE, first_world, world_count, NONE);
    let first = params.reverse_factor * p.first_reverse;
    let room = params.reverse_factor * p.reverse_capacity;
    let end = first + min(reverse_counts[i], room);
    if reverse_counts[i] > room {
        list_lowest(i, first, room);
    }
    for (var k = first; k < end; k++) {
        let owner = reverse_contacts[k].x;
        if owner == NONE {
            break;
        }
        let slot = slot_of(owner);
        if slot != NONE {
            if manifolds[slot].count == 0u {
                manifolds[slot].first = k;
            }
            manifolds[slot].count += 1u;
        }
    }
    // Who reads them stops there.
    if used < params.manifold_slots {
        manifolds[base + used].other = NONE;
    }
    if 4u * (used + missed) > 3u * params.manifold_slots {
        atomicMax(&control.manifolds_most, used + missed);
    }
}

// Which of too many contacts `narrow_phase/reverse` listed depends on timing: lists those of the lowest bodies instead, of each
// those of the lowest slots, and those of free particles last, as `narrow_phase/order` does.
fn list_lowest(body: u32, first: u32, room: u32) {
    var listed = 0u;
    for (var particle = 0u; particle < params.particle_count; particle++) {
        let targets = target_base(particle, params.contact_slots);
        let owner = contact_targets[targets - 1u];
        for (var k = 0u; k < (contact_targets[targets - 2u] >> 16u); k++) {
            let own = vec2u(owner, slot_at(particle, k, params.particle_count));
            if touched_body(contact_targets[targets + k]) != body || (listed == room && !precedes(own, reverse_contacts[first + room - 1u])) {
                continue;
            }
            var place = first + min(listed, room - 1u);
            for (; place > first && precedes(own, reverse_contacts[place - 1u]); place--) {
                reverse_contacts[place] = reverse_contacts[place - 1u];
            }
            reverse_contacts[place] = own;
            listed = min(listed + 1u, room);
        }
    }
}

fn slot_of(other: u32) -> u32 {
    for (var k = 1u; k < used; k++) {
        if manifolds[base + k].other == other {
            return base + k;
        }
    }
    if used >= params.manifold_slots {
        atomicAdd(&control.manifolds_dropped, 1u);
        missed += 1u;
        return NONE;
    }
    manifolds[base + used] = Manifold(other, 0u, 0u, NONE);
    used += 1u;
    return base + used - 1u;
}
