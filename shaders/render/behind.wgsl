#import "render/screen"
#import "render/depth"
// What a host has drawn, as passes over the screen read it: the mean of a pixel's samples, and the depth of one in the renderer's own
// order. One fragment thread stands for a pixel.

@group(1) @binding(0) var host_color: texture_multisampled_2d<f32>;
@group(1) @binding(1) var host_depth: texture_multisampled_2d<f32>;

override SAMPLES: u32 = 1u;

struct Behind {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> Behind {
    let pixel = vec2i(at.xy);
    var color = vec4f();
    for (var i = 0u; i < SAMPLES; i++) {
        color += textureLoad(host_color, pixel, i) / f32(SAMPLES);
    }
    let stored = textureLoad(host_depth, pixel, 0).x;
    // Where the host has drawn nothing it is as far as there is.
    let empty = stored == select(0.0, 1.0, frame.depth_law.x < 0.0);
    let nearness = (stored - frame.depth_law.y) / frame.depth_law.x;
    return Behind(color, select(clamp(frame.eye.w * nearness, 0.0, 1.0), 0.0, empty));
}
