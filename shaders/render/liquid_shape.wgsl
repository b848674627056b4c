// Ellipsoids of liquids (Yu and Turk 2010, "Reconstructing surfaces of particle-based fluids using anisotropic kernels",
// section 4): each particle moves towards the mean of its neighbors and is as wide in every direction as they lie spread.
// The covariance itself is the stretching, so no axes are sought. One thread stands for a particle of a liquid.

#import "render/liquid_grid"

/// Part of the way to the mean of the neighbors.
const SMOOTHING = 0.6;
/// Half width of an ellipsoid among many neighbors, and of one alone [radii].
const WIDE = 2.7;
const ALONE = 0.8;
/// Least width in any direction, as a part of that among many neighbors.
const LEAST = 0.2;
/// Weight of neighbors, the own included, from which a particle starts to be of a body of liquid, and is.
const FEW = 2.2;
const MANY = 7.0;
/// Variance of one coordinate over a full neighborhood [squares of its reach]: 0.45 / 3 with the weight below.
const FULL_VARIANCE = 0.15;

struct Spread {
    weight: f32,
    sum: vec3<f32>,
    diagonal: vec3<f32>,
    mixed: vec3<f32>,
}

/// Adds the neighbors in `cell`; offsets count in reaches.
fn add_cell(spread: ptr<function, Spread>, cell: vec3<i32>, own: vec3<f32>, liquid: u32, reach: f32) {
    let range = cell_ranges[bucket_of(cell, liquid)];
    for (var k = range.x; k < min(range.y, range.x + MOST_IN_CELL); k++) {
        let other = sorted[k];
        let offset = (other.xyz - own) / reach;
        let distance2 = dot(offset, offset);
        // Other cells and liquids may share the bucket.
        if distance2 < 1.0 && u32(other.w) == liquid && all(cell_of(other.xyz, liquid) == cell) {
            let weight = 1.0 - distance2 * sqrt(distance2);
            (*spread).weight += weight;
            (*spread).sum += weight * offset;
            (*spread).diagonal += weight * offset * offset;
            (*spread).mixed += weight * offset.xxy * offset.yzz;
        }
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = global_index(id, groups);
    if i >= liquid_grid.particle_count {
        return;
    }
    let particle = particles[members[i].x];
    if !is_drawn(particle) {
        splats[i].liquid = NO_LIQUID;
        return;
    }
    let liquid = members[i].y;
    let radius = liquids[liquid].radius;
    let reach = REACH * radius;
    let home = cell_of(particle.xyz, liquid);
    var spread = Spread();
    for (var c = 0; c < 27; c++) {
        add_cell(&spread, home + vec3<i32>(c % 3, c / 3 % 3, c / 9) - 1, particle.xyz, liquid, reach);
    }
    // A crushed cell may leave even the particle itself out.
    let weight = max(spread.weight, 1.0);
    let mean = spread.sum / weight;
    let together = smoothstep(FEW, MANY, weight);
    let variance = max(spread.diagonal / weight - mean * mean, vec3<f32>());
    let skew = (spread.mixed / weight - mean.xxy * mean.yzz) / FULL_VARIANCE;
    let wide = vec3<f32>(LEAST) + (1.0 - LEAST) * variance / FULL_VARIANCE;
    let diagonal = radius * mix(vec3<f32>(ALONE), WIDE * wide, together);
    let mixed = radius * WIDE * (1.0 - LEAST) * skew * together;
    let center = particle.xyz + SMOOTHING * together * reach * mean;
    var splat = Splat(center, liquid, diagonal, 0.0, mixed, 0.0);
    // Cubes of two radii fill the liquid.
    splat.fill = 6.0 * pow(radius, 3.0) / (3.14159265 * max(determinant(splat_matrix(splat)), 1e-30));
    splats[i] = splat;
}
