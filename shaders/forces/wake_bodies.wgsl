#import "common/params"
#import "common/body"
#import "forces/push"
#import "forces/kinds"
#import "common/thread"
// One thread per assembly (bodies tied by joints), in frames in which the host pushes something. All of it wakes when a push is on
// one of its bodies, or beside one.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> push_counts: PushCounts;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> assembly_starts: array<u32>;
@group(1) @binding(3) var<storage, read> assembly_bodies: array<u32>;
@group(1) @binding(4) var<storage, read> pushes: array<PushRow>;

// How near a pushed body what leans on it is, in radii of a particle.
const BESIDE: f32 = 0.1;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.assembly_count {
        return;
    }
    var woken = false;
    for (var k = assembly_starts[i]; k < assembly_starts[i + 1u] && !woken; k++) {
        let body = assembly_bodies[k];
        woken = (body_properties[body].flags & BODY_REMOVED) == 0u && is_touched(body);
    }
    for (var k = assembly_starts[i]; k < assembly_starts[i + 1u] && woken; k++) {
        let body = assembly_bodies[k];
        if (body_properties[body].flags & BODY_REMOVED) == 0u {
            bodies[body].inv_mass = body_properties[body].inv_mass;
            bodies[body].rest_time = 0.0;
        }
    }
}

fn is_touched(body: u32) -> bool {
    let reach = body_properties[body].reach + BESIDE * params.particle_radius;
    for (var k = 0u; k < push_counts.bodies; k++) {
        let other = pushes[k].first;
        if other == body || ((body_properties[other].flags & BODY_REMOVED) == 0u
            && distance(bodies[body].center, bodies[other].center) < reach + body_properties[other].reach) {
            return true;
        }
    }
    let first = push_counts.bodies + push_counts.particles;
    for (var k = first; k < first + push_counts.regions; k++) {
        if (pushes[k].flags & ACTS_ON_BODIES) != 0u && distance(bodies[body].center, pushes[k].point) < reach + pushes[k].radius {
            return true;
        }
    }
    return false;
}
