#import "common/params"
#import "common/body"
#import "common/control"
#import "forces/kinds"
#import "forces/field"
#import "common/thread"
// One thread per body, at the start of a substep, where there are fields. Adds what all of them do at its center of mass; air also
// slows its spin. A sleeper wakes when they pull otherwise than when it fell asleep.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> field_counts: FieldCounts;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> fields: array<FieldRow>;
@group(1) @binding(3) var<storage, read_write> body_pulls: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || body_properties[i].inv_mass == 0.0
        || (body_properties[i].flags & (BODY_REMOVED | BODY_KINEMATIC)) != 0u {
        return;
    }
    let b = bodies[i];
    let sum = fields_at(b.center, b.velocity, ACTS_ON_BODIES);
    if sum.failed {
        atomicAdd(&control.non_finite, 1u);
    }
    let pull = sum.acceleration + sum.carried;
    if b.inv_mass == 0.0 {
        if !wakes(pull, body_pulls[i].xyz) {
            return;
        }
        bodies[i].inv_mass = body_properties[i].inv_mass;
        bodies[i].rest_time = 0.0;
    }
    body_pulls[i] = vec4f(pull, 0.0);
    bodies[i].velocity = carried_on(b.velocity, sum, body_properties[i].gravity_scale * params.gravity);
    bodies[i].angular_velocity = b.angular_velocity / (1.0 + params.substep_dt * sum.rate);
}
