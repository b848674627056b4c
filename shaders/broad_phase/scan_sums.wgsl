#import "common/params"
// One workgroup. Exclusive sums of the block totals, 64 at a time with a running carry.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> block_sums: array<u32>;

var<workgroup> sums: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) local: u32) {
    let blocks = (params.cell_mask + 1u) / 1024u;
    var carry = 0u;
    for (var first = 0u; first < blocks; first += 64u) {
        var own = 0u;
        if first + local < blocks {
            own = block_sums[first + local];
        }
        sums[local] = own;
        workgroupBarrier();
        for (var step = 1u; step < 64u; step *= 2u) {
            let before = select(0u, sums[max(local, step) - step], local >= step);
            workgroupBarrier();
            sums[local] += before;
            workgroupBarrier();
        }
        if first + local < blocks {
            block_sums[first + local] = carry + sums[local] - own;
        }
        carry += sums[63];
        workgroupBarrier();
    }
}
