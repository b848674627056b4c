#import "common/params"
#import "common/body"
#import "common/move"
#import "surfaces/primitive"
#import "common/thread"
// One thread per particle; free ones only. Moves it by the sums of its surface contacts, and clears them.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(1) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> surface_deltas: array<i32>;
@group(1) @binding(4) var<storage, read_write> particle_margins: array<f32>;
@group(1) @binding(5) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE || surface_deltas[DELTA_WORDS * i] == 0 {
        return;
    }
    var sums: array<vec3f, 2>;
    for (var k = 0u; k < 3u; k++) {
        sums[0][k] = f32(surface_deltas[DELTA_WORDS * i + DELTA_TOTAL + k]) / DELTA_SCALE;
        sums[1][k] = f32(surface_deltas[DELTA_WORDS * i + DELTA_VELOCITY + k]) / DELTA_SCALE;
    }
    for (var k = 0u; k < 7u; k++) {
        surface_deltas[DELTA_WORDS * i + k] = 0;
    }
    displace(i, sums[0], sums[1] / params.substep_dt);
}
