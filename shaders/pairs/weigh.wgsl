#import "common/params"
#import "common/contact"
#import "common/control"
#import "common/thread"
// One thread per body, for its pair with the world, then one per pair of bodies. Whether the pair touches now, and so how
// many pairs share each body (mass splitting, Tonge et al. 2012). Integer counts: order does not matter.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> pairs: array<Pair>;
@group(1) @binding(1) var<storage, read> pair_list: array<u32>;
@group(1) @binding(2) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(3) var<storage, read> world_contacts: array<u32>;
@group(1) @binding(4) var<storage, read> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read_write> pair_pushes: array<PairPush>;
@group(1) @binding(6) var<storage, read_write> loads: array<atomic<u32>>;
@group(1) @binding(7) var<storage, read_write> control: Control;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.body_count {
        let world = pairs[i * PAIR_SLOTS];
        var touching = false;
        for (var k = world.first; k < world.first + world.count && !touching; k++) {
            touching = contacts[world_contacts[k]].point.w != 0.0;
        }
        weigh(i * PAIR_SLOTS, touching);
    } else if i - params.body_count < atomicLoad(&control.pairs) {
        let slot = pair_list[i - params.body_count];
        let twin = pairs[slot].twin;
        let touching = any_touching(pairs[slot]) || any_touching(pairs[twin]);
        weigh(slot, touching);
        weigh(twin, touching);
    }
}

fn weigh(slot: u32, touching: bool) {
    pair_pushes[slot].linear.w = f32(touching);
    if touching {
        atomicAdd(&loads[slot / PAIR_SLOTS], 1u);
    }
}

fn any_touching(pair: Pair) -> bool {
    for (var k = pair.first; k < pair.first + pair.count; k++) {
        if contacts[reverse_contacts[k].y].point.w != 0.0 {
            return true;
        }
    }
    return false;
}
