#import "common/scan"
// One workgroup per block of buckets. Exclusive sums inside the block; the block's total aside.

@group(1) @binding(0) var<storage, read> cell_counts: array<u32>;
@group(1) @binding(1) var<storage, read_write> cell_starts: array<u32>;
@group(1) @binding(2) var<storage, read_write> block_sums: array<u32>;

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let first = (group.x * SCAN_THREADS + local) * SCAN_EACH;
    var total = 0u;
    for (var k = 0u; k < SCAN_EACH; k++) {
        total += cell_counts[first + k];
    }
    var start = scan(local, total) - total;
    for (var k = 0u; k < SCAN_EACH; k++) {
        cell_starts[first + k] = start;
        start += cell_counts[first + k];
    }
    if local == SCAN_THREADS - 1u {
        block_sums[group.x] = scan_sums[local];
    }
}
