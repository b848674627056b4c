#import "render/bone"
#import "render/corners"
#import "render/light"
// Plane colliders with lines every metre and stronger ones every five. One vertex thread stands for a corner of a
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
// Least part of a ray that goes towards the plane.
const LEAST_TOWARD = 1e-9;
// Lines each metre and each five: how much they show, and their width over the distance between them.
const FINE = vec2f(0.45, 0.012);
const STRONG = vec2f(0.85, 0.006);
// What is left of the color of the plane under a line.
const LINE_COLOR = 0.42;
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
        if index < 3u && height > LEAST_HEIGHT {
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

// Coverage of lines of this width, both as a share of their distance (Golus 2023: lines thinner than a pixel are drawn
// a pixel wide and paler, and become their mean when there are several in a pixel).
fn lines(place: vec2f, width: f32) -> f32 {
    let pixel = vec2f(length(vec2f(dpdx(place.x), dpdy(place.x))), length(vec2f(dpdx(place.y), dpdy(place.y))));
    let drawn = clamp(vec2f(width), pixel, vec2f(0.5));
    let away = abs(fract(place - 0.5) - 0.5) * 2.0;
    let soft = max(pixel * SOFT_EDGE, vec2f(LEAST_CHANGE));
    let paler = clamp(width / drawn, vec2f(0.0), vec2f(1.0));
    var covered = (1.0 - smoothstep(drawn - soft, drawn + soft, away)) * paler;
    covered = mix(covered, vec2f(width), clamp(pixel * 2.0 - 1.0, vec2f(0.0), vec2f(1.0)));
    return mix(covered.x, 1.0, covered.y);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    let normal = rotate(in.rotation, vec3f(0.0, 1.0, 0.0));
    let height = dot(frame.eye.xyz - in.offset, normal);
    let way = min(height / max(-dot(in.ray, normal), LEAST_TOWARD), FARTHEST / length(in.ray));
    let position = frame.eye.xyz + way * in.ray;
    let place = rotate_back(in.rotation, position - in.offset).xz;
    let marks = frame.settings.z * max(FINE.x * lines(place, FINE.y), STRONG.x * lines(place / 5.0, STRONG.y));
    let color = mix(in.color.rgb, in.color.rgb * LINE_COLOR, marks);
    let surface = Surface(position, normal, normal, color, 0.0, ROUGHNESS, 1.0, vec3f());
    return vec4f(displayed(hazed(lit(surface), position), in.clip.xy), 1.0);
}
