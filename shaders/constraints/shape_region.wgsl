#import "constraints/shape_fit"
// Particles go towards their places in the rest shape, moved, turned and so far deformed by linear or quadratic functions as fits
// them best (Müller et al. 2005), all by the same part. Regions that share particles are solved one after the other. Values and
// functions: constraints::shape_region.

// Of each member of each row, one member after the other [1/√kg].
@group(1) @binding(8) var<storage, read> global_functions: array<f32>;

// Most functions of a region.
const REGION_FUNCTIONS: u32 = 9u;

// How the places of the members are the functions: Σ m φ x [√kg m].
var<private> region_fits: array<vec3f, REGION_FUNCTIONS>;
var<workgroup> region_functions: u32;

// Function k of a member of a row, by its place among them.
fn function_of(row: GlobalConstraint, member: u32, k: u32) -> f32 {
    return global_functions[row.functions + (member - row.first) * u32(row.values.z) + k];
}

// Where the functions have a member, from the center of mass [m].
fn followed(row: GlobalConstraint, member: u32) -> vec3f {
    var at = vec3f(0.0);
    for (var k = 0u; k < u32(row.values.z); k++) {
        at += function_of(row, member, k) * region_fits[k];
    }
    return at;
}

fn shape_region_solve(index: u32, local: u32) {
    let row = global_constraints[index];
    shape_fit(row, index, local);
    let end = row.first + row.count;
    if local == 0u {
        region_functions = u32(row.values.z);
    }
    let functions = workgroupUniformLoad(&region_functions);
    for (var k = 0u; k < functions; k++) {
        var fit = vec3f(0.0);
        for (var m = row.first + local; m < end; m += SUM_WIDTH) {
            let member = global_members[m];
            fit += member.local.w * function_of(row, m, k) * (place(member.particle) - fit_center);
        }
        region_fits[k] = workgroup_sum(local, vec4f(fit, 0.0)).xyz;
    }
    let h = params.substep_dt;
    let part = 1.0 / (1.0 + row.values.x / (h * h));
    let blend = select(0.0, row.values.y, functions > 0u);
    // What rounding leaves of the mean would push the region on and on.
    var rest = vec3f(0.0);
    for (var m = row.first + local; m < end; m += SUM_WIDTH) {
        let member = global_members[m];
        let goal = (1.0 - blend) * rotate(fit_rotation, member.local.xyz) + blend * followed(row, m);
        let gap = goal - (place(member.particle) - fit_center);
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
