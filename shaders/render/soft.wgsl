#import "render/point"
#import "render/frame"
// Where a vertex of a surface that follows particles is.

@group(1) @binding(0) var<storage, read> placed_points: array<PlacedPoint>;

struct VertexIn {
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
    /// Its point, in the shell.
    @location(2) point: u32,
    /// Linear colour of the copy.
    @location(8) tint: vec4f,
    /// First placed point of the copy.
    @location(9) base: u32,
}

fn placed(in: VertexIn) -> PlacedPoint {
    return placed_points[in.base + in.point];
}
