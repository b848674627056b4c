#import "common/rotation_fit"
// Particles go towards their places in the rest shape, moved and turned to fit them best (Müller et al. 2005), all by the same
// part. Values: constraints::shape_matching.

var<workgroup> fitted: vec4f;

fn shape_matching_solve(index: u32, local: u32) {
    let row = global_constraints[index];
    let end = row.first + row.count;
    origin = particle_starts[global_members[row.first].particle].place;
    var sum = vec3f(0.0);
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        sum += global_members[m].local.w * place(global_members[m].particle);
    }
    let center = workgroup_sum(local, vec4f(sum, 0.0)).xyz / row.mass;
    var x = vec3f(0.0);
    var y = vec3f(0.0);
    var z = vec3f(0.0);
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let r = global_members[m].local;
        let arm = r.w * (place(global_members[m].particle) - center);
        x += arm * r.x;
        y += arm * r.y;
        z += arm * r.z;
    }
    let a = workgroup_sum(local, vec4f(x, 0.0)).xyz;
    let b = workgroup_sum(local, vec4f(y, 0.0)).xyz;
    let c = workgroup_sum(local, vec4f(z, 0.0)).xyz;
    if local == 0u {
        let before = global_rotations[index];
        fitted = turn(before, fitted_spin(mat3x3f(a, b, c), before));
        global_rotations[index] = fitted;
    }
    let rotation = workgroupUniformLoad(&fitted);
    let h = params.substep_dt;
    let part = 1.0 / (1.0 + row.values.x / (h * h));
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let particle = global_members[m].particle;
        if particle_moves[particle].w > 0.0 {
            let gap = center + rotate(rotation, global_members[m].local.xyz) - place(particle);
            particle_moves[particle] += vec4f(part * gap, 0.0);
        }
    }
}
