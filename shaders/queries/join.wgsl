#import "common/thread"
#import "queries/step"
#import "queries/target"
// One thread per node of a level of the tree: the box around its children. The children of node n are those from 4 n + 1 on.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read_write> nodes: array<Box>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= batch.count {
        return;
    }
    let node = batch.first + i;
    var box = no_box();
    for (var k = 1u; k <= FANOUT; k++) {
        let child = FANOUT * node + k;
        if child < batch.first_leaf + batch.leaf_count {
            box = both_boxes(box, nodes[child]);
        }
    }
    nodes[node] = box;
}
