#import "render/liquid_grid"
// Ellipsoids of liquids (Yu and Turk 2010, "Reconstructing surfaces of particle-based fluids using anisotropic kernels",
// section 4): each particle moves towards the mean of its neighbors and is as wide in every direction as they lie spread.
// The covariance itself is the stretching, so no axes are sought. Also how much air each takes in (Ihmsen et al. 2012,
// "Unified spray, foam and air bubbles for particle-based fluids", section 3). One thread stands for a particle.

@group(0) @binding(4) var<storage, read> particle_velocities: array<vec4f>; // [m/s]
@group(0) @binding(5) var<storage, read> cell_starts: array<u32>;
@group(0) @binding(6) var<storage, read> sorted_members: array<Placed>;
@group(0) @binding(7) var<storage, read_write> splats: array<Splat>;

// Part of the way to the mean of the neighbors, and of the way that this is off on a flat surface [reaches], which is no unevenness: all
// moved by it, liquid would be drawn two thirds of a radius too low, and away from the walls and bodies that it touches.
const SMOOTHING = 0.6;
const FLAT_MEAN = 0.32;
const KEPT = 0.46;
// Half width of an ellipsoid among many neighbors, and of one alone [radii].
const WIDE = 2.7;
const ALONE = 0.8;
// Least width in any direction, as a part of that among many neighbors.
const LEAST = 0.2;
// Weight of neighbors, the own included, from which a particle starts to be of a body of liquid, and is.
const FEW = 2.2;
const MANY = 7.0;
// Variance of one coordinate over a full neighborhood [squares of its reach]: 0.45 / 3 with the weight below.
const FULL_VARIANCE = 0.15;

// Inside are those with at least this weight of neighbors whose mean is nearer than this [reaches].
const INSIDE_WEIGHT = 19.0;
const INSIDE_MEAN = 0.07;
// Neighbors that rush into one another from here [m/s] trap air, and the most of it; the same of the energy of motion
// [m²/s²], without which they do not, and of how far the neighbors' mean is off [reaches], which tells crests from planes.
const TRAPPING = vec2f(4.0, 22.0);
const MOVING = vec2f(0.4, 5.0);
const CREST = vec2f(0.32, 0.5);
// Air taken in a second at most, by trapping and on crests.
const TRAPPED = 5.0;
const CRESTED = 2.5;
// How long air stays on the surface, and inside [s].
const FOAM_LIFE = 2.2;
const BUBBLE_LIFE = 0.8;
// How far the neighbors' mean is off inside, and on the surface [reaches].
const SURFACING = vec2f(0.1, 0.25);
// Cosine between the motion and the way out, from which a crest breaks, and does.
const BREAKING = vec2f(0.3, 0.8);
// Least distance [reaches], or its product with a speed [m/s], that is divided by.
const LEAST_AWAY = 1e-6;
// Least volume of an ellipsoid [m³].
const LEAST_VOLUME = 1e-30;
const PI = 3.14159265;

struct Spread {
    weight: f32,
    sum: vec3f,
    diagonal: vec3f,
    mixed: vec3f,
    rush: f32, // of neighbors towards this one [m/s]
}

// Adds the neighbors in `cell` of what is at `own`; offsets count in reaches.
fn add_cell(spread: ptr<function, Spread>, cell: vec3i, own: Placed, reach: f32) {
    let bucket = bucket_of(cell, own.liquid);
    let first = cell_starts[bucket];
    for (var k = first; k < min(cell_starts[bucket + 1u], first + MOST_IN_CELL); k++) {
        let other = sorted_members[k];
        let offset = (other.position - own.position) / reach;
        let distance2 = dot(offset, offset);
        // Other cells and liquids may share the bucket.
        if distance2 < 1.0 && other.liquid == own.liquid && all(cell_of(other.position, own.liquid) == cell) {
            let distance = sqrt(distance2);
            let weight = 1.0 - distance2 * distance;
            (*spread).weight += weight;
            (*spread).sum += weight * offset;
            (*spread).diagonal += weight * offset * offset;
            (*spread).mixed += weight * offset.xxy * offset.yzz;
            let relative = other.velocity - own.velocity;
            let towards = -dot(relative, offset) / max(distance, LEAST_AWAY);
            (*spread).rush += (length(relative) + towards) * (1.0 - distance);
        }
    }
}

// Air in the particle after the time since the last picture.
fn aired(before: f32, spread: Spread, mean: vec3f, velocity: vec3f) -> f32 {
    let speed = length(velocity);
    let away = length(mean);
    let outward = -dot(mean, velocity) / max(away * speed, LEAST_AWAY);
    let crest = smoothstep(CREST.x, CREST.y, away) * smoothstep(BREAKING.x, BREAKING.y, outward);
    let trapped = smoothstep(TRAPPING.x, TRAPPING.y, spread.rush);
    let moving = smoothstep(MOVING.x, MOVING.y, 0.5 * speed * speed);
    let life = mix(BUBBLE_LIFE, FOAM_LIFE, smoothstep(SURFACING.x, SURFACING.y, away));
    let taken = moving * (TRAPPED * trapped + CRESTED * crest);
    return clamp((before + liquid_grid.elapsed * taken) * exp(-liquid_grid.elapsed / life), 0.0, 1.0);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    let particle = particles[members[i].x];
    if !is_drawn(particle) {
        splats[i].liquid = NO_LIQUID;
        splats[i].foam = 0.0;
        return;
    }
    let liquid = members[i].y;
    let velocity = particle_velocities[members[i].x].xyz;
    let own = Placed(particle.xyz, liquid, velocity, 0.0);
    let radius = liquids[liquid].radius;
    let reach = REACH * radius;
    let home = cell_of(particle.xyz, liquid);
    var spread = Spread();
    for (var c = 0; c < 27; c++) {
        add_cell(&spread, home + vec3i(c % 3, c / 3 % 3, c / 9) - 1, own, reach);
    }
    // A crushed cell may leave even the particle itself out.
    let weight = max(spread.weight, 1.0);
    let mean = spread.sum / weight;
    let together = smoothstep(FEW, MANY, weight);
    let variance = max(spread.diagonal / weight - mean * mean, vec3f());
    let skew = (spread.mixed / weight - mean.xxy * mean.yzz) / FULL_VARIANCE;
    let wide = vec3f(LEAST) + (1.0 - LEAST) * variance / FULL_VARIANCE;
    let diagonal = radius * mix(vec3f(ALONE), WIDE * wide, together);
    let mixed = radius * WIDE * (1.0 - LEAST) * skew * together;
    let away = length(mean);
    let way = SMOOTHING - KEPT * min(1.0, FLAT_MEAN / max(away, LEAST_AWAY));
    let center = particle.xyz + way * together * reach * mean;
    let foam = aired(splats[i].foam, spread, mean, velocity);
    var splat = Splat(center, liquid, diagonal, 0.0, mixed, foam);
    // Cubes of two radii fill the liquid.
    splat.fill = 6.0 * radius * radius * radius / (PI * max(determinant(splat_matrix(splat)), LEAST_VOLUME));
    if spread.weight > INSIDE_WEIGHT && away < INSIDE_MEAN {
        splat.fill = -splat.fill;
    }
    splats[i] = splat;
}
