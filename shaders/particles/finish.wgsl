#import "common/params"
#import "common/control"
#import "common/thread"
// One thread per particle; free ones only, at the end of the frame. Restores what is no number from the frame's
// start and keeps particles inside the world. Counts frames in which an equation of a user was no number.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> saved_particles: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(4) var<storage, read_write> control: Control;
@group(1) @binding(5) var<storage, read_write> constraint_multipliers: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    let none = arrayLength(&constraint_multipliers) - 1u;
    if i == 0u && constraint_multipliers[none].x != 0.0 {
        constraint_multipliers[none].x = 0.0;
        atomicAdd(&control.non_finite, 1u);
    }
    if i >= params.particle_count || particle_bodies[i] != NONE {
        return;
    }
    var x = particles[i];
    var v = particle_velocities[i];
    if is_broken(x) || is_broken(v) {
        x = saved_particles[i];
        v = vec4f(vec3f(0.0), v.w);
        atomicAdd(&control.non_finite, 1u);
    }
    let inside = clamp(x.xyz, vec3f(-params.world_extent), vec3f(params.world_extent));
    // What is not in the world has no mass.
    if any(inside != x.xyz) && v.w != 0.0 {
        x = vec4f(inside, x.w);
        v = vec4f(vec3f(0.0), v.w);
        atomicAdd(&control.out_of_bounds, 1u);
    }
    particles[i] = x;
    particle_velocities[i] = v;
    saved_particles[i] = x;
}
