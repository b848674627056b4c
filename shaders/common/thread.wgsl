// Which row a thread of a folded dispatch works on: `gpu::kernel` splits what exceeds 65535 groups into rows of
// groups, so the flat index needs the number of groups in a row. Kernels importing this file have one size of group.

/// Threads of one group, as `@workgroup_size(WORKGROUP)`.
const WORKGROUP: u32 = 64u;

/// Flat index of a thread; at or above the number of rows for the last threads of the last groups.
fn global_index(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * (groups.x * WORKGROUP) + id.x;
}
