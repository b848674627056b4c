// Where particles and those that stand for them in a partition of constraints are.

// Place of a particle, or of a phantom, before the constraints of an iteration. How far they moved it is kept apart: far from the
// world's origin nothing is lost to rounding, and what one gains in momentum another loses to the last bit.
struct Start {
    place: vec3f,              // [m]
    particle: u32,             // that it stands for
}

// Set in the number of phantoms: they belong to the last color alone, and start where the colors before it left the particle.
const PHANTOMS_HYBRID: u32 = 0x80000000u;

fn phantom_count(phantoms: u32) -> u32 {
    return phantoms & ~PHANTOMS_HYBRID;
}

// How many share the particle's mass.
fn sharing(phantoms: u32) -> u32 {
    let count = phantom_count(phantoms);
    return select(count + 1u, max(count, 1u), (phantoms & PHANTOMS_HYBRID) != 0u);
}
