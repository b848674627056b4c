#import "common/params"
#import "common/body"
#import "common/contact"
#import "events/note"
#import "common/thread"
// One thread per body that touches the world, once its contacts are solved and before they move anything. Where the host listens to
// it, notes the colliders that it touches.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> manifolds: array<Manifold>;
@group(1) @binding(2) var<storage, read> world_contacts: array<u32>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read> colliders: array<Collider>;
@group(1) @binding(5) var<storage, read> loads: Loads;
@group(1) @binding(6) var<storage, read> listened_rows: array<u32>;
@group(1) @binding(7) var<storage, read_write> listened: array<Listened>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= loads.heads[TOUCHING_WORLD].count {
        return;
    }
    let first_slot = loads.words[first_touching(TOUCHING_WORLD, params.manifold_slots, params.body_count, params.particle_count) + index];
    let row = listened_rows[first_slot / params.manifold_slots];
    if row == NONE {
        return;
    }
    let b = bodies[first_slot / params.manifold_slots];
    let world = manifolds[first_slot];
    // A round for each collider, whose contacts follow one another: threads of a group wait for one another only so often.
    var c = next_touching(world, 0u);
    while c < world.count {
        let touched = contacts[world_contacts[world.first + c]].partner;
        let collider = collider_at(colliders[touched], batch.time);
        var sum = UNTOUCHED;
        sum.thing = (THING_COLLIDER << THING_BITS) | touched;
        while c < world.count && contacts[world_contacts[world.first + c]].partner == touched {
            let slot = world_contacts[world.first + c];
            let n = contacts[slot].normal;
            let point = contacts[slot].point;
            let impulse = contacts[slot].normal_impulse / params.substep_dt;
            let closing = -dot(body_velocity_at(b, point - b.center) - collider_velocity_at(collider, point), n);
            merge_touch(&sum, Touch(impulse * n, sum.thing, point, closing, n, impulse), 1.0);
            c = next_touching(world, c + 1u);
        }
        note_touch(row, sum);
    }
}

// The first contact from this one on that touches.
fn next_touching(world: Manifold, from_contact: u32) -> u32 {
    var c = from_contact;
    while c < world.count && contacts[world_contacts[world.first + c]].touching == APART {
        c += 1u;
    }
    return c;
}
