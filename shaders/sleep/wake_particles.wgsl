#import "common/params"
#import "common/body"
#import "common/control"
#import "common/thread"
// One thread per particle, after edits by the host: every grain wakes.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_rests: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].sleeper == 0.0 {
        return;
    }
    particle_velocities[i].w = particle_rows[i].sleeper;
    particle_rests[i].w = 0.0;
    atomicStore(&control.due, 1u);
}
