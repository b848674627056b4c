#import "common/params"
#import "common/contact"
#import "common/thread"
// One thread per body. Finds the slots of its pairs at the other bodies (a pair that found no slot there is void), and
// tells the contacts of the pairs.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> manifolds: array<Manifold>;
@group(1) @binding(1) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(2) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(3) var<storage, read_write> manifold_impulses: array<ManifoldImpulse>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let body = global_index(id, groups);
    if body >= params.body_count {
        return;
    }
    let world = body * params.manifold_slots;
    let end = world + params.manifold_slots;
    manifold_impulses[world].linear.w = 0.0;
    var i = world + 1u;
    for (; i < end && manifolds[i].other != NONE; i++) {
        manifold_impulses[i].linear.w = 0.0;
        let twin = slot_of(body, manifolds[i].other * params.manifold_slots);
        manifolds[i].twin = twin;
        if twin == NONE {
            continue;
        }
        let slot = select(twin, i, body < manifolds[i].other);
        for (var k = manifolds[i].first; k < manifolds[i].first + manifolds[i].count; k++) {
            contacts[reverse_contacts[k].y].partner = slot;
        }
    }
    if i < end {
        manifold_impulses[i].linear.w = -1.0;
    }
}

// Among the slots from `first` on, that of the pair with `body`.
fn slot_of(body: u32, first: u32) -> u32 {
    for (var k = first + 1u; k < first + params.manifold_slots && manifolds[k].other != NONE; k++) {
        if manifolds[k].other == body {
            return k;
        }
    }
    return NONE;
}
