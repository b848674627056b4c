// `particle_phantoms`: the first phantom of a particle and how many there are, of a partition of constraints.

// Set in the number: the phantoms belong to the last color alone, and start where the colors before it left the particle.
const PHANTOMS_HYBRID: u32 = 0x80000000u;

// How many share the particle's mass.
fn sharing(phantoms: vec2u) -> u32 {
    let count = phantoms.y & ~PHANTOMS_HYBRID;
    return select(count + 1u, max(count, 1u), (phantoms.y & PHANTOMS_HYBRID) != 0u);
}

fn end_of(phantoms: vec2u) -> u32 {
    return phantoms.x + (phantoms.y & ~PHANTOMS_HYBRID);
}
