#import "common/thread"
#import "queries/step"
#import "queries/bounds"
// One thread per leaf of the tree: the box around its targets, which follow one another.

@group(0) @binding(0) var<uniform> batch: QueryStep;
@group(1) @binding(0) var<storage, read> targets: array<Target>;
@group(1) @binding(1) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(2) var<storage, read_write> nodes: array<Box>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let leaf = global_index(id, groups);
    if leaf >= batch.leaf_count {
        return;
    }
    var box = no_box();
    for (var i = FANOUT * leaf; i < min(FANOUT * (leaf + 1u), batch.item_count); i++) {
        box = both_boxes(box, box_of(targets[i]));
    }
    nodes[batch.first_leaf + leaf] = box;
}
