#import "render/frame"
#import "render/ball"
#import "render/liquid"
// What liquids take from the sun, seen from it: optical depths add up, the nearest surface wins. Six vertex threads stand
// for a particle, one fragment thread for a texel of what an ellipsoid is spread over.

@group(1) @binding(0) var<storage, read> splats: array<Splat>;
@group(1) @binding(1) var<storage, read> liquids: array<Liquid>;

// What the moving surface scatters aside counts as this optical depth for each metre below it.
const SCATTERED = 0.9;
// What a drop takes is spread over so many of its own outlines, and over at least so many texels of the sun's depth map: it has no edge.
const SPREAD = 1.8;
const LEAST_TEXELS = 4.0;
// Mean of half a chord of a ball of radius 1, over that of the falloff here.
const FALLOFF = 2.0;
// An axis is too near to the way of the light when that goes this much along it.
const ALONG = 0.7;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) place: vec2f,
    @location(1) @interpolate(flat) depth: vec3f, // optical depth in the middle
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let splat = splats[index / 6u];
    let place = corner(index % 6u);
    if splat.liquid == NO_LIQUID {
        return Fragment(NOWHERE, place, vec3f());
    }
    let matrix = splat_matrix(splat);
    let own_sun = inverse_of(matrix) * frame.sun.xyz;
    let toward = normalize(own_sun);
    let side = normalize(cross(select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(toward.x) > ALONG), toward));
    let across = matrix * side;
    let along = matrix * cross(toward, side);
    let spread = max(SPREAD, LEAST_TEXELS * frame.sun.w * inverseSqrt(min(dot(across, across), dot(along, along))));
    let position = splat.center + spread * (across * place.x + along * place.y);
    let way = FALLOFF / (spread * spread) * 2.0 * abs(splat.fill) / length(own_sun);
    let liquid = liquids[splat.liquid];
    return Fragment(shadow_clip(position), place, way * (liquid.absorption + liquid.turbidity + SCATTERED));
}

// Optical depth (rgb), and how near to the sun, 0 farthest.
@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    let inside = 1.0 - dot(in.place, in.place);
    if inside <= 0.0 {
        discard;
    }
    return vec4f(in.depth * inside * inside, 1.0 - in.clip.z);
}
