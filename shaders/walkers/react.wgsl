#import "common/params"
#import "common/body"
#import "common/thread"
#import "queries/target"
#import "walkers/walker"
// One thread per body, at the start of a substep where there are walkers: what they push themselves off from gets their impulses, one
// after the other.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> footings: array<Footing>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || bodies[i].inv_mass == 0.0 {
        return;
    }
    let own = (THING_BODY << THING_BITS) | i;
    let p = body_properties[i];
    for (var w = 0u; w < arrayLength(&footings); w++) {
        if footings[w].pushed == own {
            let b = bodies[i];
            let impulse = footings[w].impulse;
            bodies[i].velocity = b.velocity + b.inv_mass * free_way(p, impulse);
            let turned = inverse_inertia_times(p, b.rotation, cross(footings[w].point - b.center, impulse));
            bodies[i].angular_velocity = b.angular_velocity + turned;
        }
    }
}
