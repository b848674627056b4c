// The finished picture, shaded by ambient occlusion, in a target whose format may lack the display's own coding. One
// fragment thread stands for a pixel.

#import "render/finish"

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    return finished(textureLoad(picture, pixel, 0).rgb * openness(pixel));
}
