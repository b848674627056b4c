#import "common/params"
#import "search/promise"
#import "fluid/fluid"
#import "common/thread"
// One thread per particle; free ones only. Starts a substep: v += h g and what the air adds, x* = x + h v.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(0) @binding(2) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_bodies: array<u32>;
@group(1) @binding(3) var<storage, read_write> control: Control;
@group(1) @binding(4) var<storage, read_write> particle_margins: array<f32>;
@group(1) @binding(5) var<storage, read> particle_winds: array<vec4f>;
@group(1) @binding(6) var<storage, read_write> particle_origins: array<vec4f>;
@group(1) @binding(7) var<storage, read> particle_volumes: array<f32>;

// Whether any particle is in the air, and whether surfaces ask where each began the substep.
override SAILS: u32 = 1u;
override SURFACES: u32 = 1u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_bodies[i] != NONE {
        return;
    }
    if SURFACES > 0u {
        particle_origins[i] = particles[i];
    }
    let old = particle_velocities[i];
    if old.w == 0.0 {
        return;
    }
    let h = params.substep_dt;
    var gained = vec3f(0.0);
    if SAILS > 0u {
        let air = particle_winds[i];
        gained = -h * old.w * (air.xyz + air.w * old.xyz) / (1.0 + h * old.w * air.w);
    }
    var v = (old.xyz + gained + h * params.gravity) / (1.0 + h * params.linear_damping);
    v *= min(1.0, params.max_speed / max(length(v), 1e-9));
    particle_velocities[i] = vec4f(v, old.w);
    particles[i] = vec4f(particles[i].xyz + h * v, particles[i].w);
    let in_fluid = particle_volumes[i] != 0.0;
    let bits = ordered_bits(length(v));
    if in_fluid && bits > atomicLoad(&control.liquid_speed) {
        atomicMax(&control.liquid_speed, bits);
    }
    let margin = particle_margins[i] - length(v) * h;
    particle_margins[i] = margin;
    promise(margin, length(v), max(MARGIN_MOST * particles[i].w, select(0.0, fluid.contact_margin, in_fluid)));
}
