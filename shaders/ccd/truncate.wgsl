#import "common/params"
#import "common/body"
#import "common/control"
#import "surfaces/lists"
#import "surfaces/delta"
#import "ccd/round"
#import "common/thread"
// One thread per particle; free ones only. Ends its way of this substep where surfaces bound it, and remembers that it did. Where
// the pair was no contact in this substep it keeps its velocity: as a contact of the next one it shares its momentum. What was cut
// before too has had that chance, and is as slow as it looks: else what is pulled against others would gather speed that it never had.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(1) var<storage, read> particle_origins: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(5) var<storage, read> surface_list: SurfaceList;
@group(1) @binding(6) var<storage, read_write> surface_list_again: SurfaceList;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_bodies[i] != NONE {
        return;
    }
    let truncated = atomicLoad(&surface_deltas[i].truncation);
    if truncated == 0 {
        return;
    }
    atomicStore(&surface_deltas[i].contacts, WAY_CUT);
    atomicStore(&surface_deltas[i].truncation, 0);
    let held = hold_row(i);
    bind_again();
    // What was cut in the last substep too had its chance to share its momentum.
    let slows = held > 0u || (surface_list.round < LAST_ROUND && surface_list.renewed == 0u);
    let v = particle_velocities[i];
    if surface_list.round == 0u {
        let shift = take_push(i);
        particles[i] = vec4f(particles[i].xyz + shift, particles[i].w);
        if slows {
            particle_velocities[i] = vec4f(v.xyz + shift / params.substep_dt, v.w);
        }
        return;
    }
    let part = 1.0 - f32(truncated) / TRUNCATION_SCALE;
    let start = particle_origins[i].xyz;
    let way = take_frame(i);
    particles[i] = vec4f(start + way + part * (particles[i].xyz - start - way), particles[i].w);
    if slows {
        let own = way / params.substep_dt;
        particle_velocities[i] = vec4f(own + part * (v.xyz - own), v.w);
    }
}
