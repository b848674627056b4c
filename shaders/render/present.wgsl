#import "render/finish"
// The finished picture, shaded by ambient occlusion, in a target whose format may lack the display's own coding. One
// fragment thread stands for a pixel.

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    return finished(textureLoad(picture, pixel, 0).rgb * openness(pixel));
}
