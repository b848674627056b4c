#import "constraints/shape_fit"
// Particles go towards their places in the rest shape, moved and turned to fit them best (Müller et al. 2005), all by the same
// part. Values: constraints::shape_matching.

fn shape_matching_solve(index: u32, local: u32) {
    let row = global_constraints[index];
    shape_fit(row, index, local);
    let end = row.first + row.count;
    let h = params.substep_dt;
    let part = 1.0 / (1.0 + row.values.x / (h * h));
    // What rounding leaves of the mean would push it on and on.
    var rest = vec3f(0.0);
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let member = global_members[m];
        let gap = rotate(fit_rotation, member.local.xyz) - (place(member.particle) - fit_center);
        global_gradients[m] = vec4f(gap, 0.0);
        rest += member.local.w * gap;
    }
    let mean = workgroup_sum(local, vec4f(rest, 0.0)).xyz / row.mass;
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let particle = global_members[m].particle;
        if particle_moves[particle].w > 0.0 {
            particle_moves[particle] += vec4f(part * (global_gradients[m].xyz - mean), 0.0);
        }
    }
}
