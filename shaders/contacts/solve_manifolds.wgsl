#import "contacts/manifold"
#import "common/thread"
// One thread per touching pair of bodies. Writes what the pair does to each.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> manifolds: array<Manifold>;
@group(1) @binding(3) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> loads: Loads;
@group(1) @binding(6) var<storage, read_write> manifold_impulses: array<ManifoldImpulse>;

var<private> manifold: Manifold;
var<private> twin: Manifold;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= loads.heads[TOUCHING_MANIFOLDS].count {
        return;
    }
    let i = loads.words[first_touching(TOUCHING_MANIFOLDS, params.manifold_slots, params.body_count, params.particle_count) + index];
    let own = i / params.manifold_slots;
    manifold = manifolds[i];
    twin = manifolds[manifold.twin];
    // Lower counts as heavier when mass scaling is on (Macklin et al. 2014, section 5.2).
    let lift = params.mass_scaling * (bodies[own].center.y - bodies[manifold.other].center.y);
    let scale = exp(clamp(0.5 * lift, -3.0, 3.0));
    a = body_side(bodies[own], body_properties[own], loads.words[own], scale);
    b = body_side(bodies[manifold.other], body_properties[manifold.other], loads.words[manifold.other], 1.0 / scale);
    parts = true;
    share = share_of(f32(loads.words[touch_count(i, params.body_count, params.particle_count)]));
    for (var sweep = 0u; sweep < SWEEPS; sweep++) {
        for (var start = 0u; start < manifold.count + twin.count; start += 32u) {
            // Those that touch, as bits, so that threads side by side do not wait at contacts that are apart.
            var touching = touching_from(start);
            while touching != 0u {
                let k = start + firstTrailingBit(touching);
                touching &= touching - 1u;
                solve_contact(slot_of(k), k >= manifold.count, sweep == 0u, sweep == SWEEPS - 1u);
            }
        }
        sweep_done();
    }
    // Half of how far the centers pass each other in this substep: with it p × P is the same on both sides, and angular
    // momentum is kept; beside what nothing moves none is.
    let kept = select(1.0, 0.0, a.inv_mass == 0.0 || b.inv_mass == 0.0);
    let passing = 0.5 * kept * params.substep_dt * (a.velocity - b.velocity);
    push_a.velocity_angular += cross(passing, push_a.linear);
    push_b.velocity_angular += cross(passing, push_a.linear);
    manifold_impulses[i] = ManifoldImpulse(vec4f(scale * push_a.linear, 1.0), vec4f(scale * push_a.angular, 0.0),
        vec4f(scale * push_a.velocity_linear, 0.0), vec4f(scale * push_a.velocity_angular, 0.0),
        vec4f(scale * warm_start_a.linear, 0.0), vec4f(scale * warm_start_a.angular, 0.0));
    manifold_impulses[manifold.twin] = ManifoldImpulse(vec4f(-push_a.linear / scale, 1.0), vec4f(push_b.angular / scale, 0.0),
        vec4f(-push_a.velocity_linear / scale, 0.0), vec4f(push_b.velocity_angular / scale, 0.0),
        vec4f(warm_start_b.linear / scale, 0.0), vec4f(warm_start_b.angular / scale, 0.0));
}

// Contact `k` of both bodies' together.
fn slot_of(k: u32) -> u32 {
    return reverse_contacts[contact_of_pair(manifold, twin, k)].y;
}

fn touching_from(start: u32) -> u32 {
    var bits = 0u;
    for (var k = start; k < min(start + 32u, manifold.count + twin.count); k++) {
        bits |= select(0u, 1u << (k - start), touches(slot_of(k)));
    }
    return bits;
}
