#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/thread"
// One thread per body. Gathers what its pairs and the free particles on it do, always in the same order, then moves
// and turns by the sum. Takes down what the pairs left, for the next iteration.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> pair_pushes: array<PairPush>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(5) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(6) var<storage, read_write> loads: array<u32>;
@group(1) @binding(7) var<storage, read_write> body_shifts: array<Shift>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i == 0u {
        start_list(touched_pairs(params.body_count, params.particle_count));
        start_list(touched_world(params.body_count, params.particle_count));
        start_list(touched_free(params.body_count, params.particle_count));
    }
    if i >= params.body_count || loads[i] == 0u {
        return;
    }
    let woken = (loads[i] & LOAD_WAKE) != 0u;
    loads[i] = 0u;
    var push: Push;
    var carried: Carried;
    for (var k = i * PAIR_SLOTS; k < (i + 1u) * PAIR_SLOTS && pair_pushes[k].linear.w >= 0.0; k++) {
        if pair_pushes[k].linear.w != 0.0 {
            push.linear += pair_pushes[k].linear.xyz;
            push.angular += pair_pushes[k].angular.xyz;
            push.made_linear += pair_pushes[k].made_linear.xyz;
            push.made_angular += pair_pushes[k].made_angular.xyz;
            carried.linear += pair_pushes[k].carried_linear.xyz;
            carried.angular += pair_pushes[k].carried_angular.xyz;
            pair_pushes[k].linear.w = 0.0;
            loads[touch_count(k, params.body_count, params.particle_count)] = 0u;
        }
    }
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
    // Free particles own their contacts and come last in the list.
    let first = p.first_reverse;
    for (var k = first + min(reverse_counts[i], p.reverse_capacity); k > first && reverse_contacts[k - 1u].x == NONE; k--) {
        let slot = reverse_contacts[k - 1u].y;
        let wet = contacts[slot].anchor.w == WET;
        if wet || contacts[slot].point.w != 0.0 {
            var made = select(0.0, -contacts[slot].grip.y, wet) * contacts[slot].normal.xyz;
            var total = made;
            if contacts[slot].point.w != 0.0 {
                made -= contacts[slot].impulse.xyz;
                total = made - contacts[slot].impulse.w * contacts[slot].normal.xyz;
            }
            let arm = contacts[slot].point.xyz - b.center.xyz;
            if wet {
                let next = contacts[slot].grip.z * contacts[slot].normal.xyz + contacts[slot].anchor.xyz;
                carried.linear -= next;
                carried.angular -= cross(arm, next);
            }
            push.linear += total;
            push.angular += cross(arm, total);
            push.made_linear += made;
            push.made_angular += cross(arm, made);
        }
    }
    var shift = shifted(body_shifts[i], b, p, push);
    shift.carried_linear = vec4f(carried.linear, 0.0);
    shift.carried_angular = vec4f(carried.angular, 0.0);
    body_shifts[i] = shift;
    bodies[i] = body_pushed(b, p, push, params.gravity.w);
}

// Empties a list.
fn start_list(list: u32) {
    loads[list] = 0u;
    loads[list + 1u] = 1u;
    loads[list + 2u] = 1u;
    loads[list + 3u] = 0u;
}
