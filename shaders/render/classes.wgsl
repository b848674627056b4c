#import "render/corners"
#import "render/frame"
#import "render/hue"
// Constraints as lines between their particles, in the color of the class that they are solved in. Lines reach not quite to
// the particles, so that those of neighbors part. Six vertex threads stand for a line, three lines for a constraint.

@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
// x: type and first word of each constraint.
@group(1) @binding(1) var<storage, read> constraint_heads: array<vec2u>;
@group(1) @binding(2) var<storage, read> constraint_words: array<vec4u>;
// First constraint of each class, then the end.
@group(1) @binding(3) var<storage, read> color_starts: array<u32>;
// The particle of each phantom; phantoms are counted after the particles.
@group(1) @binding(4) var<storage, read> phantom_originals: array<u32>;

const FIRST_WORD = 0x03ffffffu;
const NO_PARTICLE = 0xffffffffu;
// Heads from here on are of constraints that broke.
const TORN = 0xfc000000u;
// Part of the way to the middle of the constraint that an end is drawn in.
const INSET = 0.08;
// Width [pixels].
const WIDTH = 2.0;
// A line shorter than this has no direction [half pixels].
const LEAST_SPAN = 1e-6;
// The grey that is mixed into colors, and how much of them is left.
const GREY = 0.02;
const PURITY = 0.9;
// How bright the darkest is, and the difference to the brightest.
const DARKEST = 0.5;
const SHADES = 0.5;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat) color: vec3f,
}

// A color of its own for each class.
fn class_color(index: u32) -> vec3f {
    let hue = own_hue(index);
    return mix(vec3f(GREY), hue * hue, PURITY) * (DARKEST + SHADES * own_shade(index));
}

// The class that constraint `index` is in: the last that begins at it or before.
fn class_of(index: u32) -> u32 {
    var low = 0u;
    var high = arrayLength(&color_starts) - 1u;
    while high - low > 1u {
        let middle = (low + high) / 2u;
        // The table is followed by zeros.
        if color_starts[middle] > 0u && color_starts[middle] <= index {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

fn place(slot: u32) -> vec3f {
    let count = arrayLength(&particles);
    if slot < count {
        return particles[slot].xyz;
    }
    return particles[min(phantom_originals[slot - count], count - 1u)].xyz;
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    let constraint = index / 18u;
    let line = index / 6u % 3u;
    let head = constraint_heads[constraint].x;
    let slots = constraint_words[head & FIRST_WORD];
    if slots[line + 1u] == NO_PARTICLE || head >= TORN {
        return Fragment(NOWHERE, vec3f());
    }
    var middle = vec3f();
    var count = 0.0;
    for (var k = 0u; k < 4u; k++) {
        if slots[k] != NO_PARTICLE {
            middle += place(slots[k]);
            count += 1.0;
        }
    }
    middle /= count;
    let start = frame.clip_from_world * vec4f(mix(place(slots[line]), middle, INSET), 1.0);
    let end = frame.clip_from_world * vec4f(mix(place(slots[line + 1u]), middle, INSET), 1.0);
    if start.w <= LEAST_AHEAD || end.w <= LEAST_AHEAD {
        return Fragment(NOWHERE, vec3f());
    }
    let span = (end.xy / end.w - start.xy / start.w) * frame.viewport.xy;
    let aside = vec2f(-span.y, span.x) / max(length(span), LEAST_SPAN) * WIDTH;
    let along = corner(index % 6u);
    let at = select(start, end, along.x > 0.0);
    let clip = vec4f(at.xy + aside * along.y * frame.viewport.zw * at.w, at.zw);
    return Fragment(clip, class_color(class_of(constraint)));
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}
