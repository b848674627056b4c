#import "sleep/posed"
#import "common/control"
#import "common/thread"
// One thread per particle, after the host has posed bodies: grains that were near one wake.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> saved_bodies: array<Body>;
@group(1) @binding(2) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(3) var<storage, read> posed_bodies: array<u32>;
@group(1) @binding(4) var<storage, read> particles: array<vec4f>;
@group(1) @binding(5) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(6) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(7) var<storage, read_write> particle_rests: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].sleeper == 0.0 {
        return;
    }
    if was_left(particles[i].xyz, particles[i].w) {
        particle_velocities[i].w = particle_rows[i].sleeper;
        particle_rests[i].w = 0.0;
    }
}
