#import "common/params"
#import "common/body"
#import "ccd/margin"
#import "common/thread"
// One thread per body, at the end of a substep. As `ccd/check_margin`, for all particles of the body together.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> marked_bodies: array<MarkedBody>;
@group(1) @binding(3) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    let radius = marked_bodies[i].radius;
    if radius == 0.0 || (body_properties[i].flags & BODY_REMOVED) != 0u {
        return;
    }
    let age = marked_bodies[i].age + 1.0;
    marked_bodies[i].age = age;
    let b = bodies[i];
    let mark = marked_bodies[i];
    let reach = body_properties[i].reach;
    let time = age * params.substep_dt;
    let spin = shortened(time * mark.angular_velocity, 1.0);
    let off = distance(b.center, mark.center + time * mark.velocity)
        + reach * (angle_between(b.rotation, turn(mark.rotation, spin)) + 0.5 * dot(spin, spin));
    let moved = distance(b.center, mark.center) + reach * angle_between(b.rotation, mark.rotation);
    check(off, moved, SURFACE_MARGIN * radius, age, length(b.velocity) + reach * length(b.angular_velocity));
}

// Small angles only [rad].
fn angle_between(p: vec4f, q: vec4f) -> f32 {
    return 2.0 * length(quat_mul(p, quat_conjugate(q)).xyz);
}
