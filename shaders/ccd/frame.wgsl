#import "common/params"
#import "surfaces/islands"
#import "common/store"
#import "common/thread"
// One thread per particle; free ones only, in substeps in which ways cross. Its island is cut in the frame of the world if that of
// the island would take it where it does not go.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body != NONE || is_stored(particles[i].xyz) {
        return;
    }
    let pinned = particle_velocities[i].w == 0.0 && (particle_rows[i].phase & PHASE_GHOST) == 0u;
    let way = particles[i].xyz - particle_origins[i].xyz;
    check_frame(island_of(particle_rows[i]), way, particles[i].w, pinned);
}
