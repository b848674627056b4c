#import "common/params"
#import "common/body"
#import "common/contact"
#import "events/touch"
#import "common/thread"
// One thread per touching pair of bodies, once its contacts are solved and before they move anything. Adds them up for the one of the
// two that the host listens to, the lower one of both, until `events/gather`.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> manifolds: array<Manifold>;
@group(1) @binding(2) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read> loads: Loads;
@group(1) @binding(5) var<storage, read> listened_rows: array<u32>;
@group(1) @binding(6) var<storage, read_write> pair_touches: array<Touch>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= loads.heads[TOUCHING_MANIFOLDS].count {
        return;
    }
    let i = loads.words[first_touching(TOUCHING_MANIFOLDS, params.manifold_slots, params.body_count, params.particle_count) + index];
    let own = i / params.manifold_slots;
    let manifold = manifolds[i];
    let heard = listened_rows[own] != NONE;
    let other_heard = listened_rows[manifold.other] != NONE;
    if !heard && !other_heard {
        return;
    }
    // Of two that are listened to the lower one tells.
    let sum = sum_of(own, manifold);
    add(select(manifold.twin, i, heard), sum, select(-1.0, 1.0, heard), select(own, manifold.other, heard));
}

// What the lower body feels of the pair.
fn sum_of(own: u32, manifold: Manifold) -> Touch {
    let twin = manifolds[manifold.twin];
    let a = bodies[own];
    let b = bodies[manifold.other];
    var sum = UNTOUCHED;
    for (var k = 0u; k < manifold.count + twin.count; k++) {
        let owned_by_other = k < manifold.count;
        let slot = reverse_contacts[contact_of_pair(manifold, twin, k)].y;
        if contacts[slot].touching == APART {
            continue;
        }
        // Normals point towards the body that owns the particle.
        let n = select(1.0, -1.0, owned_by_other) * contacts[slot].normal;
        let point = contacts[slot].point;
        let impulse = contacts[slot].normal_impulse / params.substep_dt;
        let closing = -dot(body_velocity_at(a, point - a.center) - body_velocity_at(b, point - b.center), n);
        merge_touch(&sum, Touch(impulse * n, NOTHING, point, closing, n, impulse), 1.0);
    }
    return sum;
}

fn add(slot: u32, sum: Touch, sign: f32, other: u32) {
    var known = UNTOUCHED;
    if pair_touches[slot].thing != EMPTY {
        known = pair_touches[slot];
    }
    merge_touch(&known, sum, sign);
    known.thing = ((THING_BODY << THING_BITS) | other) + 1u;
    pair_touches[slot] = known;
}
