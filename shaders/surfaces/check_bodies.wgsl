#import "common/params"
#import "common/body"
#import "surfaces/stray"
#import "surfaces/delta"
#import "common/thread"
// One thread per body, at the end of a substep. As `surfaces/check`, for all particles of the body together.
// Counts in how many substeps in a row its way was cut, before this one is.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> marked_bodies: array<MarkedBody>;
@group(1) @binding(3) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(5) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    age_hold(linear_row(i));
    let radius = marked_bodies[i].radius;
    if radius == 0.0 || (body_properties[i].flags & BODY_REMOVED) != 0u {
        return;
    }
    let b = bodies[i];
    let mark = marked_bodies[i];
    let reach = body_properties[i].reach;
    let began = off_from(mark, body_origins[i], reach, search_age() - params.substep_dt);
    let off = max(began, off_from(mark, Pose(b.center, b.rotation), reach, search_age()));
    let moved = distance(b.center, mark.center) + reach * angle_between(b.rotation, mark.rotation);
    let margin = BODY_MARGIN * radius;
    check_stray(off, margin, moved, margin);
}

// Most that a particle within `reach` is off where it was expected a time [s] after the search [m].
fn off_from(mark: MarkedBody, pose: Pose, reach: f32, time: f32) -> f32 {
    let spin = shortened(time * mark.angular_velocity, 1.0);
    return distance(pose.center, mark.center + time * mark.velocity)
        + reach * (angle_between(pose.rotation, turn(mark.rotation, spin)) + 0.5 * dot(spin, spin));
}

// Small angles only [rad].
fn angle_between(p: vec4f, q: vec4f) -> f32 {
    return 2.0 * length(quat_mul(p, quat_conjugate(q)).xyz);
}
