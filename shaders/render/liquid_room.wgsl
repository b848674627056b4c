#import "render/liquid_grid"
// Gives every cell room for its members. Where that is depends on timing, what is in it does not. One thread stands for
// a cell.

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
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
