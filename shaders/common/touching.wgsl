#import "common/params"
#import "common/contact"
#import "common/friction"
#import "common/thread"
// Counts touching contacts by pair. The including kernel declares `loads` with atomics (GrowingLoads), and `contacts`.

// Counts a contact of the pair in this slot, of bodies `own` and `other` (NONE is the world). The first one gives the bodies
// their share of the pair (mass splitting, Tonge et al. 2012) and puts the pair into the `list`. The
// list's order depends on timing; nothing depends on the order.
fn count_touch(slot: u32, own: u32, other: u32, list: u32) {
    if atomicAdd(&loads.words[touch_count(slot, params.body_count, params.particle_count)], 1u) != 0u {
        return;
    }
    atomicAdd(&loads.words[own], 1u);
    if other != NONE {
        atomicAdd(&loads.words[other], 1u);
    }
    list_touching(list, slot);
}

// Counts a contact of a free particle; the first one puts the particle into the list of those that touch.
fn count_free_touch(particle: u32) {
    if atomicAdd(&loads.words[params.body_count + particle], 1u) % LOAD_COLLIDER == 0u {
        list_touching(TOUCHING_PARTICLES, particle);
    }
}

fn list_touching(list: u32, entry: u32) {
    let place = atomicAdd(&loads.heads[list].count, 1u);
    let groups = listed_groups(place, WORKGROUP);
    atomicMax(&loads.heads[list].groups[0], groups.x);
    atomicMax(&loads.heads[list].groups[1], groups.y);
    atomicStore(&loads.words[first_touching(list, params.manifold_slots, params.body_count, params.particle_count) + place], entry);
}

// A short gap keeps the grip of a free particle, so that a shaking contact does not creep; a longer one does not.
fn loosen(slot: u32) {
    if contacts[slot].separation > GRIP_KEPT * params.particle_radius && contacts[slot].hold == 1.0 {
        contacts[slot].hold = 0.0;
    }
}

// Friction holds what rolls at the point where it touches now, with the stretch that there is: the points that touched before turn away.
fn roll_on(slot: u32, own: Pose, other: Pose) {
    if contacts[slot].hold == 0.0 {
        return;
    }
    let point = contacts[slot].point;
    let held = other.center + rotate(other.rotation, contacts[slot].anchor);
    let stretch = tangential(own.center + rotate(own.rotation, contacts[slot].grip) - held, contacts[slot].normal);
    contacts[slot].grip = rotate_back(own.rotation, point - own.center);
    contacts[slot].anchor = rotate_back(other.rotation, point - stretch - other.center);
}

// The next substep begins without the impulse of this one, and nothing touches.
fn let_go(slot: u32) {
    // Most are at rest for long: nothing is written then.
    if contacts[slot].touching != APART || contacts[slot].warm_start != 0.0 {
        contacts[slot].touching = APART;
        contacts[slot].warm_start = 0.0;
    }
}
