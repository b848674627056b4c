#import "events/listener"
#import "events/free"
#import "common/thread"
// One thread per sum, at the end of a frame. Tells of those two things where a listener hears of them, and of those of which it may have told
// before.

@group(0) @binding(0) var<uniform> listened_count: ListenedCount;
@group(0) @binding(1) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read> listeners: array<ListenerRow>;
@group(1) @binding(1) var<storage, read_write> free_touches: FreeTouches;
@group(1) @binding(2) var<storage, read_write> told_count: array<atomic<u32>>;
@group(1) @binding(3) var<storage, read_write> told: array<ToldRow>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let slot = global_index(id, groups);
    if slot >= TOUCH_SUMS {
        return;
    }
    let key = atomicLoad(&free_touches.sums[slot].key);
    let weight = sum_of(slot, SUM_WEIGHT);
    if key == 0u || weight == 0.0 {
        return;
    }
    let two = things_of(key);
    let speed = unordered(atomicLoad(&free_touches.sums[slot].speed));
    let impulse = vector_sum_of(slot, SUM_IMPULSE);
    let touch = Touch(impulse, number_of(two.y), vector_sum_of(slot, SUM_POINT) / weight, speed,
        impulse / max(length(impulse), 1e-30), weight);
    let own = number_of(two.x);
    let heard = is_heard(own, touch);
    if heard || free_touches.sums[slot].watched != 0u {
        told[atomicAdd(&told_count[0], 1u)] = ToldRow(own, u32(!heard), touch);
    }
}
