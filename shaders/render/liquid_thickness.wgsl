// How much liquid a ray passes before it meets something else: chords of all ellipsoids, each counting as much as its
// particle's volume. One fragment thread stands for four pixels of an ellipsoid.

#import "render/liquid_splat"
#import "render/depth"

@group(2) @binding(0) var depth: texture_depth_multisampled_2d;

/// Optical depth (rgb) and way through it [m].
@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let pixel = min(vec2<i32>(in.clip.xy) * 2, vec2<i32>(frame.viewport.xy) - 1);
    let end = distance_at(textureLoad(depth, pixel, 0)) / dot(in.ray, frame.forward.xyz);
    let t = met(in.own_eye, in.own_ray);
    let splat = splats[in.index];
    let way = max(min(t.y, end) - max(t.x, 0.0), 0.0) * length(in.ray) * abs(splat.fill);
    return vec4<f32>(way * liquids[splat.liquid].absorption, way);
}
