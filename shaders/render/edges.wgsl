#import "render/finish"
// Smooth edges in pictures whose pixels have one sample: steps along an edge are followed to both of their ends, and a pixel
// takes from the other side what an edge from end to end would cover (after Lottes 2009, "FXAA").

// Differences of brightness, linear, that make an edge: at least, and as a share of the brighter side.
const LEAST_CONTRAST = 0.004;
const CONTRAST = 0.16;
// The edge has ended where the mean of both sides differs by this share of its contrast.
const ENDED = 0.25;
// The edge turns a corner where its inner side differs by this share of its contrast.
const CORNER = 0.5;
// Most looks along an edge to each side, and those that look at every pixel: the others step over one.
const MOST_LOOKS = 8;
const SINGLE_LOOKS = 3;

// Brightness is that of green.
fn bright(pixel: vec2i) -> f32 {
    let last = vec2i(frame.viewport.xy) - 1;
    return textureLoad(picture, clamp(pixel, vec2i(), last), 0).g;
}

// How far the edge goes on from `place` by steps `way` [pixels], and by how much brightness differs from `mean` at its end.
fn end_of(place: vec2f, way: vec2f, mean: f32, contrast: f32) -> vec2f {
    var gone = 0.0;
    var found = vec2f();
    var looks = MOST_LOOKS;
    for (var i = 0; i < looks; i++) {
        gone += select(2.0, 1.0, i < SINGLE_LOOKS);
        let there = (place + gone * way) * frame.viewport.zw;
        let apart = textureSampleLevel(picture, screen_sampler, there, 0.0).g - mean;
        found = vec2f(gone, apart);
        looks = select(looks, 0, abs(apart) > ENDED * contrast);
    }
    return found;
}

// Where the color of a pixel is taken from, around whose upper left and lower right corner pixels are so bright.
fn place_of(at: vec2f, before: vec4f, behind: vec4f) -> vec2f {
    let own = before.y;
    let sides = vec4f(before.z, behind.z, behind.x, before.x); // above, right, below, left
    let a = before.w;
    let b = bright(vec2i(at) + vec2i(1, -1));
    let c = behind.y;
    let d = bright(vec2i(at) + vec2i(-1, 1));
    let across_rows = abs(a + d - 2.0 * sides.w) + 2.0 * abs(sides.x + sides.z - 2.0 * own) + abs(b + c - 2.0 * sides.y);
    let across_columns = abs(a + b - 2.0 * sides.x) + 2.0 * abs(sides.w + sides.y - 2.0 * own) + abs(c + d - 2.0 * sides.z);
    let level = across_rows >= across_columns;
    // The sides before and behind, of which the more different one is across the edge.
    let both = select(sides.wy, sides.xz, level);
    let differs = abs(both - own);
    let is_behind = differs.y > differs.x;
    let other = select(both.x, both.y, is_behind);
    let contrast = max(differs.x, differs.y);
    let toward = select(vec2f(1.0, 0.0), vec2f(0.0, 1.0), level) * select(-1.0, 1.0, is_behind);
    let along = select(vec2f(0.0, 1.0), vec2f(1.0, 0.0), level);
    let mean = 0.5 * (own + other);
    let ahead = end_of(at + 0.5 * toward, along, mean, contrast);
    let back = end_of(at + 0.5 * toward, -along, mean, contrast);
    let nearer = select(back, ahead, ahead.x < back.x);
    // Only on the side of the step that the edge cuts off.
    let cut = (nearer.y < 0.0) != (own < mean);
    // At a step the own side goes on behind it, at a corner it does not.
    let inside = at + along * select(-back.x, ahead.x, ahead.x < back.x) - toward;
    let steps = abs(bright(vec2i(inside)) - own) < CORNER * contrast;
    return at + toward * select(0.0, 0.5 - nearer.x / (ahead.x + back.x), cut && steps);
}

// Color of a pixel of the picture.
fn smooth_color(pixel: vec2i) -> vec3f {
    var color = textureLoad(picture, pixel, 0).rgb;
    if SAMPLED || !HIGH {
        return color;
    }
    let corner = vec2f(pixel) * frame.viewport.zw;
    // Lower left, lower right, upper right, upper left.
    let before = textureGather(1, picture, screen_sampler, corner);
    let behind = textureGather(1, picture, screen_sampler, corner + frame.viewport.zw);
    let least = min(min(before.x, before.y), min(before.z, min(behind.x, behind.z)));
    let most = max(max(before.x, before.y), max(before.z, max(behind.x, behind.z)));
    if most - least > max(LEAST_CONTRAST, CONTRAST * most) {
        let place = place_of(vec2f(pixel) + 0.5, before, behind);
        color = textureSampleLevel(picture, screen_sampler, place * frame.viewport.zw, 0.0).rgb;
    }
    return color;
}
