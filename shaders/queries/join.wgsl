#import "common/thread"
#import "queries/step"
#import "queries/write"
// One thread per node of a level of the tree: the boxes of its children, and the one around them. The children of node n are those
// from 4 n + 1 on. A level of one workgroup goes on up to the root.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read_write> boxes: array<Box>;
@group(1) @binding(1) var nodes: texture_storage_2d<rgba32uint, write>;

// Nodes of the largest level that goes on: a thread of a workgroup each.
const JOINED: u32 = 64u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i < batch.count {
        join(batch.first + i);
    }
    if batch.count > JOINED {
        return;
    }
    var first = batch.first;
    for (var count = batch.count / FANOUT; count > 0u; count /= FANOUT) {
        storageBarrier();
        first = (first - 1u) / FANOUT;
        if i < count {
            join(first + i);
        }
    }
}

fn join(node: u32) {
    var own: array<Box, 4>;
    var all = no_box();
    for (var k = 0u; k < FANOUT; k++) {
        let child = FANOUT * node + 1u + k;
        own[k] = no_box();
        if child < batch.first_leaf + batch.leaf_count {
            own[k] = boxes[child];
        }
        all = both_boxes(all, own[k]);
    }
    boxes[node] = all;
    write_node(node, own);
}
