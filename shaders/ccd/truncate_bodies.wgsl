#import "common/params"
#import "common/body"
#import "common/control"
#import "surfaces/delta"
#import "surfaces/lists"
#import "ccd/round"
#import "common/thread"
// One thread per body. Ends its way of this substep where surfaces bound it, and remembers that it did. It keeps its velocity,
// but what is held does not fall faster; what was held for long has given what it had to give, and is as slow as it looks.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_origins: array<Pose>;
@group(1) @binding(2) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(3) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(4) var<storage, read_write> surface_list_again: SurfaceList;

// How long a body must have been held without a break until it is as slow as it looks [s]: about a frame. What is held for
// shorter still has momentum to give.
const HELD_LONG: f32 = 1.0 / 60.0;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    let row = linear_row(i);
    let truncated = atomicLoad(&surface_deltas[row].truncation);
    if truncated == 0 {
        return;
    }
    atomicStore(&surface_deltas[row].truncation, 0);
    let held = hold_row(row);
    bind_again();
    let part = 1.0 - f32(truncated) / TRUNCATION_SCALE;
    let start = body_origins[i];
    let way = take_frame(row);
    let center = mix(start.center + way, bodies[i].center, part);
    let same = select(-1.0, 1.0, dot(start.rotation, bodies[i].rotation) >= 0.0);
    let fallen = (1.0 - part) * params.substep_dt * params.gravity;
    bodies[i].center = center;
    // Half a substep of slack: a sum of equal steps is not exact.
    let held_for = (f32(held) + 0.5) * params.substep_dt;
    let left = select(1.0, part, held_for >= HELD_LONG);
    let own = way / params.substep_dt;
    bodies[i].velocity = own + left * (bodies[i].velocity - own - fallen);
    bodies[i].angular_velocity = left * bodies[i].angular_velocity;
    bodies[i].rotation = normalize(mix(same * start.rotation, bodies[i].rotation, part));
}
