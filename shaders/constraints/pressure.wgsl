#import "common/rotation"
// C = V - k V₀, the volume inside a closed mesh against the pressure's (Müller et al. 2007). ∇C of a particle is a sixth of the
// sum of x_j × x_k over its triangles. Values: constraints::pressure.

// Σ w |∇C|² below which there is no direction to speak of: a mesh of a micrometer [m⁴/kg].
const LEAST_WEIGHT: f32 = 1e-30;

fn pressure_solve(index: u32, local: u32) {
    let row = global_constraints[index];
    let volume = row.values.x;
    let end = row.first + row.count;
    origin = particle_starts[global_members[row.first].particle].place;
    var sums = vec4f(0.0);
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let member = global_members[m];
        var gradient = vec3f(0.0);
        for (var k = member.first; k < member.first + member.count; k++) {
            let others = global_corners[k];
            gradient += cross(place(others.x), place(others.y)) / 6.0;
        }
        let w = particle_moves[member.particle].w;
        global_gradients[m] = vec4f(gradient, w);
        sums += vec4f(dot(gradient, place(member.particle)) / 3.0, w * dot(gradient, gradient), 0.0, 0.0);
    }
    let all = workgroup_sum(local, sums);
    let h = params.substep_dt;
    let scaled = row.values.y / (h * h);
    let weight = all.y + scaled;
    var multiplier = 0.0;
    if batch.iteration > 0u {
        multiplier = global_multipliers[index];
    }
    // A mesh in a point or a line has no way to grow.
    let delta = select(0.0, (volume - all.x - scaled * multiplier) / weight, all.y > LEAST_WEIGHT);
    // The flatter it is, the farther its gradients lead; as far as the whole is large is enough.
    let most = pow(volume, 1.0 / 3.0);
    // Every thread has read the old λ, and every place, before one is written.
    storageBarrier();
    workgroupBarrier();
    if local == 0u {
        global_multipliers[index] = multiplier + delta;
    }
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let gradient = global_gradients[m];
        if gradient.w > 0.0 {
            let particle = global_members[m].particle;
            particle_moves[particle] += vec4f(shortened(gradient.w * delta * gradient.xyz, most), 0.0);
        }
    }
}
