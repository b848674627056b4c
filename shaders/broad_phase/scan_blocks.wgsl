#import "common/params"
// One workgroup per 1024 buckets, 16 buckets a thread. Exclusive sums inside the block; the block's total aside.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> cell_counts: array<u32>;
@group(1) @binding(1) var<storage, read_write> cell_starts: array<u32>;
@group(1) @binding(2) var<storage, read_write> block_sums: array<u32>;

const EACH: u32 = 16u;
var<workgroup> sums: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let first = (group.x * 64u + local) * EACH;
    var total = 0u;
    for (var k = 0u; k < EACH; k++) {
        total += cell_counts[first + k];
    }
    sums[local] = total;
    workgroupBarrier();
    for (var step = 1u; step < 64u; step *= 2u) {
        let before = select(0u, sums[max(local, step) - step], local >= step);
        workgroupBarrier();
        sums[local] += before;
        workgroupBarrier();
    }
    var start = sums[local] - total;
    for (var k = 0u; k < EACH; k++) {
        cell_starts[first + k] = start;
        start += cell_counts[first + k];
    }
    if local == 63u {
        block_sums[group.x] = sums[63];
    }
}
