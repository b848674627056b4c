#import "common/rotation"
#import "render/screen"
#import "render/facing"
#import "render/chance"
#import "render/light"
// Heaps as one surface of grains smaller than the particles, which stay where they are on each particle as it turns and rolls on. One
// fragment thread stands for a pixel.

// xyz: centre [m]; w: radius [m].
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
// x: particle; y: its kind.
@group(1) @binding(1) var<storage, read> members: array<vec2u>;
// rgb: color of each kind.
@group(1) @binding(2) var<storage, read> colors: array<vec4f>;
// As `heap_filter` leaves it.
@group(1) @binding(3) var surface: texture_2d<f32>;

// Half of the difference between the brightest and darkest particle, and between the reddest and bluest.
const BRIGHTNESS = 0.06;
const WARMTH = 0.03;
// Facets of grains are so wide [radii of the particle], or twice and twice again as wide until they are as wide as so many
// pixels, but never wider than this; tilted so far, and so much brighter or darker.
const FACET = 0.1;
const FACET_PIXELS = 1.2;
const WIDEST_FACET = 0.7;
const TILT = 0.42;
const SPECKLE = 0.16;
// The same of lumps, four times as wide as grains.
const LUMP = 4.0;
const LUMP_TILT = 0.12;
// Of grains: dull, as sand is.
const ROUGHNESS = 0.9;
// How far apart places are whose distances tell which way a heap faces [radii], and at most [pixels].
const REACH = 0.35;
const MOST_REACH = 12.0;
// Shadows are looked up so far above the surface [radii]: balls reach out of it that cast them.
const LIFTED = 1.4;

struct Drawn {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

// A tilt for an index, each of it in -1..1.
fn tilted(index: u32) -> vec3f {
    let a = chance(index);
    return vec3f(a, chance(index ^ 0x9e3779b9u).x);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> Drawn {
    let pixel = vec2i(at.xy);
    let own = textureLoad(surface, pixel, 0).rg;
    let share = within(pixel);
    if own.r <= 0.0 || is_bare(share) {
        discard;
    }
    let member = members[u32(own.g) - 1u];
    let ball = particles[member.x];
    let place = ray_through(at.xy) * distance_at(own.r);
    let hit = frame.eye.xyz + place;
    let own_chance = chance(member.x);
    let other = chance(member.x ^ 0x80000000u);
    // Turned by chance.
    let turn = normalize(vec4f(own_chance, other.x, 1.01 + other.y));
    let on_it = rotate_back(turn, hit - ball.xyz) / ball.w;
    let wide = 2.0 * length(frame.up.xyz) * frame.viewport.w * length(place) / ball.w;
    let plain = facing(place, pixel, i32(clamp(REACH / wide, 1.0, MOST_REACH)));
    let size = FACET * exp2(ceil(log2(max(FACET_PIXELS * wide / FACET, 1.0))));
    let shown = select(0.0, 1.0, size <= WIDEST_FACET);
    let grain = tilted(cell_at(on_it, size) ^ member.x);
    let lump = tilted(cell_at(on_it, LUMP * FACET) ^ member.x);
    let normal = normalize(plain + shown * TILT * grain + LUMP_TILT * lump);
    var color = colors[member.y].rgb * (1.0 + BRIGHTNESS * own_chance.x + WARMTH * own_chance.y * vec3f(1.0, 0.0, -1.0));
    color *= 1.0 + shown * SPECKLE * grain.y;
    let lit_at = hit + LIFTED * ball.w * plain;
    let radiance = lit(Surface(lit_at, normal, plain, color, 0.0, ROUGHNESS, 1.0, vec3f()));
    let clip = frame.clip_from_world * vec4f(hit, 1.0);
    return Drawn(vec4f(displayed(hazed(radiance, hit), at.xy), share), clip.z / clip.w);
}
