#import "common/params"
#import "common/body"
#import "common/thread"
// One thread per particle; free ones only, before the constraints of an iteration. Remembers where it is, and lets its
// copies start there; they share its mass (Tonge et al. 2012), so that their mean keeps momentum.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(1) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_starts: array<vec4f>;
@group(1) @binding(4) var<storage, read> particle_copies: array<vec2u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE {
        return;
    }
    let x = particles[i];
    let v = particle_velocities[i];
    let copies = particle_copies[i];
    let start = vec4f(x.xyz, v.w * f32(copies.y + 1u));
    particle_starts[i] = start;
    for (var c = copies.x; c < copies.x + copies.y; c++) {
        particles[c] = x;
        particle_velocities[c] = v;
        particle_starts[c] = start;
    }
}
