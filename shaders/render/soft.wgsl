#import "render/point"
#import "render/frame"
// Where a vertex of a surface that follows particles is.

@group(1) @binding(0) var<storage, read> placed_points: array<PlacedPoint>;

struct VertexIn {
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
    @location(2) point: u32, // its point, in the shell
    @location(8) tint: vec4f, // linear colour of the copy
    @location(9) base: u32, // first placed point of the copy
}

fn placed(in: VertexIn) -> PlacedPoint {
    return placed_points[in.base + in.point];
}
