#import "render/coding"
#import "render/depth"
// The finished picture as it leaves the renderer: shaded by ambient occlusion.

// What every neighbor counts at least: a pixel none of whose neighbors is on its surface takes the mean of all.
const LEAST_WEIGHT = 1e-4;

// Whether it goes over a host's picture: pixels without liquid stay, and occlusion is the host's.
override OVER: bool = false;

@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var depth: texture_multisampled_2d<f32>;
@group(1) @binding(2) var occlusion: texture_2d<f32>;
@group(1) @binding(3) var screen_sampler: sampler;

// From here on nothing is seen of what is found.
const NEARLY_OPEN = 0.998;

// What is found near a pixel, weighted by how near it is and, for each sample, whether it is on its surface.
fn weighted(near: f32, found: vec2f, away: vec4f) -> vec4f {
    return vec4f(LEAST_WEIGHT) + near * same_surface(away, found.g);
}

// The mean over the samples of a pixel. Each sample of an edge asks what is on its own surface, so that the edge stays smooth.
fn mean_openness(pixel: vec2i, part: vec2f, a: vec2f, b: vec2f, c: vec2f, d: vec2f) -> f32 {
    let away = vec4f(
        distance_at(textureLoad(depth, pixel, 0).x),
        distance_at(textureLoad(depth, pixel, select(0, 1, SAMPLED)).x),
        distance_at(textureLoad(depth, pixel, select(0, 2, SAMPLED)).x),
        distance_at(textureLoad(depth, pixel, select(0, 3, SAMPLED)).x),
    );
    let of_a = weighted((1.0 - part.x) * (1.0 - part.y), a, away);
    let of_b = weighted(part.x * (1.0 - part.y), b, away);
    let of_c = weighted((1.0 - part.x) * part.y, c, away);
    let of_d = weighted(part.x * part.y, d, away);
    let mean = (of_a * a.r + of_b * b.r + of_c * c.r + of_d * d.r) / (of_a + of_b + of_c + of_d);
    return dot(select(mean, vec4f(1.0), away > vec4f(FAR)), vec4f(0.25));
}

// What the occlusion of the four nearest found pixels says about this one.
fn openness(pixel: vec2i) -> f32 {
    if OVER || !HIGH {
        return 1.0;
    }
    let place = (vec2f(pixel) + 0.5) * 0.5 - 0.5;
    let base = vec2i(floor(place));
    let last = vec2i(textureDimensions(occlusion)) - 1;
    let a = textureLoad(occlusion, clamp(base, vec2i(), last), 0).rg;
    let b = textureLoad(occlusion, clamp(base + vec2i(1, 0), vec2i(), last), 0).rg;
    let c = textureLoad(occlusion, clamp(base + vec2i(0, 1), vec2i(), last), 0).rg;
    let d = textureLoad(occlusion, clamp(base + vec2i(1, 1), vec2i(), last), 0).rg;
    var open = 1.0;
    // Once at most, and never without shadows. No branch by the uniform alone: Mesa's software driver compiles a shader anew for each
    // picture where one decides what runs.
    let looks = select(0u, 1u, frame.settings.y > 0.5 && min(min(a.r, b.r), min(c.r, d.r)) < NEARLY_OPEN);
    for (var i = 0u; i < looks; i++) {
        open = mean_openness(pixel, place - floor(place), a, b, c, d);
    }
    return open;
}
