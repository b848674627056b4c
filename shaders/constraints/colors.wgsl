#import "constraints/project"
#import "common/thread"
// One thread per constraint of one color and type. solver::constraints makes a kernel of this for each type that a scene has:
// it adds `constraints/row` for the type, and `main`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(1) var<storage, read_write> constraint_multipliers: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_starts: array<Start>;

// Takes the color of this dispatch; whether it has a row for the thread.
fn begin(thread: u32) -> bool {
    solved = Color(0u, batch.first, batch.count, batch.row, batch.particles, batch.color, 0u);
    return thread < batch.count;
}

fn slot(row: u32, k: u32) -> u32 {
    return particle_of(row, k);
}

fn move_of(slot: u32) -> vec4f {
    return particle_moves[slot];
}

fn store(slot: u32, weight: f32, moved: vec3f) {
    // What does not move may be in several constraints of one color, and is not written.
    if weight > 0.0 {
        particle_moves[slot] = vec4f(moved, weight);
    }
}
