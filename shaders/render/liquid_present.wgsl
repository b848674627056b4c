#import "render/screen"
#import "render/edges"
#import "render/liquid_body"
// The finished picture with liquids over it, each pixel as `present` would leave it: what lies behind is bent by the
// surface and dimmed by the liquid (Beer and Lambert), the sky and the sun are mirrored (Fresnel). One fragment thread
// stands for a pixel.

// Of water.
const REFRACTION = 1.33;
// Part of the light that water mirrors head on, and its roughness: small waves that particles are too coarse for.
const F0 = 0.02;
const ROUGHNESS = 0.09;
// Part of the light below which only the sky is mirrored: things would hardly show.
const LEAST_MIRRORED = 0.04;
// Surfaces are taken to face the eye at least so much: single pixels of an outline would glitter.
const LEAST_FACING = 0.1;
// How much surfaces face the eye at least where they mirror the sun, and the most that they mirror: waves glint, not pixels.
const LEAST_GLINTING = 0.1;
const MOST_GLINT = 40.0;
// Steps in which a bent ray is followed, halvings of the one in which it ends, and the last place on the screen.
const BENT_STEPS = 6;
const BENT_HALVINGS = 4;
const LAST_PLACE = 0.9999;
// What a pixel of an outline keeps, and what it takes of each of four neighbors.
const KEPT = 0.4;
const TAKEN = 0.15;

// Sun mirrored by the surface: GGX with visibility, as in `lit`.
fn glint(normal: vec3f, view: vec3f, position: vec3f) -> vec3f {
    let half = normalize(view + frame.sun.xyz);
    let n_h = max(dot(normal, half), 0.0);
    const A = ROUGHNESS * ROUGHNESS;
    const A2 = A * A;
    let d = n_h * n_h * (A2 - 1.0) + 1.0;
    let fresnel = F0 + (1.0 - F0) * fifth(1.0 - clamp(dot(view, half), 0.0, 1.0));
    let facing = max(dot(normal, frame.sun.xyz), 0.0);
    let reflected = min(A2 / (PI * d * d) * 0.25 / max(dot(normal, view), LEAST_GLINTING), MOST_GLINT);
    return frame.sun_color.rgb * facing * fresnel * reflected * sun_visibility(position, normal);
}

// Whether a ray bent by a surface `front` metres in front of the eye has ended at `place` (from the eye), after so many
// metres of it: at a thing or behind one, beside or out of the liquid, or behind what stands before the surface.
fn has_ended(place: vec3f, gone: f32, front: f32) -> bool {
    let at = screen_of(place);
    let solid = distance_at(textureLoad(depth, inside(vec2i(at * frame.viewport.xy)), 0).x);
    let way = textureSampleLevel(thickness, screen_sampler, at, 0.0).a;
    return gone > way || solid < max(front, dot(place, frame.forward.xyz));
}

// Where the light comes from (from the eye) that the surface at `place` bends to the eye. The ray is followed past what
// the picture shows: how far a straight one goes says little about it where something else stands beside.
fn bent(place: vec3f, normal: vec3f, way: f32) -> vec3f {
    let front = dot(place, frame.forward.xyz);
    let ray = refract(normalize(place), normal, 1.0 / REFRACTION);
    var near = 0.0;
    var far = 0.0;
    var halvings = 0;
    for (var i = 1; i <= BENT_STEPS && halvings == 0; i++) {
        near = far;
        far = way * f32(i) / f32(BENT_STEPS);
        halvings = select(0, BENT_HALVINGS, has_ended(place + far * ray, far, front));
    }
    near = select(near, far, halvings == 0);
    for (var k = 0; k < halvings; k++) {
        let middle = 0.5 * (near + far);
        let ended = has_ended(place + middle * ray, middle, front);
        near = select(middle, near, ended);
        far = select(far, middle, ended);
    }
    return place + near * ray;
}

// Color of the picture at a place of the screen: the mean of four pixels, without those that show something nearer than
// `end` [m].
fn color_at(place: vec2f, end: f32) -> vec3f {
    let at = place * frame.viewport.xy - 0.5;
    let corner = vec2i(floor(at));
    let part = fract(at);
    let near = vec4f((1.0 - part.x) * (1.0 - part.y), part.x * (1.0 - part.y), (1.0 - part.x) * part.y, part.x * part.y);
    var away = vec4f();
    for (var i = 0; i < 4; i++) {
        away[i] = min(distance_at(textureLoad(depth, inside(corner + vec2i(i & 1, i >> 1u)), 0).x), end);
    }
    let weights = near * max(same_surface(away, end), vec4f(LEAST_WEIGHT));
    var sum = vec3f();
    for (var i = 0; i < 4; i++) {
        sum += weights[i] * textureLoad(picture, inside(corner + vec2i(i & 1, i >> 1u)), 0).rgb;
    }
    return sum / dot(weights, vec4f(1.0));
}

// Displayed color of the surface at a pixel that shows it.
fn liquid_color(at: vec2f, own: f32) -> vec3f {
    let pixel = vec2i(at);
    let place = ray_through(at) * distance_at(own);
    let view = -normalize(place);
    let position = frame.eye.xyz + place;
    let normal = facing(place, pixel, 1);
    let own_way = textureSampleLevel(thickness, screen_sampler, at * frame.viewport.zw, 0.0);
    let source = bent(place, normal, own_way.a);
    let end = clamp(screen_of(source), vec2f(), vec2f(LAST_PLACE));
    let there = vec2i(end * frame.viewport.xy);
    // The light went the way of its own pixel, unless that is beside the liquid.
    let wet = textureLoad(surface, there, 0).r > 0.0;
    let found = select(own_way, textureSampleLevel(thickness, screen_sampler, end, 0.0), wet);
    let seen = radiance_of(color_at(end, dot(source, frame.forward.xyz)) * openness(there));
    let sun = frame.sun_color.rgb * sun_visibility(position, normal) / PI;
    let turbidity = liquids[u32(textureLoad(surface, pixel, 0).g) - 1u].turbidity;
    let scattered = scattered_by(found, turbidity, sky_light(normal), sun, dot(normal, frame.sun.xyz));
    let fresnel = F0 + (1.0 - F0) * fifth(1.0 - clamp(dot(normal, view), LEAST_FACING, 1.0));
    var around = sky(reflect(-view, normal));
    if fresnel > LEAST_MIRRORED {
        around = mirrored(place, reflect(-view, normal));
    }
    let radiance = (1.0 - fresnel) * (left_of(found, turbidity) * seen + scattered) + fresnel * around + glint(normal, view, position);
    return displayed(hazed(radiance, position), at);
}

// Displayed color of a pixel without foam.
fn wet_color(pixel: vec2i) -> vec3f {
    let own = textureLoad(surface, pixel, 0).r;
    let plain = smooth_color(pixel) * openness(pixel);
    let share = coverage(pixel, own);
    if own <= 0.0 || share <= 0.0 {
        return plain;
    }
    return mix(plain, liquid_color(vec2f(pixel) + 0.5, own), share);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    let own = textureLoad(surface, pixel, 0).r;
    if OVER && coverage(pixel, own) <= 0.0 && textureLoad(foam, pixel, 0).r <= 0.0 {
        discard;
    }
    var color = wet_color(pixel);
    if own > 0.0 && is_outline(pixel, own) {
        // One liquid before another has no samples to soften its outline: neighbors do.
        color *= KEPT;
        for (var i = 0; i < 4; i++) {
            color += TAKEN * wet_color(inside(pixel + SIDES[i]));
        }
    }
    return finished(veiled(foamed(color, at.xy, own), pixel));
}
