#import "common/params"
#import "common/body"
#import "common/control"
#import "common/thread"
// One thread per body, at the end of the frame. Restores what is no number from the frame's start, keeps bodies inside
// the world, and counts the time spent near one pose.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read_write> saved_bodies: array<Body>;
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(3) var<storage, read_write> control: Control;
@group(1) @binding(4) var<storage, read_write> rest_poses: array<Pose>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    var b = bodies[i];
    let p = body_properties[i];
    if (p.flags & BODY_REMOVED) != 0u {
        return;
    }
    if is_broken(vec4f(b.center, b.inv_mass)) || is_broken(b.rotation) || is_broken(vec4f(b.velocity, b.rest_time))
        || is_broken(vec4f(b.angular_velocity, b.margin)) {
        b = saved_bodies[i];
        b.velocity = vec3f(0.0);
        b.rest_time = 0.0;
        b.angular_velocity = vec3f(0.0);
        b.margin = 0.0;
        atomicAdd(&control.non_finite, 1u);
    }
    let inside = clamp(b.center, vec3f(-params.world_extent), vec3f(params.world_extent));
    if any(inside != b.center) {
        b.center = inside;
        b.velocity = vec3f(0.0);
        b.rest_time = 0.0;
        atomicAdd(&control.out_of_bounds, 1u);
    }
    if params.frozen_way > 0.0 && way_from(saved_bodies[i], b, p.reach) < params.frozen_way {
        b.center = saved_bodies[i].center;
        b.rotation = saved_bodies[i].rotation;
    }
    // A body rests while it stays near one pose, whatever its velocity: constraints that disagree leave velocities that
    // lead nowhere, and trembling is no motion.
    let resting = rest_poses[i];
    let turned = quat_mul(b.rotation, quat_conjugate(resting.rotation));
    let moved = length(b.center - resting.center) + 2.0 * length(turned.xyz) * p.reach;
    b.rest_time += params.dt;
    if moved > params.sleep_speed * params.sleep_time {
        b.rest_time = 0.0;
        rest_poses[i] = Pose(b.center, b.rotation);
    }
    bodies[i] = b;
    saved_bodies[i] = b;
}
