#import "render/screen"
#import "render/frame"
#import "render/coding"
// A finished picture of fewer pixels than the target, in its coding. One fragment thread stands for a pixel of the target.

@group(1) @binding(0) var small_picture: texture_2d<f32>;
@group(1) @binding(1) var screen_sampler: sampler;

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return finished(textureSampleLevel(small_picture, screen_sampler, at.xy * frame.target_pixel, 0.0).rgb);
}
