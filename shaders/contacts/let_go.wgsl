#import "common/params"
#import "common/body"
#import "common/contact"
#import "contacts/hold"
// Where bodies touch: workgroups take groups of held bodies that joints tie together, and their threads body after body. Where
// something strikes one of them harder than its hold bears, all are let go of before the contact is solved: it finds their masses, and
// they keep their motion.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read_write> body_properties: array<BodyProperties>;
// As the last frame ended: what others let go of in this pass is not seen.
@group(1) @binding(2) var<storage, read> saved_bodies: array<Body>;
@group(1) @binding(3) var<storage, read> holds: array<Hold>;
@group(1) @binding(4) var<storage, read> manifolds: array<Manifold>;
@group(1) @binding(5) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(6) var<storage, read> contacts: array<Contact>;
@group(1) @binding(7) var<storage, read_write> control: Control;

@compute @workgroup_size(LET_GO_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let stride = groups.x * groups.y;
    for (var index = group.y * groups.x + group.x; index < holds[0].groups; index += stride) {
        hold_or_let_go(index, local);
    }
}

// Whether nothing strikes the body too hard.
fn bears(hold: u32) -> bool {
    let body = holds[hold].body;
    if (body_properties[body].flags & BODY_KINEMATIC) == 0u {
        return true;
    }
    for (var k = body * params.manifold_slots + 1u; k < (body + 1u) * params.manifold_slots; k++) {
        let pair = manifolds[k];
        if pair.other == NONE {
            return true;
        }
        if pair.twin == NONE || saved_bodies[pair.other].inv_mass == 0.0 {
            continue;
        }
        let twin = manifolds[pair.twin];
        for (var c = 0u; c < pair.count + twin.count; c++) {
            let own = c < pair.count;
            let slot = reverse_contacts[contact_of_pair(pair, twin, c)].y;
            if contacts[slot].touching != APART
                && impulse(body, pair.other, slot, select(-1.0, 1.0, own)) > holds[hold].strength {
                return false;
            }
        }
    }
    return true;
}

// What stops the other body at a contact, as far as it comes at this one by itself [N s]: what a moving hand pushes does not strike
// the hand. `side` turns the normal towards the other.
fn impulse(body: u32, other: u32, slot: u32, side: f32) -> f32 {
    let n = side * contacts[slot].normal;
    let point = contacts[slot].point;
    let held = bodies[body];
    let striking = bodies[other];
    let arm = point - striking.center;
    let coming = -dot(body_velocity_at(striking, arm), n);
    let closing = coming + dot(body_velocity_at(held, point - held.center), n);
    return min(coming, closing) / max(body_weight(striking, body_properties[other], arm, n), 1e-12);
}
