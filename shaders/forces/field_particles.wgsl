#import "common/params"
#import "common/body"
#import "common/control"
#import "forces/kinds"
#import "forces/field"
#import "common/thread"
// One thread per particle; free ones only, at the start of a substep, where there are fields. Adds what all of them do. A grain that
// sleeps wakes when they pull otherwise than when it fell asleep.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> field_counts: FieldCounts;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read_write> particle_rests: array<vec4f>;
@group(1) @binding(4) var<storage, read> fields: array<FieldRow>;
@group(1) @binding(5) var<storage, read_write> particle_pulls: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE {
        return;
    }
    let old = particle_velocities[i];
    let sleeper = particle_rows[i].sleeper;
    let inverse = select(old.w, sleeper, sleeper != 0.0);
    if inverse == 0.0 {
        return;
    }
    let sum = fields_at(particles[i].xyz, old.xyz, kind_of(particle_rows[i].phase));
    if sum.failed {
        atomicAdd(&control.non_finite, 1u);
    }
    if sleeper != 0.0 {
        let pull = sum.acceleration + sum.carried;
        if old.w == 0.0 {
            if !wakes(pull, particle_pulls[i].xyz) {
                return;
            }
            particle_rests[i].w = 0.0;
            // Lists of contacts leave out what sleeps.
            atomicStore(&control.due, 1u);
        }
        particle_pulls[i] = vec4f(pull, 0.0);
    }
    particle_velocities[i] = vec4f(carried_on(old.xyz, sum, params.gravity), inverse);
}
