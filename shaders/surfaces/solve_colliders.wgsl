#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
#import "surfaces/primitive"
#import "surfaces/delta"
#import "surfaces/friction"
#import "surfaces/collider_touch"
#import "common/thread"
// One thread per triangle. As `surfaces/solve`, of a triangle and a collider that gives way to nothing.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> colliders: array<Collider>;
@group(1) @binding(5) var<storage, read> collider_touches: array<ColliderTouch>;
@group(1) @binding(6) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= LEAF * params.triangle_leaves || primitives[i].corners.x == NONE || collider_touches[i].depth == 0.0 {
        return;
    }
    let corners = primitives[i].corners;
    let touch = collider_touches[i];
    let c = collider_at(colliders[touch.collider], batch.time);
    var at = vec3f(0.0);
    var relative = vec3f(0.0);
    var weight = 0.0;
    var most = 0.0;
    var pinned = false;
    for (var k = 0u; k < 3u; k++) {
        let v = particle_velocities[corners[k]];
        let b = touch.weights[k];
        at += b * particles[corners[k]].xyz;
        relative += b * v.xyz;
        let moves = f32(contacts_of(corners[k])) * v.w * b;
        weight += moves * b;
        most = max(most, moves);
        pinned |= v.w == 0.0 && b != 0.0;
    }
    // As in `surfaces/solve_bodies`: the others would have to move far.
    if pinned {
        weight = max(weight, most);
    }
    if weight == 0.0 {
        return;
    }
    relative -= c.velocity + cross(c.angular_velocity, at - c.position);
    let n = touch.normal;
    let approach = approach_of(n, touch.depth, vec3f(0.0), relative, params.depenetration_speed, params.substep_dt);
    let mu = 0.5 * (particle_rows[corners.x].friction + c.friction) * params.friction_scale;
    let gripped = min(mu * approach.velocity_part, approach.way);
    let drag = approach.slide * (-gripped / max(approach.way, 1e-12));
    let total = (n * approach.depth + drag) / weight;
    let velocity_part = (n * approach.velocity_part + drag) / weight;
    for (var k = 0u; k < 3u; k++) {
        let inverse = touch.weights[k] * particle_velocities[corners[k]].w;
        if inverse != 0.0 {
            add_delta(corners[k], inverse * total, inverse * velocity_part);
        }
    }
}
