// Sum over the 64 threads of a workgroup, in a fixed order; all of them must call it.

const SUM_WIDTH: u32 = 64u;

var<workgroup> partial_sums: array<vec4f, SUM_WIDTH>;

fn workgroup_sum(local: u32, value: vec4f) -> vec4f {
    // The last sum may still be being read.
    workgroupBarrier();
    partial_sums[local] = value;
    workgroupBarrier();
    for (var width = SUM_WIDTH / 2u; width > 0u; width /= 2u) {
        if local < width {
            partial_sums[local] += partial_sums[local + width];
        }
        workgroupBarrier();
    }
    return partial_sums[0];
}
