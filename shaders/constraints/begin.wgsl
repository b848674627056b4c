#import "common/params"
#import "common/body"
#import "common/copies"
#import "common/thread"
// One thread per particle; free ones only, before the constraints of an iteration. Remembers where it is, and lets its
// copies start there; they share its mass (Tonge et al. 2012), so that their mean keeps momentum.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_starts: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> particle_moves: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_copies: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE {
        return;
    }
    let v = particle_velocities[i];
    let copies = particle_copies[i];
    let start = vec4f(particles[i].xyz, v.w * f32(sharing(copies)));
    // Before late copies it is alone.
    particle_starts[i] = select(start, vec4f(start.xyz, v.w), (copies.y & COPIES_LATE) != 0u);
    particle_moves[i] = vec4f(0.0);
    for (var c = copies.x; c < end_of(copies); c++) {
        particle_velocities[c] = v;
        particle_starts[c] = start;
        particle_moves[c] = vec4f(0.0);
    }
}
