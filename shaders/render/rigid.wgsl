#import "common/rotation"
#import "render/bone"
#import "render/frame"
// Where a vertex of a model that does not bend is: it follows one bone, placed this frame from the solver's buffer.

@group(1) @binding(0) var<storage, read> placements: array<Placement>;

struct VertexIn {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
    @location(4) bone: u32, // of the model
    @location(8) tint: vec4f, // linear colour of the instance
    @location(9) base: u32, // first bone of the instance
}

struct Placed {
    position: vec3f,
    normal: vec3f,
    gone: bool, // with its bone
}

fn placed(in: VertexIn) -> Placed {
    let at = placements[in.base + in.bone];
    let position = at.offset + rotate(at.rotation, in.position);
    return Placed(position, rotate(at.rotation, in.normal), all(at.rotation == vec4f()));
}
