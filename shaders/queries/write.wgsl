#import "queries/node"
#import "queries/step"
// Nodes as they lie in their texture. The including kernel declares `batch` and `nodes`.

// Of the world's tree.
fn write_node(index: u32, boxes: array<Box, 4>) {
    let node = node_of(boxes);
    let row = batch.node_row + NODE_ROWS * index;
    textureStore(nodes, row_at(row), vec4u(bitcast<vec3u>(node.origin), bitcast<u32>(node.scale.x)));
    textureStore(nodes, row_at(row + 1u), vec4u(node.low, bitcast<u32>(node.scale.y)));
    textureStore(nodes, row_at(row + 2u), vec4u(node.high, bitcast<u32>(node.scale.z)));
}
