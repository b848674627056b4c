#import "common/params"
#import "common/body"
#import "common/move"
#import "surfaces/delta"
#import "common/thread"
// One thread per particle; free ones only. Goes where bodies carry it, unless it is pinned, and no longer against them: what it
// loses of its momentum the body gets.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(1) var<storage, read> bodies: array<Body>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read_write> surface_deltas: array<SurfaceDelta>;
@group(1) @binding(5) var<storage, read_write> particle_margins: array<f32>;
@group(1) @binding(6) var<storage, read_write> control: Control;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_bodies[i] != NONE {
        return;
    }
    let carrier = atomicExchange(&surface_deltas[i].contacts, 0);
    if carrier == 0 {
        return;
    }
    let shift = take_push(i);
    let v = particle_velocities[i];
    if v.w == 0.0 {
        return;
    }
    let way = max(length(shift), 1e-12);
    let against = min(max(-dot(v.xyz, shift) / way, 0.0), way / params.substep_dt);
    let gain = against / way * shift;
    slow(u32(carrier - 1), gain / v.w);
    displace(i, shift, gain);
}

// Takes an impulse [kg m/s] from a body, for `surfaces/apply_bodies`: at its center, for the point that carries is not known.
fn slow(body: u32, impulse: vec3f) {
    let row = linear_row(body);
    add_delta(row, vec3f(0.0), -bodies[body].inv_mass * params.substep_dt * impulse);
    atomicStore(&surface_deltas[row].contacts, 1);
}
