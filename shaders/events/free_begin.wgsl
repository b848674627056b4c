#import "events/touch"
#import "events/free"
// One workgroup, at the start of a frame, before `events/begin`. Empties the sums, and lays those again of which the last frame told: they are watched
// until they part.

@group(0) @binding(0) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read_write> told_count: array<u32>;
@group(1) @binding(1) var<storage, read> told: array<ToldRow>;
@group(1) @binding(2) var<storage, read_write> free_touches: FreeTouches;

const BEGINNERS: u32 = 256u;

@compute @workgroup_size(BEGINNERS)
fn main(@builtin(local_invocation_index) thread: u32) {
    for (var slot = thread; slot < TOUCH_SUMS; slot += BEGINNERS) {
        if atomicLoad(&free_touches.sums[slot].key) != 0u {
            empty(slot);
        }
    }
    if thread == 0u {
        atomicStore(&free_touches.dropped, 0u);
    }
    let told_before = told_count[0];
    storageBarrier();
    if thread == 0u {
        told_count[0] = 0u;
    }
    for (var row = thread; row < told_before; row += BEGINNERS) {
        let own = counted(told[row].own);
        let other = counted(told[row].touch.thing);
        let low = min(own, other);
        let high = max(own, other);
        let is_free = (low >= thing_counts.objects && low < thing_counts.colliders)
            || (high >= thing_counts.objects && high < thing_counts.colliders);
        if is_free {
            let slot = slot_of(key_of(low, high));
            if slot < TOUCH_SUMS {
                free_touches.sums[slot].watched = 1u;
            }
        }
    }
}

fn empty(slot: u32) {
    atomicStore(&free_touches.sums[slot].key, 0u);
    free_touches.sums[slot].watched = 0u;
    atomicStore(&free_touches.sums[slot].speed, 0u);
    for (var k = 0u; k < 2u * (SUM_WEIGHT + 1u); k++) {
        atomicStore(&free_touches.sums[slot].words[k], 0u);
    }
}
