#import "render/frame"
#import "render/hue"
#import "render/ribbon"
#import "common/color"
// Constraints as lines between their particles, in the color of the class that they are solved in. Lines reach not quite to
// the particles, so that those of neighbors part. Six vertex threads stand for a line, three lines for a constraint.

@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(2) var<storage, read> constraint_colors: array<Color>;
// The particle of each phantom; phantoms are counted after the particles.
@group(1) @binding(3) var<storage, read> phantom_originals: array<u32>;

const NO_PARTICLE = 0xffffffffu;
// Part of the way to the middle of the constraint that an end is drawn in.
const INSET = 0.08;
// Width [pixels].
const WIDTH = 2.0;
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

// The row of `constraint_colors` that constraint `index` is in: the last that begins at it or before.
fn class_of(index: u32) -> u32 {
    var low = 0u;
    var high = arrayLength(&constraint_colors);
    while high - low > 1u {
        let middle = (low + high) / 2u;
        // The table is followed by zeros.
        if constraint_colors[middle].row > 0u && constraint_colors[middle].row <= index {
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
    let solved = constraint_colors[class_of(constraint)];
    let first = solved.first + constraint - solved.row;
    if line + 1u >= solved.particles || constraint_words[first] == NO_PARTICLE {
        return Fragment(NOWHERE, vec3f());
    }
    var middle = vec3f();
    for (var k = 0u; k < solved.particles; k++) {
        middle += place(constraint_words[first + k * solved.count] & ~HALF) / f32(solved.particles);
    }
    let begin = place(constraint_words[first + line * solved.count] & ~HALF);
    let finish = place(constraint_words[first + (line + 1u) * solved.count] & ~HALF);
    let clip = ribbon(mix(begin, middle, INSET), mix(finish, middle, INSET), WIDTH, index % 6u);
    return Fragment(clip, class_color(solved.color));
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}
