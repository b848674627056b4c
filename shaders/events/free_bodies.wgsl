#import "common/control"
#import "surfaces/body_press"
#import "events/note_free"
// One thread per pair of a particle of a body and a triangle that `surfaces/solve_bodies` has solved, and before they move. Notes it.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> thing_counts: ThingCounts;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> bodies: array<Body>;
@group(1) @binding(4) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(5) var<storage, read> surface_pairs: array<SurfacePair>;
@group(1) @binding(6) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(7) var<storage, read_write> free_touches: FreeTouches;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    note_row(global_index(id, groups));
    tell();
}

fn note_row(row: u32) {
    if row >= free_touches.body_pairs {
        return;
    }
    let index = free_touches.first_body_pair + row;
    let weights = surface_pairs[index].weights;
    if weights.x == 0.0 {
        return;
    }
    let press = body_press(index, weights);
    if press.normal_weight > 0.0 {
        let n = press.pair.normal;
        let body = free_touches.things[params.particle_count + press.pair.body];
        note_free(body, free_touches.things[press.pair.corners.x], n,
            press.approach.velocity_part / (press.normal_weight * params.substep_dt), press.pair.now[0],
            -dot(press.relative, n));
    }
}
