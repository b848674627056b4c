#import "common/params"
#import "common/thread"
#import "constraints/history"
#import "constraints/object"
// One thread per particle that constraints join, after the first order has predicted it, with `integrator=bdf2`. Predicts what goes on
// from the last substep by the second order: what the first one has added to the velocity is h a.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> joined_particles: array<Joined>;
@group(1) @binding(1) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_histories: array<History>;
@group(1) @binding(4) var<storage, read_write> particle_margins: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= arrayLength(&joined_particles) {
        return;
    }
    let i = joined_particles[index].particle;
    let own = particle_histories[i];
    var x = particles[i];
    let first = particle_velocities[i];
    if own.place.w == 2.0 {
        let bend = (own.velocity.xyz - own.velocity_before.xyz) / 3.0;
        let v = own.velocity.xyz + bend + SECOND_ORDER_STEP * (first.xyz - own.velocity.xyz);
        let way = (own.place.xyz - own.place_before.xyz) / 3.0 + SECOND_ORDER_STEP * params.substep_dt * v;
        let place = own.place.xyz + way;
        particle_margins[i] -= length(place - x.xyz);
        x = vec4f(place, x.w);
        particles[i] = x;
        particle_velocities[i] = vec4f(v, first.w);
    }
    particle_histories[i].left = vec4f(x.xyz, 0.0);
}
