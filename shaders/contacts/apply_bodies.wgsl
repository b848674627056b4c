#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/thread"
// One thread per body. Gathers what its pairs and the free particles on it do, always in the same order, then moves
// and turns by the sum. Takes down what the pairs left, for the next iteration.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> manifold_impulses: array<ManifoldImpulse>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read> reverse_counts: array<u32>;
@group(1) @binding(5) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(6) var<storage, read_write> loads: Loads;
@group(1) @binding(7) var<storage, read_write> body_pseudo_motions: array<PseudoMotion>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i == 0u {
        loads.heads[TOUCHING_MANIFOLDS] = NO_ENTRIES;
        loads.heads[TOUCHING_WORLD] = NO_ENTRIES;
    }
    if i >= params.body_count || loads.words[i] == 0u {
        return;
    }
    let woken = (loads.words[i] & LOAD_WAKE) != 0u;
    loads.words[i] = 0u;
    var push: Push;
    var warm_start: WarmStart;
    for (var k = i * params.manifold_slots; k < (i + 1u) * params.manifold_slots && manifold_impulses[k].linear.w >= 0.0; k++) {
        if manifold_impulses[k].linear.w != 0.0 {
            push.linear += manifold_impulses[k].linear.xyz;
            push.angular += manifold_impulses[k].angular.xyz;
            push.velocity_linear += manifold_impulses[k].velocity_linear.xyz;
            push.velocity_angular += manifold_impulses[k].velocity_angular.xyz;
            warm_start.linear += manifold_impulses[k].warm_start_linear.xyz;
            warm_start.angular += manifold_impulses[k].warm_start_angular.xyz;
            manifold_impulses[k].linear.w = 0.0;
            loads.words[touch_count(k, params.body_count, params.particle_count)] = 0u;
        }
    }
    var b = bodies[i];
    let p = body_properties[i];
    // One that was let go of in this substep has its mass already.
    if woken && b.inv_mass == 0.0 {
        b.inv_mass = p.inv_mass;
        b.rest_time = 0.0;
    }
    if b.inv_mass == 0.0 {
        return;
    }
    // Free particles own their contacts and come last in the list.
    let first = params.reverse_factor * p.first_reverse;
    let capacity = params.reverse_factor * p.reverse_capacity;
    for (var k = first + min(reverse_counts[i], capacity); k > first && reverse_contacts[k - 1u].x == NONE; k--) {
        let slot = reverse_contacts[k - 1u].y;
        let wet = contacts[slot].hold == WET;
        if wet || contacts[slot].touching != APART {
            var velocity_part = select(0.0, -contacts[slot].grip.y, wet) * contacts[slot].normal;
            var total = velocity_part;
            if contacts[slot].touching != APART {
                velocity_part -= contacts[slot].impulse;
                total = velocity_part - contacts[slot].normal_impulse * contacts[slot].normal;
            }
            let arm = contacts[slot].point - b.center;
            if wet {
                let next = contacts[slot].grip.z * contacts[slot].normal + contacts[slot].anchor;
                warm_start.linear -= next;
                warm_start.angular -= cross(arm, next);
            }
            push.linear += total;
            push.angular += cross(arm, total);
            push.velocity_linear += velocity_part;
            push.velocity_angular += cross(arm, velocity_part);
        }
    }
    var shift = pseudo_moved(body_pseudo_motions[i], b, p, push);
    shift.warm_start_linear = vec4f(warm_start.linear, 0.0);
    shift.warm_start_angular = vec4f(warm_start.angular, 0.0);
    body_pseudo_motions[i] = shift;
    bodies[i] = body_pushed(b, p, push, params.substep_dt);
}
