#import "common/params"
#import "common/body"
#import "common/control"
#import "surfaces/delta"
#import "common/thread"
// One thread per body. Moves and turns it by the sums of its surface contacts, and clears them; wakes it when struck.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read_write> body_pseudo_motions: array<PseudoMotion>;
@group(1) @binding(3) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count || atomicLoad(&surface_deltas[linear_row(i)].contacts) == 0 {
        return;
    }
    // Taking the sums forgets it.
    let woken = is_woken(i);
    let linear = take_delta(linear_row(i));
    let angular = take_delta(angular_row(i));
    var b = bodies[i];
    let p = body_properties[i];
    if b.inv_mass != 0.0 {
        let mass = 1.0 / b.inv_mass;
        let push = Push(mass * linear.displacement, mass * angular.displacement, mass * linear.velocity_part,
            mass * angular.velocity_part);
        body_pseudo_motions[i] = pseudo_moved(body_pseudo_motions[i], b, p, push);
        bodies[i] = body_pushed(b, p, push, params.substep_dt);
    } else if woken {
        bodies[i].inv_mass = p.inv_mass;
        bodies[i].rest_time = 0.0;
    }
}
