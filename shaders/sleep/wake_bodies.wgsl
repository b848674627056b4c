#import "common/params"
#import "common/body"
#import "common/thread"
// One thread per body. Wakes everything, after an edit that may have taken a support away.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || (body_properties[i].flags & BODY_REMOVED) != 0u {
        return;
    }
    bodies[i].inv_mass = body_properties[i].inv_mass;
    bodies[i].rest_time = 0.0;
}
