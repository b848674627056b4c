#import "constraints/project"
// One workgroup per cluster: particles that fit its memory, with all constraints between them, color after color. What clusters
// share has a phantom in each. solver::constraints makes the kernel: it adds `constraints/row` for each type, the
// number of threads, and `main`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(1) var<storage, read_write> constraint_multipliers: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_starts: array<Start>;
@group(1) @binding(5) var<storage, read> constraint_colors: array<Color>;
@group(1) @binding(6) var<storage, read> cluster_words: array<u32>;
@group(1) @binding(7) var<storage, read> cluster_slots: array<u32>;

// Particles of a cluster: what every browser grants a workgroup.
const CLUSTER_PARTICLES: u32 = 1024u;

// Words of `cluster_words`: the number of clusters, then where to find the first member of each and the end,
const CLUSTERS: u32 = 0u;
const CLUSTER_FIRSTS: u32 = 1u;
// the members,
const CLUSTER_MEMBERS: u32 = 2u;
// the first row of each cluster in every color and the end,
const CLUSTER_ROWS: u32 = 3u;
// and the number of colors.
const CLUSTER_COLORS: u32 = 4u;

var<workgroup> cluster_moves: array<vec4f, CLUSTER_PARTICLES>;

// Brings the members' moves in.
fn gather(cluster: u32, local: u32) {
    let first = cluster_words[cluster_words[CLUSTER_FIRSTS] + cluster];
    let end = cluster_words[cluster_words[CLUSTER_FIRSTS] + cluster + 1u];
    for (var m = first + local; m < end; m += CLUSTER_THREADS) {
        cluster_moves[m - first] = particle_moves[cluster_words[cluster_words[CLUSTER_MEMBERS] + m]];
    }
    workgroupBarrier();
}

// Takes them back; what is held is not written: several clusters may have it.
fn scatter(cluster: u32, local: u32) {
    let first = cluster_words[cluster_words[CLUSTER_FIRSTS] + cluster];
    let end = cluster_words[cluster_words[CLUSTER_FIRSTS] + cluster + 1u];
    for (var m = first + local; m < end; m += CLUSTER_THREADS) {
        let moved = cluster_moves[m - first];
        if moved.w > 0.0 {
            particle_moves[cluster_words[cluster_words[CLUSTER_MEMBERS] + m]] = moved;
        }
    }
}

// Takes a color; returns the first row of the cluster there, and the end.
fn rows_of(color: u32, cluster: u32) -> vec2u {
    solved = constraint_colors[color];
    let at = cluster_words[CLUSTER_ROWS] + color * (cluster_words[CLUSTERS] + 1u) + cluster;
    return vec2u(cluster_words[at], cluster_words[at + 1u]);
}

// Two to a word.
fn slot(row: u32, k: u32) -> u32 {
    return cluster_slots[solved.slots + (k >> 1u) * solved.count + row] >> (16u * (k & 1u)) & 0xffffu;
}

fn move_of(slot: u32) -> vec4f {
    return cluster_moves[slot];
}

fn store(slot: u32, weight: f32, moved: vec3f) {
    if weight > 0.0 {
        cluster_moves[slot] = vec4f(moved, weight);
    }
}
