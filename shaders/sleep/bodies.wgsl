#import "common/params"
#import "common/body"
#import "common/control"
#import "common/thread"
// One thread per assembly (bodies tied by joints), at the end of the frame. All of it sleeps once its liveliest body
// has been slow for long enough, and all of it is awake otherwise.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> assembly_starts: array<u32>;
@group(1) @binding(3) var<storage, read> assembly_bodies: array<u32>;
@group(1) @binding(4) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.assembly_count {
        return;
    }
    var quiet = 1e9;
    for (var k = assembly_starts[i]; k < assembly_starts[i + 1u]; k++) {
        if (body_properties[assembly_bodies[k]].flags & BODY_REMOVED) == 0u {
            quiet = min(quiet, bodies[assembly_bodies[k]].rest_time);
        }
    }
    let asleep = params.sleep_time > 0.0 && quiet >= params.sleep_time;
    if !asleep {
        atomicAdd(&control.awake, 1u);
    }
    for (var k = assembly_starts[i]; k < assembly_starts[i + 1u]; k++) {
        let body = assembly_bodies[k];
        if (body_properties[body].flags & (BODY_REMOVED | BODY_KINEMATIC)) != 0u {
            continue;
        }
        bodies[body].inv_mass = select(body_properties[body].inv_mass, 0.0, asleep);
        if asleep {
            bodies[body].velocity = vec3f(0.0);
            bodies[body].angular_velocity = vec3f(0.0);
            // Colliders come nearer while it sleeps.
            bodies[body].margin = select(0.0, bodies[body].margin, params.collider_speed > 0.0);
        }
    }
}
