// Plane colliders with lines every metre and stronger ones every five. One vertex thread stands for a corner of a
// plane's rectangle, one fragment thread for a pixel.

#import "render/bone"
#import "render/light"

@group(1) @binding(0) var<storage, read> placements: array<Placement>;

/// Half width of a level plane, drawn around the eye, and of a tilted one, drawn around its position [m].
const LEVEL_REACH = 1500.0;
const TILTED_REACH = 20.0;

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) place: vec2<f32>,
    @location(2) @interpolate(flat) normal: vec3<f32>,
    @location(3) @interpolate(flat) color: vec4<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(8) tint: vec4<f32>, @location(9) base: u32) -> Fragment {
    let plane = placements[base];
    let normal = rotate(plane.rotation, vec3<f32>(0.0, 1.0, 0.0));
    let corner = vec2<f32>(f32((0x1au >> index) & 1u), f32((0x34u >> index) & 1u)) * 2.0 - 1.0;
    let below_eye = rotate_back(plane.rotation, frame.eye.xyz - plane.offset).xz;
    let level = normal.y > 0.999;
    // A whole multiple of the line distance keeps the coordinates small near the eye.
    let center = select(vec2<f32>(), round(below_eye / 5.0) * 5.0, level);
    let place = center + corner.yx * select(TILTED_REACH, LEVEL_REACH, level);
    let position = plane.offset + rotate(plane.rotation, vec3<f32>(place.x, 0.0, place.y));
    return Fragment(frame.clip_from_world * vec4<f32>(position, 1.0), position, place, normal, tint);
}

/// Coverage of lines of this width, both as a share of their distance (Golus 2023: lines thinner than a pixel are drawn
/// a pixel wide and paler, and become their mean when there are several in a pixel).
fn lines(place: vec2<f32>, width: f32) -> f32 {
    let pixel = vec2<f32>(length(vec2<f32>(dpdx(place.x), dpdy(place.x))), length(vec2<f32>(dpdx(place.y), dpdy(place.y))));
    let drawn = clamp(vec2<f32>(width), pixel, vec2<f32>(0.5));
    let away = abs(fract(place - 0.5) - 0.5) * 2.0;
    let soft = max(pixel * 1.5, vec2<f32>(1e-6));
    let paler = clamp(width / drawn, vec2<f32>(0.0), vec2<f32>(1.0));
    var covered = (1.0 - smoothstep(drawn - soft, drawn + soft, away)) * paler;
    covered = mix(covered, vec2<f32>(width), clamp(pixel * 2.0 - 1.0, vec2<f32>(0.0), vec2<f32>(1.0)));
    return mix(covered.x, 1.0, covered.y);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let marks = frame.settings.z * max(0.45 * lines(in.place, 0.012), 0.85 * lines(in.place / 5.0, 0.006));
    let color = mix(in.color.rgb, in.color.rgb * 0.42, marks);
    let surface = Surface(in.position, in.normal, in.normal, color, 0.0, 0.85, 1.0, vec3<f32>());
    return vec4<f32>(displayed(hazed(lit(surface), in.position), in.clip.xy), 1.0);
}
