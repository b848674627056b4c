// Copies the finished picture to a target whose format may lack the display's own coding. One fragment thread stands
// for a pixel.

override ENCODE: bool = false;

@group(0) @binding(0) var picture: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

/// Piecewise sRGB curve of IEC 61966-2-1.
fn encoded(linear: vec3<f32>) -> vec3<f32> {
    return select(1.055 * pow(linear, vec3<f32>(1.0 / 2.4)) - 0.055, linear * 12.92, linear <= vec3<f32>(0.0031308));
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let color = textureLoad(picture, vec2<i32>(at.xy), 0).rgb;
    if ENCODE {
        return vec4<f32>(encoded(color), 1.0);
    }
    return vec4<f32>(color, 1.0);
}
