#import "common/params"
#import "common/contact"
#import "common/thread"
// One thread per pair slot. Whether the pair touches now, and so how many pairs share each body (mass splitting,
// Tonge et al. 2012). Integer counts: order does not matter.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> pairs: array<Pair>;
@group(1) @binding(1) var<storage, read> reverse_contacts: array<vec2u>;
@group(1) @binding(2) var<storage, read> world_contacts: array<u32>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read_write> pair_pushes: array<PairPush>;
@group(1) @binding(5) var<storage, read_write> loads: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count * PAIR_SLOTS {
        return;
    }
    let pair = pairs[i];
    var touching = false;
    if i % PAIR_SLOTS == 0u {
        for (var k = pair.first; k < pair.first + pair.count && !touching; k++) {
            touching = contacts[world_contacts[k]].point.w != 0.0;
        }
    } else if pair.other != NONE && pair.twin != NONE {
        touching = any_touching(pair.first, pair.count);
        if !touching {
            touching = any_touching(pairs[pair.twin].first, pairs[pair.twin].count);
        }
    }
    pair_pushes[i].linear.w = f32(touching);
    if touching {
        atomicAdd(&loads[i / PAIR_SLOTS], 1u);
    }
}

fn any_touching(first: u32, count: u32) -> bool {
    for (var k = first; k < first + count; k++) {
        if contacts[reverse_contacts[k].y].point.w != 0.0 {
            return true;
        }
    }
    return false;
}
