#import "common/params"
#import "common/body"
#import "common/control"
#import "surfaces/primitive"
#import "surfaces/collider_press"
#import "events/note_free"
#import "common/thread"
// One thread per triangle, after `surfaces/solve_colliders`. Notes the collider between its corners.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read> primitives: array<Primitive>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> colliders: array<Collider>;
@group(1) @binding(4) var<storage, read> collider_touches: array<ColliderTouch>;
@group(1) @binding(5) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(6) var<storage, read_write> free_touches: FreeTouches;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    note_row(global_index(id, groups));
    tell();
}

fn note_row(i: u32) {
    if i >= LEAF * params.triangle_leaves || primitives[i].corners.x == NONE || collider_touches[i].depth == 0.0 {
        return;
    }
    let corners = primitives[i].corners;
    let touch = collider_touches[i];
    let press = collider_press(corners, touch, collider_at(colliders[touch.collider], batch.time));
    if press.weight > 0.0 {
        let n = touch.normal;
        let collider = free_touches.things[params.particle_count + thing_counts.colliders + touch.collider];
        note_free(free_touches.things[corners.x], collider, n,
            press.approach.velocity_part / (press.weight * params.substep_dt), press.at, -dot(press.relative, n));
    }
}
