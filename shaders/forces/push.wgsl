// Pushes of the host, one row each: first those on bodies, by body, then those on single particles, by particle, then those on ranges of
// particles and in balls. Within one body or particle they stand in the order in which the host gave them.

struct PushRow {
    vector: vec3f,             // [N s], [N m s], [m/s] or [rad/s], of a blast x: its strength [m/s], [N s]
    action: u32,
    point: vec3f,              // where it acts, or the center of the ball [m]
    radius: f32,               // of the ball [m]; below 0: everywhere
    first: u32,                // the body or the particle, or the first particle of a range
    end: u32,                  // one after its last
    flags: u32,                // PUSH_ and ACTS_ON_
    falloff: f32,              // power of how near the center of the ball a place is
    lift: f32,                 // how far below the center a blast seems to come from [m]
    first_chunk: u32,          // of the masses that share an impulse
    chunk_count: u32,
}

struct PushCounts {
    bodies: u32,               // rows on bodies
    particles: u32,            // rows on single particles
    regions: u32,
    repeats: u32,              // times in a frame that the rows are applied
}

// Particles whose mass is summed up at once, for a row.
struct PushChunk {
    row: u32,
    first: u32,
    end: u32,
}

const PUSH_IMPULSE: u32 = 0u;
const PUSH_ANGULAR_IMPULSE: u32 = 1u;
const PUSH_VELOCITY_CHANGE: u32 = 2u;
const PUSH_ANGULAR_VELOCITY_CHANGE: u32 = 3u;
const PUSH_VELOCITY: u32 = 4u;
const PUSH_ANGULAR_VELOCITY: u32 = 5u;
const PUSH_BLAST_SPEED: u32 = 6u;
const PUSH_BLAST_IMPULSE: u32 = 7u;

// The push acts at its point; that point and the vector are in the frame of the body.
const PUSH_AT_POINT: u32 = 256u;
const PUSH_LOCAL: u32 = 512u;

// First row from `begin` to before `end` that is of this body or particle, or of a later one.
fn first_push(begin: u32, end: u32, index: u32) -> u32 {
    var low = begin;
    var high = end;
    while low < high {
        let middle = (low + high) / 2u;
        if pushes[middle].first < index {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

fn in_ball(row: PushRow, x: vec3f) -> bool {
    return row.radius < 0.0 || distance(x, row.point) <= row.radius;
}

// Direction of a blast at a place, as long as the part of its strength that is left there.
fn blast_at(row: PushRow, x: vec3f) -> vec3f {
    let near = 1.0 - distance(x, row.point) / row.radius;
    if near < 0.0 {
        return vec3f(0.0);
    }
    // A power of 0 of 0 has no value in WGSL.
    let left = select(pow(max(near, 1e-12), row.falloff), 1.0, row.falloff == 0.0);
    let way = x - row.point + vec3f(0.0, row.lift, 0.0);
    let length = length(way);
    return left * select(vec3f(0.0, 1.0, 0.0), way / max(length, 1e-12), length > 1e-9);
}
