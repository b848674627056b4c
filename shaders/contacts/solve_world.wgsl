#import "contacts/manifold"
#import "common/thread"
// One thread per body that touches the world: its contacts with colliders, as one manifold.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> manifolds: array<Manifold>;
@group(1) @binding(3) var<storage, read> world_contacts: array<u32>;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> loads: Loads;
@group(1) @binding(6) var<storage, read> colliders: array<Collider>;
@group(1) @binding(7) var<storage, read_write> manifold_impulses: array<ManifoldImpulse>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= loads.heads[TOUCHING_WORLD].count {
        return;
    }
    let first_slot = loads.words[first_touching(TOUCHING_WORLD, params.manifold_slots, params.body_count, params.particle_count) + index];
    let i = first_slot / params.manifold_slots;
    let manifold = manifolds[first_slot];
    a = body_side(bodies[i], body_properties[i], loads.words[i], 1.0);
    share = share_of(f32(loads.words[touch_count(first_slot, params.body_count, params.particle_count)]));
    var collider = NONE;
    for (var sweep = 0u; sweep < SWEEPS; sweep++) {
        for (var start = 0u; start < manifold.count; start += 32u) {
            var touching = touching_from(manifold, start);
            while touching != 0u {
                let slot = world_contacts[manifold.first + start + firstTrailingBit(touching)];
                touching &= touching - 1u;
                let touched = contacts[slot].partner;
                if touched != collider {
                    collider = touched;
                    b = collider_side(collider_at(colliders[collider], batch.time));
                }
                solve_contact(slot, true, sweep == 0u, sweep == SWEEPS - 1u);
            }
        }
        sweep_done();
    }
    manifold_impulses[first_slot] = ManifoldImpulse(vec4f(push_a.linear, 1.0), vec4f(push_a.angular, 0.0),
        vec4f(push_a.velocity_linear, 0.0), vec4f(push_a.velocity_angular, 0.0),
        vec4f(warm_start_a.linear, 0.0), vec4f(warm_start_a.angular, 0.0));
}

// Of the 32 contacts from `start` on, those that touch.
fn touching_from(manifold: Manifold, start: u32) -> u32 {
    var bits = 0u;
    for (var k = start; k < min(start + 32u, manifold.count); k++) {
        bits |= select(0u, 1u << (k - start), touches(world_contacts[manifold.first + k]));
    }
    return bits;
}
