#import "render/ball"
#import "render/chance"
#import "render/depth"
#import "render/liquid"
// Air in liquids as small discs around the particles that took it in: spray in the air, foam on the surface, bubbles
// below it. Densities add up. Six vertex threads stand for a disc, a few discs for a particle.

@group(1) @binding(0) var<storage, read> splats: array<Splat>;
@group(1) @binding(1) var<storage, read> liquids: array<Liquid>;
@group(2) @binding(0) var surface: texture_2d<f32>;
@group(2) @binding(1) var depth: texture_multisampled_2d<f32>;

// Discs around a particle.
const DISCS: u32 = 5u;
// Sizes of discs [radii], and how far around their particle they are [its widths].
const SMALLEST = 0.08;
const LARGEST = 0.32;
const AROUND = 1.1;
// How fast discs fade below the surface [1/radius], and how deep below it they are on it [radii].
const FADING = 0.35;
const SUNK = 2.0;
// Least radius of a disc [pixels].
const LEAST_PIXELS = 0.9;
// Air, in parts of a disc, from one disc of a particle to the next, and to the first.
const NEXT_DISC = 0.8;
const FIRST_DISC = 0.1;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) place: vec2f,
    @location(1) away: f32, // along the view [m]
    @location(2) @interpolate(flat) strength: f32,
    @location(3) @interpolate(flat) radius: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let disc = index / 6u;
    let splat = splats[disc / DISCS];
    let place = corner(index % 6u);
    // Each disc appears at its own amount of air.
    let strength = splat.foam * f32(DISCS) - NEXT_DISC * f32(disc % DISCS) - FIRST_DISC;
    if splat.liquid == NO_LIQUID || strength <= 0.0 {
        return Fragment(NOWHERE, place, 0.0, 0.0, 0.0);
    }
    let radius = liquids[splat.liquid].radius;
    let a = chance(2u * disc);
    let b = chance(2u * disc + 1u);
    let offset = splat_matrix(splat) * vec3f(a, b.x) * AROUND;
    let share = 0.5 + 0.5 * b.y;
    let own = radius * mix(SMALLEST, LARGEST, share * share);
    // What is smaller than a pixel is paler in its place, so that foam does not glitter.
    let pixel = 2.0 * length(frame.up.xyz) * frame.viewport.w * dot(splat.center - frame.eye.xyz, frame.forward.xyz);
    let size = max(own, LEAST_PIXELS * pixel);
    let side = normalize(frame.right.xyz) * place.x + normalize(frame.up.xyz) * place.y;
    let position = splat.center + offset + side * size;
    let away = dot(position - frame.eye.xyz, frame.forward.xyz);
    let clip = frame.clip_from_world * vec4f(position, 1.0);
    return Fragment(clip, place, away, min(strength, 1.0) * (own / size) * (own / size), radius);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    let pixel = vec2i(in.clip.xy);
    let inside = 1.0 - dot(in.place, in.place);
    if inside <= 0.0 || distance_at(textureLoad(depth, pixel, 0).x) < in.away {
        discard;
    }
    let top = textureLoad(surface, pixel, 0).r;
    let below = select(0.0, max(in.away - distance_at(top) - SUNK * in.radius, 0.0), top > 0.0);
    return vec4f(in.strength * inside * exp(-FADING * below / in.radius), 0.0, 0.0, 0.0);
}
