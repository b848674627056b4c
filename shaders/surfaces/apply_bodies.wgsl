#import "common/params"
#import "common/body"
#import "surfaces/primitive"
#import "common/thread"
// One thread per body. Moves and turns it by the sums of its surface contacts, and clears them; wakes it when struck.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> body_pseudo_motions: array<PseudoMotion>;
@group(1) @binding(3) var<storage, read_write> surface_deltas: array<i32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    let words = body_words(i, params.particle_count);
    if surface_deltas[words] == 0 {
        return;
    }
    var b = bodies[i];
    let p = body_properties[i];
    if b.inv_mass != 0.0 {
        let mass = 1.0 / b.inv_mass;
        let push = Push(mass * sum(words + BODY_LINEAR), mass * sum(words + BODY_ANGULAR), mass * sum(words + BODY_VELOCITY_LINEAR), mass * sum(words + BODY_VELOCITY_ANGULAR));
        body_pseudo_motions[i] = pseudo_moved(body_pseudo_motions[i], b, p, push);
        bodies[i] = body_pushed(b, p, push, params.substep_dt);
    } else if surface_deltas[words + BODY_WAKES] != 0 {
        bodies[i].inv_mass = p.inv_mass;
        bodies[i].rest_time = 0.0;
    }
    for (var k = 0u; k < BODY_TRUNCATION; k++) {
        surface_deltas[words + k] = 0;
    }
    surface_deltas[words + BODY_WAKES] = 0;
}

fn sum(first: u32) -> vec3f {
    return vec3f(f32(surface_deltas[first]), f32(surface_deltas[first + 1u]), f32(surface_deltas[first + 2u])) / DELTA_SCALE;
}
