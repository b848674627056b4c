#import "constraints/project"
// One workgroup per cluster: particles that fit its memory, with all constraints between them, color after color. What clusters
// share has a phantom in each. solver::constraints makes the kernel: it adds `constraints/row` for each type, the
// number of threads, and `main`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> constraint_words: array<u32>;
@group(1) @binding(1) var<storage, read_write> constraint_multipliers: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_places: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read> group_origins: array<vec4f>;
@group(1) @binding(5) var<storage, read> constraint_colors: array<Color>;
@group(1) @binding(6) var<storage, read> cluster_words: array<u32>;
@group(1) @binding(7) var<storage, read> cluster_slots: array<u32>;

// Particles of a cluster: what every browser grants a workgroup.
const CLUSTER_PARTICLES: u32 = 1024u;

// `cluster_words` begins with these: number of clusters, then where to find the first member of each and the end, the members, the
// first row of each cluster in every color and the end, and the first color of each type and the end.
struct ClusterTable {
    clusters: u32,
    firsts: u32,
    members: u32,
    rows: u32,
    types: u32,
}

var<workgroup> cluster_places: array<vec4f, CLUSTER_PARTICLES>;

fn cluster_table() -> ClusterTable {
    return ClusterTable(cluster_words[0], cluster_words[1], cluster_words[2], cluster_words[3], cluster_words[4]);
}

// Brings the members' places in.
fn gather(cluster: u32, local: u32) {
    let table = cluster_table();
    let first = cluster_words[table.firsts + cluster];
    let end = cluster_words[table.firsts + cluster + 1u];
    for (var m = first + local; m < end; m += CLUSTER_THREADS) {
        cluster_places[m - first] = particle_places[cluster_words[table.members + m]];
    }
    workgroupBarrier();
}

// Takes them back; what is held is not written: several clusters may have it.
fn scatter(cluster: u32, local: u32) {
    let table = cluster_table();
    let first = cluster_words[table.firsts + cluster];
    let end = cluster_words[table.firsts + cluster + 1u];
    for (var m = first + local; m < end; m += CLUSTER_THREADS) {
        let place = cluster_places[m - first];
        if place.w > 0.0 {
            particle_places[cluster_words[table.members + m]] = place;
        }
    }
}

// First and last color of a type.
fn colors_of(kind: u32) -> vec2u {
    let types = cluster_table().types;
    return vec2u(cluster_words[types + kind], cluster_words[types + kind + 1u]);
}

// Takes a color; returns the first row of the cluster there, and the end.
fn rows_of(color: u32, cluster: u32) -> vec2u {
    solved = constraint_colors[color];
    let table = cluster_table();
    let at = table.rows + color * (table.clusters + 1u) + cluster;
    return vec2u(cluster_words[at], cluster_words[at + 1u]);
}

// Two to a word.
fn slot(row: u32, k: u32) -> u32 {
    return cluster_slots[solved.slots + (k >> 1u) * solved.count + row] >> (16u * (k & 1u)) & 0xffffu;
}

fn place_of(slot: u32) -> vec4f {
    return cluster_places[slot];
}

fn store(slot: u32, weight: f32, at: vec3f) {
    if weight > 0.0 {
        cluster_places[slot] = vec4f(at, weight);
    }
}
