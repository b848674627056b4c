#import "common/params"
#import "common/body"
#import "common/contact"
#import "events/touch"
#import "common/thread"
// One thread per body that the host listens to, once its contacts are solved and before they move it. Notes what it touches of
// bodies and colliders.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> listened_count: ListenedCount;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> manifolds: array<Manifold>;
@group(1) @binding(2) var<storage, read> world_contacts: array<u32>;
@group(1) @binding(3) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(4) var<storage, read> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> colliders: array<Collider>;
@group(1) @binding(6) var<storage, read_write> listened: array<Listened>;
@group(1) @binding(7) var<storage, read_write> touches: array<Touch>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let row = global_index(id, groups);
    if row >= listened_count.rows || (listened[row].state & LISTENED_REMOVED) != 0u {
        return;
    }
    let body = listened[row].body;
    if params.collider_count > 0u {
        note_world(row, body);
    }
    for (var k = body * MANIFOLD_SLOTS + 1u; k < (body + 1u) * MANIFOLD_SLOTS && manifolds[k].other != NONE; k++) {
        if manifolds[k].twin != NONE {
            note_pair(row, body, k);
        }
    }
}

fn note_world(row: u32, body: u32) {
    let b = bodies[body];
    let world = manifolds[body * MANIFOLD_SLOTS];
    for (var c = 0u; c < world.count; c++) {
        let slot = world_contacts[world.first + c];
        if contacts[slot].touching == APART {
            continue;
        }
        let n = contacts[slot].normal;
        let point = contacts[slot].point;
        let index = u32(contacts[slot].partner);
        let collider = collider_at(colliders[index], batch.time);
        let other = collider.velocity + cross(collider.angular_velocity, point - collider.position);
        let closing = -dot(body_velocity_at(b, point - b.center) - other, n);
        note_touch(row, (THING_COLLIDER << THING_BITS) | index, point, n, contacts[slot].normal_impulse / params.substep_dt, closing);
    }
}

// The contacts that either body owns on the other.
fn note_pair(row: u32, body: u32, k: u32) {
    let pair = manifolds[k];
    let twin = manifolds[pair.twin];
    let b = bodies[body];
    let other = bodies[pair.other];
    for (var c = 0u; c < pair.count + twin.count; c++) {
        let owned_by_other = c < pair.count;
        let slot = reverse_contacts[select(twin.first + c - pair.count, pair.first + c, owned_by_other)].y;
        if contacts[slot].touching == APART {
            continue;
        }
        // Normals point towards the body that owns the particle.
        let n = select(1.0, -1.0, owned_by_other) * contacts[slot].normal;
        let point = contacts[slot].point;
        let closing = -dot(body_velocity_at(b, point - b.center) - body_velocity_at(other, point - other.center), n);
        note_touch(row, (THING_BODY << THING_BITS) | pair.other, point, n, contacts[slot].normal_impulse / params.substep_dt, closing);
    }
}
