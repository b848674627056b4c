// `particle_copies`: the first copy of a particle and how many there are, of a partition of constraints.

// Set in the number: the copies belong to the last color alone, and start where the colors before it left the particle.
const COPIES_LATE: u32 = 0x80000000u;

// How many share the particle's mass.
fn sharing(copies: vec2u) -> u32 {
    let count = copies.y & ~COPIES_LATE;
    return select(count + 1u, max(count, 1u), (copies.y & COPIES_LATE) != 0u);
}

fn end_of(copies: vec2u) -> u32 {
    return copies.x + (copies.y & ~COPIES_LATE);
}
