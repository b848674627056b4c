#import "render/screen"
#import "render/depth"
#import "render/liquid"
// Thickness of liquids without the shape of single particles: the mean over neighbors before which the same thing stands
// behind the liquid. One fragment thread stands for four pixels.

@group(1) @binding(0) var surface: texture_2d<f32>;
@group(1) @binding(1) var<storage, read> liquids: array<Liquid>;
@group(1) @binding(2) var thickness: texture_2d<f32>;
@group(1) @binding(3) var depth: texture_multisampled_2d<f32>;

// Half width of the mean [radii]; the looks to each side; the most that two are apart [half pixels].
const WIDTH = 2.6;
const LOOKS = 3;
const MOST_APART = 6.0;
// How fast looks count less towards the edge of the mean.
const FALLOFF = 2.0;

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let last = vec2i(textureDimensions(thickness)) - 1;
    let last_pixel = vec2i(frame.viewport.xy) - 1;
    let place = vec2i(at.xy);
    let own = textureLoad(thickness, place, 0);
    let top = textureLoad(surface, min(2 * place, last_pixel), 0).rg;
    if top.r <= 0.0 {
        return own;
    }
    let radius = liquids[u32(top.g) - 1u].radius;
    let pixels = WIDTH * radius * frame.viewport.y / (4.0 * length(frame.up.xyz) * distance_at(top.r));
    let step = clamp(pixels / f32(LOOKS), 1.0, MOST_APART);
    let behind = distance_at(textureLoad(depth, min(2 * place, last_pixel), 0).x);
    var sum = own;
    var weights = 1.0;
    for (var y = -LOOKS; y <= LOOKS; y++) {
        for (var x = -LOOKS; x <= LOOKS; x++) {
            let there = clamp(place + vec2i(round(vec2f(vec2i(x, y)) * step)), vec2i(), last);
            let pixel = min(2 * there, last_pixel);
            let other = distance_at(textureLoad(depth, pixel, 0).x);
            let wet = select(0.0, 1.0, textureLoad(surface, pixel, 0).r > 0.0);
            let far = vec2f(vec2i(x, y)) / f32(LOOKS);
            let weight = wet * exp(-FALLOFF * dot(far, far)) * same_surface(vec4f(min(behind, FAR)), min(other, FAR)).x;
            sum += weight * textureLoad(thickness, there, 0);
            weights += weight;
        }
    }
    return sum / weights;
}
