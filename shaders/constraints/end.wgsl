#import "common/params"
#import "common/move"
#import "constraints/phantoms"
#import "common/thread"
// One thread per particle that constraints join, after the constraints of an iteration. Goes to the mean of its phantoms (paper 3,
// eq. 7); how far the constraints moved it becomes velocity. Pinned ones move only with a body that they are attached to.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> particle_groups: array<u32>;
@group(1) @binding(1) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_places: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_phantoms: array<vec2u>;
@group(1) @binding(5) var<storage, read_write> particle_margins: array<f32>;
@group(1) @binding(6) var<storage, read_write> control: Control;
@group(1) @binding(7) var<storage, read> group_origins: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_groups[i] == NONE {
        return;
    }
    let phantoms = particle_phantoms[i];
    // Those of a hybrid partition took over from the particle, where it has some.
    let start = particles[i].xyz - group_origins[particle_groups[i]].xyz;
    var delta = select(particle_places[i].xyz - start, vec3f(0.0), phantoms.y > PHANTOMS_HYBRID);
    for (var k = phantoms.x; k < end_of(phantoms); k++) {
        delta += particle_places[k].xyz - start;
    }
    delta /= f32(sharing(phantoms));
    if particle_velocities[i].w == 0.0 && batch.iteration == 0u {
        // Nothing was predicted for it.
        particle_velocities[i] = vec4f(0.0);
    }
    if all(delta == vec3f(0.0)) {
        return;
    }
    displace(i, delta, delta / params.substep_dt);
}
