// Triangles that are not drawn any more because an edge of theirs is torn: all their corners become the first one.
// One thread stands for a triangle.

@group(0) @binding(0) var<storage, read> torn_edges: array<u32>;
// Edges of each triangle that can be torn, 0xffffffff for none.
@group(0) @binding(1) var<storage, read> triangle_edges: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> indices: array<u32>;

fn is_torn(edge: u32) -> bool {
    return edge < arrayLength(&torn_edges) && torn_edges[edge] != 0u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&triangle_edges) {
        return;
    }
    let edges = triangle_edges[id.x];
    if is_torn(edges.x) || is_torn(edges.y) || is_torn(edges.z) {
        indices[3u * id.x + 1u] = indices[3u * id.x];
        indices[3u * id.x + 2u] = indices[3u * id.x];
    }
}
