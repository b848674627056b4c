#import "render/liquid_splat"
#import "render/depth"
// How much liquid a ray passes before it meets something else: chords of all ellipsoids, each counting as much as its
// particle's volume. One fragment thread stands for four pixels of an ellipsoid.

@group(2) @binding(0) var depth: texture_multisampled_2d<f32>;

// Optical depth (rgb) and way through it [m].
@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    let pixel = min(vec2i(in.clip.xy) * 2, vec2i(frame.viewport.xy) - 1);
    let end = distance_at(textureLoad(depth, pixel, 0).x) / dot(in.ray, frame.forward.xyz);
    let t = met(in.own_eye, in.own_ray);
    let splat = splats[in.index];
    let way = max(min(t.y, end) - max(t.x, 0.0), 0.0) * length(in.ray) * abs(splat.fill);
    return vec4f(way * liquids[splat.liquid].absorption, way);
}
