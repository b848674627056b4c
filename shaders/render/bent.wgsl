#import "render/frame"
#import "render/skinned"
// Where a vertex of a model that bends is.

@group(1) @binding(0) var<storage, read> skinned_vertices: array<SkinnedVertex>;

struct VertexIn {
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
    @location(2) vertex: u32, // of the model
    @location(8) tint: vec4f, // linear colour of the instance
    @location(9) base: u32, // first skinned vertex of the instance
}

struct Placed {
    position: vec3f,
    normal: vec3f,
    gone: bool, // with its bones
}

fn placed(in: VertexIn) -> Placed {
    let at = skinned_vertices[in.base + in.vertex];
    return Placed(at.position, unpacked_direction(at.normal), at.normal == GONE);
}
