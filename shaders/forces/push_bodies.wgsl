#import "forces/push_body"
#import "common/thread"
// One thread per body, in frames in which the host pushes some. Applies all pushes on it, and those in the balls that it is in.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> push_counts: PushCounts;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> pushes: array<PushRow>;
@group(1) @binding(3) var<storage, read> links: array<Link>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || bodies[i].inv_mass == 0.0 {
        return;
    }
    let before = bodies[i];
    var b = pushed(before, body_properties[i], i);
    // What rounding alone would change stays.
    if any(b.velocity != before.velocity) {
        bodies[i].velocity = shortened(b.velocity, params.max_speed);
    }
    if any(b.angular_velocity != before.angular_velocity) {
        bodies[i].angular_velocity = shortened(b.angular_velocity, 0.5 / params.substep_dt);
    }
}
