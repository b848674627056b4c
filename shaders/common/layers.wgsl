#import "common/body"
// Which layers meet. Things of the same layers make a class, at most 16; the highest bits of a phase, and of the third word of a
// collider's shape, are its number. The including kernel declares `params`.

// Whether the scene has any layers but the first class, of what meets all.
override LAYERS: bool = false;

fn layers_meet(a: u32, b: u32) -> bool {
    let own = a >> 28u;
    let other = b >> 28u;
    let word = params.layers_meet[own / 8u][(own / 2u) % 4u];
    return ((word >> (16u * (own % 2u) + other)) & 1u) != 0u;
}

// Whether two things pass through one another by their phases. What is in one piece meets itself whatever its layers.
fn passes(a: u32, b: u32) -> bool {
    let one = group_of(a) != 0u && group_of(a) == group_of(b);
    return LAYERS && !one && !layers_meet(a, b);
}
