#import "common/body"
// Rings of particles about the axis of bodies that are round about it, which would roll on them as prisms do. The particle of a ring that
// is nearest to what they meet slides along the ring to where that is deepest: at most half way to the next one, which goes on from there.
// The including kernel declares `params`.

// Whether some body has rings.
override RINGS: bool = false;

// Where the normal leans less from the axis, all of the ring is about as deep.
const LEAST_LEAN: f32 = 0.02;

fn is_of_ring(row: ParticleRow) -> bool {
    return RINGS && (row.phase & PHASE_RING) != 0u && params.balls_roll != 0u;
}

// How much deeper than itself the particle may meet something [m].
fn ring_reach(row: ParticleRow) -> f32 {
    return select(0.0, length(row.local.xz) * (1.0 - cos(row.finest)), is_of_ring(row));
}

// Where it meets something with this normal, both in the frame of the body; its own place if another one is nearer.
fn slid_along_ring(row: ParticleRow, n: vec3f) -> vec3f {
    let lean = length(n.xz);
    let size = length(row.local.xz);
    if lean < LEAST_LEAN || -dot(row.local.xz, n.xz) < lean * size * cos(row.finest) {
        return row.local.xyz;
    }
    let to = n.xz * (-size / lean);
    return vec3f(to.x, row.local.y, to.y);
}
