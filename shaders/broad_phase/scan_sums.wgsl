#import "common/params"
#import "common/scan"
// One workgroup. Exclusive sums of the block totals, as many at a time as it has threads, with a running carry.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> block_sums: array<u32>;

@compute @workgroup_size(SCAN_THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
    let blocks = (params.cell_mask + 1u) / SCAN_BLOCK;
    var carry = 0u;
    for (var first = 0u; first < blocks; first += SCAN_THREADS) {
        var own = 0u;
        if first + local < blocks {
            own = block_sums[first + local];
        }
        let sum = scan(local, own);
        if first + local < blocks {
            block_sums[first + local] = carry + sum - own;
        }
        carry += scan_sums[SCAN_THREADS - 1u];
        workgroupBarrier();
    }
}
