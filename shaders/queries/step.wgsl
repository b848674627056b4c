// What the kernels of queries are told.

struct QueryStep {
    item_count: u32,
    body_end: u32,             // items up to here are bodies,
    collider_end: u32,         // to here colliders,
    triangle_end: u32,         // to here triangles, and the others particles
    first_leaf: u32,           // node of the tree
    leaf_count: u32,
    first: u32,                // first of the nodes or queries of this dispatch
    count: u32,                // of them
    shift: u32,                // bits of the key below those that are sorted by
    blocks: u32,               // of sums
    plane_count: u32,          // half spaces, which come first in the order of the tree
    node_row: u32,             // first row of the tree of the world in `nodes`,
    target_row: u32,           // and in `targets`
    index_mask: u32,           // bits of a child's number, in any tree
}
