#import "common/thread"
#import "queries/step"
#import "queries/order"
// One thread per block of keys: how often each digit is in it. The counts of a digit follow one another, so that their sums are
// places.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> keys: array<Key>;
@group(1) @binding(1) var<storage, read_write> digit_counts: array<u32>;

var<private> counts: array<u32, DIGITS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let block = global_index(id, groups);
    let blocks = (batch.item_count + KEYS_EACH - 1u) / KEYS_EACH;
    if block >= blocks {
        return;
    }
    let first = block * KEYS_EACH;
    for (var i = first; i < min(first + KEYS_EACH, batch.item_count); i++) {
        counts[(keys[i].key >> batch.shift) % DIGITS] += 1u;
    }
    for (var digit = 0u; digit < DIGITS; digit++) {
        digit_counts[digit * blocks + block] = counts[digit];
    }
}
