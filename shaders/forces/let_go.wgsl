#import "forces/push_body"
#import "contacts/hold"
// In frames in which the host pushes something: workgroups take groups of held bodies that joints tie together, and their threads body
// after body. Where the pushes on one of them are more than its hold bears, all are let go of before they act.

@group(0) @binding(0) var<uniform> push_counts: PushCounts;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read_write> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> holds: array<Hold>;
@group(1) @binding(3) var<storage, read> pushes: array<PushRow>;
@group(1) @binding(4) var<storage, read> links: array<Link>;
@group(1) @binding(5) var<storage, read_write> control: Control;

@compute @workgroup_size(LET_GO_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index < holds[0].groups {
        hold_or_let_go(index, local);
    }
}

// Whether the pushes of a frame on the body are no more than its hold bears: their impulse at its center, and at its rim.
fn bears(k: u32) -> bool {
    let hold = holds[k];
    if (body_properties[hold.body].flags & BODY_KINEMATIC) == 0u {
        return true;
    }
    var b = bodies[hold.body];
    b.inv_mass = hold.properties.inv_mass;
    let after = pushed(b, hold.properties, hold.body);
    let linear = length(after.velocity - b.velocity) / max(b.inv_mass, 1e-30);
    let gained = inertia_times(hold.properties, b.rotation, after.angular_velocity - b.angular_velocity);
    let angular = length(gained) / max(hold.properties.reach, 1e-6);
    return f32(push_counts.repeats) * max(linear, angular) <= hold.strength;
}
