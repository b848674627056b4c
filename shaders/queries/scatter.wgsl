#import "common/thread"
#import "common/scan"
#import "queries/step"
#import "queries/order"
// One thread per block of keys: puts them where their digit belongs, in the order that they had (radix sort).

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> keys: array<Key>;
@group(1) @binding(1) var<storage, read> digit_starts: array<u32>;
@group(1) @binding(2) var<storage, read> digit_sums: array<u32>;
@group(1) @binding(3) var<storage, read_write> sorted_keys: array<Key>;

var<private> next: array<u32, DIGITS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let block = global_index(id, groups);
    let blocks = (batch.item_count + KEYS_EACH - 1u) / KEYS_EACH;
    if block >= blocks {
        return;
    }
    for (var digit = 0u; digit < DIGITS; digit++) {
        let word = digit * blocks + block;
        next[digit] = digit_starts[word] + digit_sums[word / SCAN_BLOCK];
    }
    let first = block * KEYS_EACH;
    for (var i = first; i < min(first + KEYS_EACH, batch.item_count); i++) {
        let own = keys[i];
        let digit = (own.key >> batch.shift) % DIGITS;
        sorted_keys[next[digit]] = own;
        next[digit] += 1u;
    }
}
