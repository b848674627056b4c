#import "common/scan"
#import "queries/step"
// One workgroup. Exclusive sums of the block totals, as many at a time as it has threads, with a running carry.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read_write> digit_sums: array<u32>;

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
    var carry = 0u;
    for (var first = 0u; first < batch.blocks; first += SCAN_THREADS) {
        var own = 0u;
        if first + local < batch.blocks {
            own = digit_sums[first + local];
        }
        let sum = scan(local, own);
        if first + local < batch.blocks {
            digit_sums[first + local] = carry + sum - own;
        }
        carry += scan_sums[SCAN_THREADS - 1u];
        workgroupBarrier();
    }
}
