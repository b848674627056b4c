#import "render/screen"
#import "render/edges"
// The finished picture, shaded by ambient occlusion, in a target whose format may lack the display's own coding. One
// fragment thread stands for a pixel.

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    return finished(smooth_color(pixel) * openness(pixel));
}
