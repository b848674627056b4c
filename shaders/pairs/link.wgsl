#import "common/params"
#import "common/contact"
#import "common/control"
#import "common/thread"
// One thread per pair slot. Finds the slot of the same pair at the other body (a pair that found no slot there is void),
// and puts the pair once into a list without gaps, so that no thread of the solve idles. The list's order depends on
// timing; nothing depends on the order.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> pairs: array<Pair>;
@group(1) @binding(1) var<storage, read_write> pair_list: array<u32>;
@group(1) @binding(2) var<storage, read_write> control: Control;
@group(1) @binding(3) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read_write> pair_pushes: array<PairPush>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count * PAIR_SLOTS {
        return;
    }
    // A slot that loses its pair must not go on pushing.
    pair_pushes[i].linear.w = 0.0;
    if i % PAIR_SLOTS == 0u || pairs[i].other == NONE {
        return;
    }
    let body = i / PAIR_SLOTS;
    let first = pairs[i].other * PAIR_SLOTS;
    var twin = NONE;
    for (var k = first + 1u; k < first + PAIR_SLOTS; k++) {
        if pairs[k].other == body {
            twin = k;
        }
    }
    pairs[i].twin = twin;
    for (var k = pairs[i].first; k < pairs[i].first + pairs[i].count; k++) {
        contacts[reverse_contacts[k].y].grip.w = f32(i);
    }
    if twin != NONE && body < pairs[i].other {
        pair_list[atomicAdd(&control.pairs, 1u)] = i;
    }
}
