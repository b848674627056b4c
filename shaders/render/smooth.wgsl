#import "render/screen"
#import "render/depth"
// Ambient occlusion without the noise of its few looks: the mean of four by four neighbors on the same surface. One
// fragment thread stands for one of them.

@group(1) @binding(0) var occlusion: texture_2d<f32>;

// Sum of weights from which there is a mean.
const LEAST_WEIGHT = 1e-4;

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec2f {
    let last = vec2i(textureDimensions(occlusion)) - 1;
    let own = textureLoad(occlusion, vec2i(at.xy), 0).rg;
    var sum = vec2f();
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let found = textureLoad(occlusion, clamp(vec2i(at.xy) + vec2i(x, y), vec2i(), last), 0).rg;
            sum += same_surface(vec4f(own.g), found.g).x * vec2f(found.r, 1.0);
        }
    }
    return vec2f(sum.x / max(sum.y, LEAST_WEIGHT), own.g);
}
