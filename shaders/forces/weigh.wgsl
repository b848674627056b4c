#import "common/params"
#import "common/body"
#import "forces/push"
#import "forces/kinds"
#import "common/workgroup_sum"
// One workgroup per chunk of particles that share an impulse of the host: the mass of those that it is on. `forces/push_particles`
// sums up chunks in order.

@group(0) @binding(0) var<uniform> push_counts: PushCounts;
@group(1) @binding(0) var<storage, read> pushes: array<PushRow>;
@group(1) @binding(1) var<storage, read> push_chunks: array<PushChunk>;
@group(1) @binding(2) var<storage, read_write> push_masses: array<f32>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_rows: array<ParticleRow>;

@compute @workgroup_size(SUM_WIDTH)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) local: u32,
) {
    let index = group.y * groups.x + group.x;
    if index >= arrayLength(&push_chunks) {
        return;
    }
    let chunk = push_chunks[index];
    let row = pushes[chunk.row];
    var mass = 0.0;
    for (var i = chunk.first + local; i < chunk.end; i += SUM_WIDTH) {
        let own = particle_rows[i];
        // Grains that sleep have their mass elsewhere.
        let inverse = select(particle_velocities[i].w, own.sleeper, own.sleeper != 0.0);
        if own.body == NONE && inverse > 0.0 && (row.flags & kind_of(own.phase)) != 0u && in_ball(row, particles[i].xyz) {
            mass += 1.0 / inverse;
        }
    }
    let sum = workgroup_sum(local, vec4f(mass, 0.0, 0.0, 0.0)).x;
    if local == 0u {
        push_masses[index] = sum;
    }
}
