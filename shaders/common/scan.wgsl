// Sums over the counts of buckets, a block of them for each workgroup.

const SCAN_THREADS: u32 = 64u;
// Buckets that a thread sums, and those of a workgroup.
const SCAN_EACH: u32 = 16u;
const SCAN_BLOCK: u32 = 1024u;

var<workgroup> scan_sums: array<u32, SCAN_THREADS>;

// The sum of `value` over this thread and those before it (Hillis and Steele 1986); all threads must call it. The sum over all
// is in the last word of `scan_sums` until the next call.
fn scan(local: u32, value: u32) -> u32 {
    scan_sums[local] = value;
    workgroupBarrier();
    for (var step = 1u; step < SCAN_THREADS; step *= 2u) {
        let before = select(0u, scan_sums[max(local, step) - step], local >= step);
        workgroupBarrier();
        scan_sums[local] += before;
        workgroupBarrier();
    }
    return scan_sums[local];
}
