#import "common/params"
#import "common/body"
#import "common/move"
#import "surfaces/delta"
#import "common/thread"
// One thread per particle; free ones only. Moves it by the sums of its surface contacts, and clears them.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(1) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(4) var<storage, read_write> particle_margins: array<f32>;
@group(1) @binding(5) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE || atomicLoad(&surface_deltas[i].contacts) == 0 {
        return;
    }
    let delta = take_delta(i);
    if is_cut(delta) {
        atomicAdd(&control.sums_cut, 1u);
    }
    displace(i, delta.displacement, delta.velocity_part / params.substep_dt);
}
