#import "render/bone"
#import "render/light"
// Plane colliders with lines every metre and stronger ones every five. One vertex thread stands for a corner of a
// plane's rectangle or of the screen, one fragment thread for a pixel.

@group(1) @binding(0) var<storage, read> placements: array<Placement>;

/// Half width of a tilted plane, drawn around its position [m].
const TILTED_REACH = 20.0;
/// Farthest that a level plane is shaded [m].
const FARTHEST = 1e5;

struct Fragment {
    @builtin(position) clip: vec4f,
    /// From the eye towards the plane, of any length.
    @location(0) ray: vec3f,
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
    if normal.y > 0.999 {
        // The depth of a plane is straight across the screen: one triangle over all of it, cut off where depth is 0, at
        // the horizon. Corners far out in the world would do no less, but rasterizers round the places of corners on
        // the screen, and those all lie on the horizon.
        let height = dot(frame.eye.xyz - plane.offset, normal);
        if index < 3u && height > 1e-4 {
            let at = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
            ray = frame.forward.xyz + at.x * frame.right.xyz + at.y * frame.up.xyz;
            clip = vec4f(at, -frame.eye.w * dot(ray, normal) / height, 1.0);
        }
    } else {
        let corner = vec2f(f32((0x1au >> index) & 1u), f32((0x34u >> index) & 1u)) * 2.0 - 1.0;
        let place = corner.yx * TILTED_REACH;
        let position = plane.offset + rotate(plane.rotation, vec3f(place.x, 0.0, place.y));
        ray = position - frame.eye.xyz;
        clip = frame.clip_from_world * vec4f(position, 1.0);
    }
    return Fragment(clip, ray, plane.rotation, plane.offset, tint);
}

/// Coverage of lines of this width, both as a share of their distance (Golus 2023: lines thinner than a pixel are drawn
/// a pixel wide and paler, and become their mean when there are several in a pixel).
fn lines(place: vec2f, width: f32) -> f32 {
    let pixel = vec2f(length(vec2f(dpdx(place.x), dpdy(place.x))), length(vec2f(dpdx(place.y), dpdy(place.y))));
    let drawn = clamp(vec2f(width), pixel, vec2f(0.5));
    let away = abs(fract(place - 0.5) - 0.5) * 2.0;
    let soft = max(pixel * 1.5, vec2f(1e-6));
    let paler = clamp(width / drawn, vec2f(0.0), vec2f(1.0));
    var covered = (1.0 - smoothstep(drawn - soft, drawn + soft, away)) * paler;
    covered = mix(covered, vec2f(width), clamp(pixel * 2.0 - 1.0, vec2f(0.0), vec2f(1.0)));
    return mix(covered.x, 1.0, covered.y);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    let normal = rotate(in.rotation, vec3f(0.0, 1.0, 0.0));
    let height = dot(frame.eye.xyz - in.offset, normal);
    let way = min(height / max(-dot(in.ray, normal), 1e-9), FARTHEST / length(in.ray));
    let position = frame.eye.xyz + way * in.ray;
    let place = rotate_back(in.rotation, position - in.offset).xz;
    let marks = frame.settings.z * max(0.45 * lines(place, 0.012), 0.85 * lines(place / 5.0, 0.006));
    let color = mix(in.color.rgb, in.color.rgb * 0.42, marks);
    let surface = Surface(position, normal, normal, color, 0.0, 0.85, 1.0, vec3f());
    return vec4f(displayed(hazed(lit(surface), position), in.clip.xy), 1.0);
}
