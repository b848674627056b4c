#import "common/grid"
// Rest of free particles: `particle_rests` has where each has stayed and, of grains, how long; `stirred` has the round in which
// something last moved in a cell or in one around it. A cell has two words there, shared with few others by chance (Bloom
// 1970): only where both say so did something move.

// How far from a place a particle may go and still be said to stay there [radii].
const STAYS: f32 = 0.1;

// Of a power of two words.
fn first_word(cell: vec3i, level: u32, words: u32) -> u32 {
    return grid_bucket(cell, level, words - 1u);
}

fn second_word(cell: vec3i, level: u32, words: u32) -> u32 {
    return grid_bucket(cell.yzx + vec3i(cell.z, 0, 7919), level, words - 1u);
}
