#import "common/params"
#import "common/body"
#import "common/thread"
#import "bodies/held"
// One thread per held body that the host moves in this frame, at its start. One that something has struck out of its hold goes on
// by itself.


@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> held_poses: array<HeldPose>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || i >= held_poses[0].count {
        return;
    }
    let body = held_poses[i].body;
    if (body_properties[body].flags & BODY_KINEMATIC) != 0u {
        bodies[body] = held_poses[i].state;
    }
}
