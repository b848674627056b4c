#import "sleep/posed"
#import "common/thread"
// One thread per body, after the host has posed some: what joints tie to one of them wakes, and what was near it.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> saved_bodies: array<Body>;
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(3) var<storage, read> posed_bodies: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || (body_properties[i].flags & BODY_REMOVED) != 0u {
        return;
    }
    if is_tied(body_properties[i].assembly) || was_left(saved_bodies[i].center, body_properties[i].reach) {
        bodies[i].inv_mass = body_properties[i].inv_mass;
        bodies[i].rest_time = 0.0;
    }
}

fn is_tied(assembly: u32) -> bool {
    for (var k = 1u; k <= posed_bodies[0]; k++) {
        if body_properties[posed_body(k)].assembly == assembly {
            return true;
        }
    }
    return false;
}
