#import "common/rotation"
#import "render/ball"
#import "render/chance"
#import "render/light"
// Grains in slightly different colors. A particle is drawn as a heap of grains smaller than it, turned by chance: one in the
// middle, and others around that break its outline; from far away as one ball. Six vertex threads stand for
// a particle, one fragment thread for a pixel of it.

// xyz: centre [m]; w: radius [m].
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
// x: particle; y: its kind.
@group(1) @binding(1) var<storage, read> members: array<vec2u>;
// rgb: color of each kind.
@group(1) @binding(2) var<storage, read> colors: array<vec4f>;

// The grains of a particle: centre and radius, in radii of it.
const HEAP = array<vec4f, 7>(
    vec4f(0.0, 0.0, 0.0, 0.83),
    vec4f(0.343, -0.517, 0.0, 0.38),
    vec4f(-0.345, -0.27, 0.316, 0.46),
    vec4f(0.057, -0.11, -0.648, 0.34),
    vec4f(0.342, 0.095, 0.446, 0.43),
    vec4f(-0.546, 0.32, -0.097, 0.36),
    vec4f(0.243, 0.433, -0.154, 0.48),
);
const HEAPED = 7;
// Particles of at least so many pixels are drawn as heaps.
const FEWEST_PIXELS = 4.0;
// Half of the difference between the brightest and darkest particle, and between the reddest and bluest.
const BRIGHTNESS = 0.2;
const WARMTH = 0.06;
// The same between grains of a heap, and how much darker the one in the middle is, which others shade.
const GRAINS_DIFFER = 0.17;
const SHADED = 0.86;
// Facets of grains are so wide [radii of the particle], or twice and twice again as wide until they are as wide as so many
// pixels, but never wider than this; tilted so far, and so much brighter or darker.
const FACET = 0.1;
const FACET_PIXELS = 1.2;
const WIDEST_FACET = 0.7;
const TILT = 0.42;
const SPECKLE = 0.16;
// Of grains: dull, as sand is.
const ROUGHNESS = 0.9;
// Least change of the distance from the middle over a pixel [radii].
const LEAST_CHANGE = 1e-4;
// Farther than anything that is met [radii].
const NOT_MET = 1e9;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f, // from the eye to the square, and the eye, in radii and turned as the heap is
    @location(1) @interpolate(flat) own_eye: vec3f,
    @location(2) @interpolate(flat) ball: vec4f,
    @location(3) @interpolate(flat) color: vec3f,
    @location(4) @interpolate(flat) turn: vec4f,
    @location(5) @interpolate(flat) heaped: u32, // how many grains are drawn of it
}

struct Drawn {
    @location(0) color: vec4f,
    @builtin(frag_depth) depth: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let member = members[index / 6u];
    let ball = particles[member.x];
    let away = distance(frame.eye.xyz, ball.xyz);
    if away <= ball.w || ball.w <= 0.0 {
        return Fragment(NOWHERE, vec3f(), vec3f(), ball, vec3f(), vec4f(), 0u);
    }
    let own = chance(member.x);
    let color = colors[member.y].rgb * (1.0 + BRIGHTNESS * own.x + WARMTH * own.y * vec3f(1.0, 0.0, -1.0));
    let other = chance(member.x ^ 0x80000000u);
    let turn = normalize(vec4f(own, other.x, 1.01 + other.y));
    let position = ball_square(ball, frame.eye.xyz, frame.up.xyz, index % 6u);
    let pixels = ball.w * frame.viewport.y / (2.0 * length(frame.up.xyz) * away);
    let ray = rotate_back(turn, position - frame.eye.xyz) / ball.w;
    let own_eye = rotate_back(turn, frame.eye.xyz - ball.xyz) / ball.w;
    let heaped = select(1u, u32(HEAPED), pixels >= FEWEST_PIXELS);
    return Fragment(frame.clip_from_world * vec4f(position, 1.0), ray, own_eye, ball, color, turn, heaped);
}

// Which facet of a grain a place on it is of: a number of its own for each.
fn facet(place: vec3f, size: f32) -> u32 {
    let cell = bitcast<vec3u>(vec3i(floor(place / size)));
    return (cell.x * 73856093u) ^ (cell.y * 19349663u) ^ (cell.z * 83492791u);
}

@fragment
fn fragment(in: Fragment) -> Drawn {
    let ray = normalize(in.ray);
    var nearest = NOT_MET;
    var grain = vec4f(0.0, 0.0, 0.0, 1.0);
    var number = 0u;
    var outside = NOT_MET;
    for (var i = 0u; i < in.heaped; i++) {
        let part = select(vec4f(0.0, 0.0, 0.0, 1.0), HEAP[i], in.heaped > 1u);
        let from_center = in.own_eye - part.xyz;
        let along = dot(from_center, ray);
        let away = length(from_center - along * ray);
        outside = min(outside, away - part.w);
        let met = -along - sqrt(max(part.w * part.w - away * away, 0.0));
        if away < part.w && met < nearest {
            nearest = met;
            grain = part;
            number = i;
        }
    }
    let coverage = clamp(0.5 - outside / max(fwidth(outside), LEAST_CHANGE), 0.0, 1.0);
    if is_bare(coverage) || nearest >= NOT_MET {
        discard;
    }
    let own = in.own_eye + nearest * ray;
    var facing = (own - grain.xyz) / grain.w;
    var color = in.color;
    let hit = in.ball.xyz + in.ball.w * rotate(in.turn, own);
    let normal = rotate(in.turn, facing);
    let seed = bitcast<u32>(in.color.x);
    if in.heaped > 1u {
        color *= select(1.0 + GRAINS_DIFFER * chance(seed + number).x, SHADED, number == 0u);
    }
    let pixel = 2.0 * length(frame.up.xyz) * frame.viewport.w * distance(hit, frame.eye.xyz) / in.ball.w;
    let size = FACET * exp2(ceil(log2(max(FACET_PIXELS * pixel / FACET, 1.0))));
    let shown = select(0.0, 1.0, size <= WIDEST_FACET);
    let index = facet(own, size) ^ seed;
    let own_tilt = chance(index);
    facing += shown * TILT * vec3f(own_tilt, own_tilt.x * own_tilt.y);
    color *= 1.0 + shown * SPECKLE * own_tilt.y;
    let surface = Surface(hit, normalize(rotate(in.turn, facing)), normal, color, 0.0, ROUGHNESS, 1.0, vec3f());
    let clip = frame.clip_from_world * vec4f(hit, 1.0);
    return Drawn(vec4f(displayed(hazed(lit(surface), hit), in.clip.xy), coverage), clip.z / clip.w);
}
