// Gives every cell room for its members. Where that is depends on timing, what is in it does not. One thread stands for
// a cell.

#import "render/liquid_grid"

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = global_index(id, groups);
    if i > liquid_grid.cell_mask {
        return;
    }
    let count = atomicLoad(&cells[i].count);
    var first = 0u;
    if count > 0u {
        first = atomicAdd(&cells[liquid_grid.cell_mask + 1u].count, count);
    }
    cells[i].first = first;
    cells[i].end = first + count;
}
