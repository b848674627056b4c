#import "render/bone"
#import "render/corners"
#import "render/light"
#import "render/noise"
// Plane colliders: a floor of tiles with soft stains that fades into the horizon. One vertex thread stands for a corner of a
// plane's rectangle or of the screen, one fragment thread for a pixel.

@group(1) @binding(0) var<storage, read> placements: array<Placement>;

// Half width of a tilted plane, drawn around its position [m].
const TILTED_REACH = 20.0;
// Farthest that a level plane is shaded [m].
const FARTHEST = 1e5;
// Cosine of the tilt below which a plane counts as level.
const LEVEL = 0.999;
// Least height of the eye above a level plane that is drawn [m].
const LEAST_HEIGHT = 1e-4;
// From this height on it is out of the world [m].
const GREATEST_HEIGHT = 1e8;
// Least part of a ray that goes towards the plane.
const LEAST_TOWARD = 1e-9;
// Tiles are as wide as suits the height of the eye: 1 m up from this height [m], a tenth or ten times that for each tenth or
// ten times it; over the last part of a step, as a decimal logarithm, the next size comes.
const TILED_FROM = 0.8;
const CHANGING = 0.8;
// Joints between tiles and five of them: how much they show, and their width over the distance between them.
const FINE = vec2f(0.5, 0.009);
const STRONG = vec2f(0.7, 0.004);
// What is left of the color of the plane in a joint, and how much tiles differ from one another.
const JOINT_COLOR = 0.55;
const TILES_DIFFER = 0.022;
// How far from the eye tiles fade out [heights of the eye].
const TILES_FADE = vec2f(3.0, 13.0);
// Soft stains: sizes [tiles], and how much they darken or brighten.
const STAINS = vec2f(0.45, 3.7);
const STAINED = vec2f(0.016, 0.05);
// How far away the plane fades into the horizon [m], seen from this height or less [m]; from higher, in proportion.
const ENDS = vec2f(7.0, 75.0);
const ENDS_FROM = 5.0;
// Half width of the soft edges of lines [pixels], and the least change of place over a pixel [distances of lines].
const SOFT_EDGE = 1.5;
const LEAST_CHANGE = 1e-6;
const ROUGHNESS = 0.85;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f, // from the eye towards the plane, of any length
    @location(1) @interpolate(flat) rotation: vec4f,
    @location(2) @interpolate(flat) offset: vec3f,
    @location(3) @interpolate(flat) color: vec4f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(8) tint: vec4f, @location(9) base: u32) -> Fragment {
    let plane = placements[base];
    let normal = rotate(plane.rotation, vec3f(0.0, 1.0, 0.0));
    var clip = NOWHERE;
    var ray = vec3f();
    if normal.y > LEVEL {
        // The depth of a plane is straight across the screen: one triangle over all of it, cut off at the depth of
        // the horizon. Corners far out in the world would do no less, but rasterizers round the places of corners on
        // the screen, and those all lie on the horizon.
        let height = dot(frame.eye.xyz - plane.offset, normal);
        if index < 3u && height > LEAST_HEIGHT && height < GREATEST_HEIGHT {
            let at = screen_corner(index);
            ray = frame.forward.xyz + at.x * frame.right.xyz + at.y * frame.up.xyz;
            clip = vec4f(at, -frame.depth_law.x * dot(ray, normal) / height + frame.depth_law.y, 1.0);
        }
    } else {
        let place = corner(index).yx * TILTED_REACH;
        let position = plane.offset + rotate(plane.rotation, vec3f(place.x, 0.0, place.y));
        ray = position - frame.eye.xyz;
        clip = frame.clip_from_world * vec4f(position, 1.0);
    }
    return Fragment(clip, ray, plane.rotation, plane.offset, tint);
}

