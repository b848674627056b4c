#import "common/params"
#import "common/body"
#import "common/thread"
#import "bodies/held"
// One thread per held body that the host moves in this frame, at the start of a substep where walkers take some along: it is as far
// from where the host has it as the walker is from where the host expected it.

// Who is farther from where it was expected, beside its way in so many frames, was put elsewhere, and takes nobody along [m].
const FAR: f32 = 1.0;
const LATE: f32 = 6.0;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> held_poses: array<HeldPose>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || i >= held_poses[0].count {
        return;
    }
    let held = held_poses[i];
    if held.walker == NONE || (body_properties[held.body].flags & BODY_KINEMATIC) == 0u {
        return;
    }
    let time = batch.time - params.substep_dt;
    let walker = bodies[held.walker];
    let off = walker.center - (held.start + time * held.velocity);
    let near = length(off) <= FAR + LATE * params.dt * length(held.velocity);
    bodies[held.body].center = held.state.center + time * held.state.velocity + select(vec3f(0.0), off, near);
    bodies[held.body].velocity = held.state.velocity + select(vec3f(0.0), walker.velocity - held.velocity, near);
}
