#import "common/params"
#import "common/thread"
#import "between/between"
// One thread per particle. Where it is between two frames, to be drawn; one that jumps is where it ends up. Those of bodies are
// put on their bodies after this.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> between: Between;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> particles_before: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particles_between: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let now = particles[i];
    let before = particles_before[i];
    let moved = select(mix(before, now, between.alpha), now, jumped(before.xyz, now.xyz));
    particles_between[i] = vec4f(moved.xyz, now.w);
}
