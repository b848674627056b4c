#import "common/params"
#import "common/body"
#import "common/control"
#import "common/facet"
#import "common/thread"
// One thread per particle; free ones only. Goes where bodies carry it, unless it is pinned.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(1) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> triangle_pushes: array<i32>;
@group(1) @binding(4) var<storage, read_write> particle_slack: array<f32>;
@group(1) @binding(5) var<storage, read_write> control: Control;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_bodies[i] != NONE || triangle_pushes[PUSH_WORDS * i] == 0 {
        return;
    }
    triangle_pushes[PUSH_WORDS * i] = 0;
    var shift: vec3f;
    for (var k = 0u; k < 3u; k++) {
        let ahead = PUSH_WORDS * i + 1u + k;
        shift[k] = f32(triangle_pushes[ahead] + triangle_pushes[ahead + 3u]) / PUSH_SCALE;
        triangle_pushes[ahead] = 0;
        triangle_pushes[ahead + 3u] = 0;
    }
    if particle_velocities[i].w == 0.0 {
        return;
    }
    particles[i] = vec4f(particles[i].xyz + shift, particles[i].w);
    let slack = particle_slack[i] - length(shift);
    particle_slack[i] = slack;
    if slack < 0.0 {
        atomicStore(&control.due, 1u);
    }
}
