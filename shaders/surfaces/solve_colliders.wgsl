#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
#import "surfaces/primitive"
#import "surfaces/collider_press"
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
    let press = collider_press(corners, touch, c);
    if press.weight == 0.0 {
        return;
    }
    let approach = press.approach;
    let mu = pair_friction(particle_rows[corners.x].friction, c.friction) * params.friction_scale;
    let gripped = min(mu * approach.velocity_part, approach.way);
    let drag = approach.slide * (-gripped / max(approach.way, 1e-12));
    let total = (touch.normal * approach.depth + drag) / press.weight;
    let velocity_part = (touch.normal * approach.velocity_part + drag) / press.weight;
    for (var k = 0u; k < 3u; k++) {
        let inverse = touch.weights[k] * particle_velocities[corners[k]].w;
        if inverse != 0.0 {
            add_delta(corners[k], inverse * total, inverse * velocity_part);
        }
    }
}
