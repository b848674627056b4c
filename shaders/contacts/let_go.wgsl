#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
// Where bodies touch: workgroups take groups of held bodies that joints tie together, and their threads body after body. Where
// something strikes one of them harder than its hold bears, all are let go of before the contact is solved: it finds their masses, and
// they keep their motion.

// A body held with an end to its strength.
struct Hold {
    properties: BodyProperties, // once it is let go of
    body: u32,
    strength: f32,             // most impulse that it bears [N s]
    first: u32,                // hold with which the group of this number begins; one row more than holds has the end
    groups: u32,               // in the first row, how many there are
}

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

// Threads of a workgroup.
const LET_GO_THREADS: u32 = 32u;
// Fastest that a body goes on that is let go of, at its center and at its rim [m/s].
const FASTEST_RELEASED: f32 = 15.0;

var<workgroup> struck: atomic<u32>;
var<workgroup> seen: u32;

@compute @workgroup_size(LET_GO_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let stride = groups.x * groups.y;
    for (var index = group.y * groups.x + group.x; index < holds[0].groups; index += stride) {
        let first = holds[index].first + local;
        let end = holds[index + 1u].first;
        if !all_bear(first, end, local) {
            for (var k = first; k < end; k += LET_GO_THREADS) {
                let_go(k);
            }
            if local == 0u {
                atomicAdd(&control.let_go, 1u);
            }
        }
    }
}

// Whether nothing strikes any of the bodies too hard; the same for all threads.
fn all_bear(first: u32, end: u32, local: u32) -> bool {
    if local == 0u {
        atomicStore(&struck, 0u);
    }
    workgroupBarrier();
    for (var k = first; k < end; k += LET_GO_THREADS) {
        if !bears(k) {
            atomicStore(&struck, 1u);
        }
    }
    workgroupBarrier();
    if local == 0u {
        seen = atomicLoad(&struck);
    }
    return workgroupUniformLoad(&seen) == 0u;
}

// Whether nothing strikes the body too hard.
fn bears(hold: u32) -> bool {
    let body = holds[hold].body;
    if (body_properties[body].flags & BODY_KINEMATIC) == 0u {
        return true;
    }
    for (var k = body * MANIFOLD_SLOTS + 1u; k < (body + 1u) * MANIFOLD_SLOTS; k++) {
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
            let slot = reverse_contacts[select(twin.first + c - pair.count, pair.first + c, own)].y;
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

fn let_go(k: u32) {
    let hold = holds[k];
    if (body_properties[hold.body].flags & BODY_KINEMATIC) == 0u {
        return;
    }
    body_properties[hold.body] = hold.properties;
    var b = bodies[hold.body];
    b.inv_mass = hold.properties.inv_mass;
    b.rest_time = 0.0;
    b.velocity = shortened(b.velocity, FASTEST_RELEASED);
    b.angular_velocity = shortened(b.angular_velocity, FASTEST_RELEASED / max(hold.properties.reach, 1e-6));
    bodies[hold.body] = b;
}
