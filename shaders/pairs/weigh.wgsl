#import "common/params"
#import "common/contact"
#import "common/thread"
// One thread per body, for its pair with the world, then one per pair of bodies. Whether the pair touches now, and so how
// many pairs share each body (mass splitting, Tonge et al. 2012). Integer counts: order does not matter.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> pairs: array<Pair>;
@group(1) @binding(1) var<storage, read> pair_list: array<u32>;
@group(1) @binding(2) var<storage, read_write> pair_pushes: array<PairPush>;
@group(1) @binding(3) var<storage, read_write> loads: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < params.body_count {
        weigh(i * PAIR_SLOTS, was_touched(i * PAIR_SLOTS));
    } else if i - params.body_count < arrayLength(&pair_list) {
        let slot = pair_list[i - params.body_count];
        if slot != NONE {
            let twin = pairs[slot].twin;
            let here = was_touched(slot);
            let there = was_touched(twin);
            weigh(slot, here || there);
            weigh(twin, here || there);
        }
    }
}

// Reads the flag and takes it down.
fn was_touched(slot: u32) -> bool {
    return atomicExchange(&loads[touch_flag(slot, params.body_count, params.particle_count)], 0u) != 0u;
}

fn weigh(slot: u32, touching: bool) {
    pair_pushes[slot].linear.w = f32(touching);
    if touching {
        atomicAdd(&loads[slot / PAIR_SLOTS], 1u);
    }
}
