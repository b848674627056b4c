#import "common/control"
#import "common/params"
#import "common/body"
#import "surfaces/lists"
#import "surfaces/free_press"
#import "events/note_free"
#import "common/thread"
// One thread per pair of features that `surfaces/solve` has solved, and before they move. Notes those of two objects.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(5) var<storage, read_write> free_touches: FreeTouches;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    note_row(global_index(id, groups));
    tell();
}

fn note_row(i: u32) {
    if i >= min(surface_list.pairs.count, surface_list.room) {
        return;
    }
    let b = surface_pairs[i].weights;
    let four = pair_particles(surface_pairs[i].particles);
    // The first of the four are of one object, the last of the other.
    let own = free_touches.things[four.x];
    let other = free_touches.things[four.w];
    if own == other || all(b == vec4f(0.0)) {
        return;
    }
    let press = free_press(i, b);
    if press.weight == 0.0 {
        return;
    }
    var point = vec3f(0.0);
    for (var k = 0u; k < 4u; k++) {
        point += max(b[k], 0.0) * particles[four[k]].xyz;
    }
    note_free(own, other, press.normal, press.approach.velocity_part / (press.weight * params.substep_dt), point,
        -dot(press.relative, press.normal));
}
