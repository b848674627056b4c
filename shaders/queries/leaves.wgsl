#import "common/thread"
#import "queries/step"
#import "queries/bounds"
#import "queries/read"
#import "queries/write"
// One thread per leaf of the tree: the boxes of its targets, which follow one another, and the box around them. Half spaces are met
// before the tree and are in no box.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var targets: texture_2d<u32>;
@group(1) @binding(1) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> boxes: array<Box>;
@group(1) @binding(3) var nodes: texture_storage_2d<rgba32uint, write>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let leaf = global_index(id, groups);
    if leaf >= batch.leaf_count {
        return;
    }
    var own: array<Box, 4>;
    var all = no_box();
    for (var k = 0u; k < FANOUT; k++) {
        let i = FANOUT * leaf + k;
        own[k] = no_box();
        if i < batch.item_count {
            let t = read_target(batch.target_row + TARGET_ROWS * i);
            if t.kind != TARGET_PLANE {
                own[k] = box_of(t);
            }
        }
        all = both_boxes(all, own[k]);
    }
    boxes[batch.first_leaf + leaf] = all;
    write_node(batch.first_leaf + leaf, own);
}
