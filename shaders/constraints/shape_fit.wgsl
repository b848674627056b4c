#import "common/rotation_fit"
// The motion of a rigid body that fits the members of a row best (Müller et al. 2005, section 3.3), for the threads of a workgroup.

// Center of mass, relative to the first member [m], and rotation of what `shape_fit` found.
var<private> fit_center: vec3f;
var<private> fit_rotation: vec4f;
var<workgroup> fitted: vec4f;

fn shape_fit(row: GlobalConstraint, index: u32, local: u32) {
    let end = row.first + row.count;
    origin = particle_starts[global_members[row.first].particle].place;
    var sum = vec3f(0.0);
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        sum += global_members[m].local.w * place(global_members[m].particle);
    }
    fit_center = workgroup_sum(local, vec4f(sum, 0.0)).xyz / row.mass;
    var x = vec3f(0.0);
    var y = vec3f(0.0);
    var z = vec3f(0.0);
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let r = global_members[m].local;
        let arm = r.w * (place(global_members[m].particle) - fit_center);
        x += arm * r.x;
        y += arm * r.y;
        z += arm * r.z;
    }
    let a = workgroup_sum(local, vec4f(x, 0.0)).xyz;
    let b = workgroup_sum(local, vec4f(y, 0.0)).xyz;
    let c = workgroup_sum(local, vec4f(z, 0.0)).xyz;
    if local == 0u {
        let before = global_rotations[index];
        fitted = fitted_rotation(mat3x3f(a, b, c), before);
        global_rotations[index] = fitted;
    }
    fit_rotation = workgroupUniformLoad(&fitted);
}
