#import "common/params"
#import "common/body"
#import "constraints/phantoms"
#import "common/thread"
// One thread per particle; free ones only, before the constraints of an iteration. Remembers where it is, and lets its
// phantoms start there; they share its mass (Tonge et al. 2012), so that their mean keeps momentum.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_starts: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_deltas: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_phantoms: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE {
        return;
    }
    let v = particle_velocities[i];
    let phantoms = particle_phantoms[i];
    let start = vec4f(particles[i].xyz, v.w * f32(sharing(phantoms)));
    // Before the last color of a hybrid partition it is alone.
    particle_starts[i] = select(start, vec4f(start.xyz, v.w), (phantoms.y & PHANTOMS_HYBRID) != 0u);
    particle_deltas[i] = vec4f(0.0);
    for (var k = phantoms.x; k < end_of(phantoms); k++) {
        particle_velocities[k] = v;
        particle_starts[k] = start;
        particle_deltas[k] = vec4f(0.0);
    }
}
