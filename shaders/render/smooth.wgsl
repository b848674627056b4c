// Ambient occlusion without the noise of its few looks: the mean of four by four neighbors on the same surface. One
// fragment thread stands for one of them.

#import "render/depth"

@group(0) @binding(1) var occlusion: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec2<f32> {
    let last = vec2<i32>(textureDimensions(occlusion)) - 1;
    let own = textureLoad(occlusion, vec2<i32>(at.xy), 0).rg;
    var sum = vec2<f32>();
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let found = textureLoad(occlusion, clamp(vec2<i32>(at.xy) + vec2<i32>(x, y), vec2<i32>(), last), 0).rg;
            sum += same_surface(vec4<f32>(own.g), found.g).x * vec2<f32>(found.r, 1.0);
        }
    }
    return vec2<f32>(sum.x / max(sum.y, 1e-4), own.g);
}
