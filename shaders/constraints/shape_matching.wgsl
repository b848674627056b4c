#import "constraints/shape_fit"
// Particles go towards their places in the rest shape, moved and turned to fit them best (Müller et al. 2005), all by the same
// part. Values: constraints::shape_matching.

fn shape_matching_solve(index: u32, local: u32) {
    let row = global_constraints[index];
    shape_fit(row, index, local);
    let end = row.first + row.count;
    let h = params.substep_dt;
    let part = 1.0 / (1.0 + row.values.x / (h * h));
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let particle = global_members[m].particle;
        if particle_moves[particle].w > 0.0 {
            let gap = fit_center + rotate(fit_rotation, global_members[m].local.xyz) - place(particle);
            particle_moves[particle] += vec4f(part * gap, 0.0);
        }
    }
}
