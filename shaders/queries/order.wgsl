#import "queries/target"
// The order of targets in the tree: what is near in space is near in it, what is large apart from what is small.

// Where most of the targets are: the cells that their places are counted in.
struct Window {
    low: vec3f,                // [m]
    cell: f32,                 // [m]
}

// Cells along each axis.
const CELL_BITS: u32 = 9u;
const CELLS: u32 = 512u;
// Classes of size, each four times as large as the one before.
const MOST_CLASS: f32 = 6.0;
// Key of what is not there.
const LAST_KEY: u32 = 0x3fffffffu;
// Sides beyond are a half space's [m], which comes before all others.
const ENDLESS: f32 = 1e20;

// Bits of the key, those that a round sorts by, and the rounds that takes.
const DIGIT_BITS: u32 = 5u;
const DIGITS: u32 = 32u;
const SORT_ROUNDS: u32 = 6u;
// Keys that a thread counts.
const KEYS_EACH: u32 = 32u;

struct Key {
    key: u32,
    item: u32,
}

// Bits with two empty ones between them (Morton 1966).
fn spread(bits: u32) -> u32 {
    var x = bits & 0x3ffu;
    x = (x | (x << 16u)) & 0x030000ffu;
    x = (x | (x << 8u)) & 0x0300f00fu;
    x = (x | (x << 4u)) & 0x030c30c3u;
    return (x | (x << 2u)) & 0x09249249u;
}

fn key_of(box: Box, window: Window) -> u32 {
    let size = box.high - box.low;
    let longest = max(size.x, max(size.y, size.z));
    if longest < 0.0 {
        return LAST_KEY;
    }
    if longest > ENDLESS {
        return 0u;
    }
    let place = clamp((0.5 * (box.low + box.high) - window.low) / window.cell, vec3f(0.0), vec3f(f32(CELLS - 1u)));
    let cell = vec3u(place);
    let size_class = u32(clamp(0.5 * log2(max(longest, 1e-9) / (4.0 * window.cell)), 0.0, MOST_CLASS));
    let key = (size_class << (3u * CELL_BITS)) | spread(cell.x) | (spread(cell.y) << 1u) | (spread(cell.z) << 2u);
    return max(key, 1u);
}
