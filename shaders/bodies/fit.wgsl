#import "common/params"
#import "common/body"
#import "common/rotation_fit"
#import "common/thread"
// One thread per body, only when joints are averaged. Shape matching (Müller et al. 2005; paper 5, section 3.3): the
// body goes where its particles are. The rotation is extracted from the predicted one, not from a decomposition.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> links: array<Link>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || bodies[i].inv_mass == 0.0 {
        return;
    }
    let b = bodies[i];
    let p = body_properties[i];
    var mass = 0.0;
    var mean = vec3f(0.0);
    var rest_mean = vec3f(0.0);
    for (var k = p.first_link; k < p.first_link + p.link_count; k++) {
        let share = links[k].local.w;
        mass += share;
        // Relative to the body: positions far from the origin would lose digits.
        mean += share * (particles[links[k].particle].xyz - b.center);
        rest_mean += share * links[k].local.xyz;
    }
    mean /= mass;
    rest_mean /= mass;
    // A = Σ m (x - x̄)(r - r̄)ᵀ, plus the particles' own inertia times the predicted rotation: flat and thin bodies
    // keep their predicted turn about directions in which their particles say nothing.
    var columns = mat3x3f();
    for (var k = p.first_link; k < p.first_link + p.link_count; k++) {
        let radius = particles[links[k].particle].w;
        let x = particles[links[k].particle].xyz - b.center - mean;
        let r = links[k].local.xyz - rest_mean;
        let own = 0.2 * radius * radius;
        let q = b.rotation;
        columns += links[k].local.w * (outer(x, r)
            + own * mat3x3f(rotate(q, vec3f(1.0, 0.0, 0.0)), rotate(q, vec3f(0.0, 1.0, 0.0)), rotate(q, vec3f(0.0, 0.0, 1.0))));
    }
    let spin = fitted_spin(columns, b.rotation);
    let turned = turn(b.rotation, spin);
    let shift = mean - rotate(turned, rest_mean);
    let torque = inertia_times(p, b.rotation, spin);
    bodies[i] = body_pushed(b, p, Push(shift / b.inv_mass, torque, shift / b.inv_mass, torque), params.substep_dt);
}
