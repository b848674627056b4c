#import "render/liquid_mirror"
// Light inside of liquids: what they take from it on its way (Beer and Lambert), and what they scatter back.

// Part of the light lost on the way that clear liquids scatter back.
const SCATTERED = 0.1;
// Way through a clear liquid whose color scattered light has [m].
const SCATTERED_FROM = 0.5;
// Part of the light that foam scatters back, and how much of what is behind a disc of it hides.
const FOAM = 0.85;
const FOAM_DENSITY = 0.7;
// Least way through a liquid that its color is taken of [m], and least turbidity that is divided by [1/m].
const LEAST_WAY = 1e-3;
const LEAST_TURBIDITY = 1e-3;
// How much of the sun on a turbid liquid comes from all sides, as it is scattered below the surface.
const SOFTENED = 0.45;

// Part of the light from behind that passes a liquid: `found` is optical depth (rgb) and way through it [m].
fn left_of(found: vec4f, turbidity: f32) -> vec3f {
    return exp(-found.rgb - turbidity * found.a);
}

// Radiance that a liquid adds: `around` is the light from all around and `sun` that of the sun, radiance of what is white; `facing`
// how much the surface faces the sun.
fn scattered_by(found: vec4f, turbidity: f32, around: vec3f, sun: vec3f, facing: f32) -> vec3f {
    let absorption = found.rgb / max(found.a, LEAST_WAY);
    let hue = exp(-absorption * SCATTERED_FROM);
    let clear = SCATTERED * (1.0 - exp(-found.rgb)) * hue * (around + sun * max(frame.sun.y, 0.0));
    // What a thick layer sends back of the light on it (Kubelka and Munk 1931).
    let ratio = absorption / max(turbidity, LEAST_TURBIDITY);
    let back = 1.0 + ratio - sqrt(ratio * (ratio + 2.0));
    let shaped = mix(max(facing, 0.0), 0.5 + 0.5 * facing, SOFTENED);
    return clear + (1.0 - exp(-2.0 * turbidity * found.a)) * back * (around + sun * shaped);
}

// Displayed color of foam at a pixel: white, facing up.
fn foam_color(at: vec2f, own: f32) -> vec3f {
    let away = distance_at(max(own, textureLoad(depth, vec2i(at), 0).x));
    let position = frame.eye.xyz + ray_through(at) * min(away, FAR);
    let up = vec3f(0.0, 1.0, 0.0);
    let sun = frame.sun_color.rgb * sun_visibility(position, up) * max(frame.sun.y, 0.0) / PI;
    return displayed(hazed(FOAM * (sky_light(up) + sun), position), at);
}

// What is blended before a liquid, over the color of a pixel.
fn veiled(color: vec3f, pixel: vec2i) -> vec3f {
    let before = textureLoad(veil, pixel, 0);
    return before.rgb + (1.0 - before.a) * color;
}

// That over the color of a pixel.
fn foamed(color: vec3f, at: vec2f, own: f32) -> vec3f {
    let density = textureLoad(foam, vec2i(at), 0).r;
    if density > 0.0 {
        return mix(color, foam_color(at, own), 1.0 - exp(-FOAM_DENSITY * density));
    }
    return color;
}