// Coverage of lines of this width, both as a share of their distance; `pixel` is how far a pixel goes in each direction (Golus
// 2023: lines thinner than a pixel are drawn a pixel wide and paler, and become their mean when there are several in a pixel).
fn lines(place: vec2f, pixel: vec2f, width: f32) -> f32 {
    let drawn = clamp(vec2f(width), pixel, vec2f(0.5));
    let away = abs(fract(place - 0.5) - 0.5) * 2.0;
    let soft = max(pixel * SOFT_EDGE, vec2f(LEAST_CHANGE));
    let paler = clamp(width / drawn, vec2f(0.0), vec2f(1.0));
    var covered = (1.0 - smoothstep(drawn - soft, drawn + soft, away)) * paler;
    covered = mix(covered, vec2f(width), clamp(pixel * 2.0 - 1.0, vec2f(0.0), vec2f(1.0)));
    return mix(covered.x, 1.0, covered.y);
}

// Noise of one size, gone where that is smaller than a pixel.
fn stain(place: vec2f, pixel: f32, size: f32) -> f32 {
    return noise(place / size) * (1.0 - smoothstep(0.2 * size, size, pixel));
}

// Brightness of the plane, 1 on the whole, at a place counted in tiles, as is `pixel`; `shown`: how much tiles show.
fn tiled(place: vec2f, pixel: vec2f, shown: f32) -> f32 {
    let joints = max(FINE.x * lines(place, pixel, FINE.y), STRONG.x * lines(place / 5.0, pixel / 5.0, STRONG.y));
    let widest = max(pixel.x, pixel.y);
    let own = TILES_DIFFER * lattice(vec2i(floor(place))) * (1.0 - smoothstep(0.1, 0.5, widest));
    let stains = STAINED.x * stain(place, widest, STAINS.x) + STAINED.y * stain(place, widest, STAINS.y);
    return 1.0 + stains + shown * (own - (1.0 - JOINT_COLOR) * joints);
}

// Brightness of the plane, seen from `height` above it and `away`, where a pixel is as wide as `pixel` [m].
fn pattern(place: vec2f, pixel: vec2f, height: f32, away: f32) -> f32 {
    let step = log2(max(height, LEAST_HEIGHT) / TILED_FROM) * 0.30103;
    let size = exp2(floor(step) * 3.32192809);
    let next = smoothstep(CHANGING, 1.0, step - floor(step));
    let shown = frame.settings.z * (1.0 - smoothstep(TILES_FADE.x, TILES_FADE.y, away / max(height, LEAST_HEIGHT)));
    var brightness = tiled(place / size, pixel / size, shown);
    // Once at most: software runs both ways of a branch.
    for (var i = 0u; i < select(0u, 1u, next > 0.0); i++) {
        brightness = mix(brightness, tiled(place / (10.0 * size), pixel / (10.0 * size), shown), next);
    }
    return brightness;
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    let normal = rotate(in.rotation, vec3f(0.0, 1.0, 0.0));
    let height = dot(frame.eye.xyz - in.offset, normal);
    let way = min(height / max(-dot(in.ray, normal), LEAST_TOWARD), FARTHEST / length(in.ray));
    let position = frame.eye.xyz + way * in.ray;
    let place = rotate_back(in.rotation, position - in.offset).xz;
    let away = way * length(in.ray);
    let pixel = vec2f(length(vec2f(dpdx(place.x), dpdy(place.x))), length(vec2f(dpdx(place.y), dpdy(place.y))));
    var color = in.color.rgb;
    if HIGH {
        color *= pattern(place, pixel, height, away);
    } else {
        let joints = max(FINE.x * lines(place, pixel, FINE.y), STRONG.x * lines(place / 5.0, pixel / 5.0, STRONG.y));
        color *= 1.0 - frame.settings.z * (1.0 - JOINT_COLOR) * joints;
    }
    let surface = Surface(position, normal, normal, color, 0.0, ROUGHNESS, 1.0, vec3f());
    let level = normalize(vec3f(in.ray.x, LEAST_RISE, in.ray.z));
    let farther = max(height / ENDS_FROM, 1.0);
    let end = smoothstep(ENDS.x * farther, ENDS.y * farther, away);
    let ended = frame.haze * end * end;
    return vec4f(displayed(mix(hazed(lit(surface), position), sky(level), ended), in.clip.xy), 1.0);
}
