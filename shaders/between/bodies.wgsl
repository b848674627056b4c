#import "common/params"
#import "common/body"
#import "common/thread"
#import "between/between"
// One thread per body. Where it is between two frames, to be drawn; one that jumps, comes or goes is where it ends up.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> between: Between;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> bodies_before: array<Body>;
@group(1) @binding(2) var<storage, read_write> bodies_between: array<Body>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.body_count {
        return;
    }
    var b = bodies[i];
    let before = bodies_before[i];
    // A body that is not in the world has no rotation.
    let along = dot(before.rotation, b.rotation);
    if along != 0.0 && !jumped(before.center, b.center) {
        b.center = mix(before.center, b.center, between.alpha);
        b.rotation = normalize(mix(before.rotation * sign(along), b.rotation, between.alpha));
    }
    bodies_between[i] = b;
}
