#import "common/params"
#import "common/thread"
#import "constraints/history"
#import "constraints/object"
// One thread per particle that constraints join, at the start of a substep, with `integrator=bdf2`. Keeps where it is and how fast. What
// anything but prediction and constraints has moved or pushed, as a contact, begins anew with the first order: what was before the blow says
// nothing of what comes after it. So does all where the last substep was of another length, which the formulas are not for.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> joined_particles: array<Joined>;
@group(1) @binding(1) var<storage, read> particles: array<vec4f>;
@group(1) @binding(2) var<storage, read> particle_velocities: array<vec4f>;
@group(1) @binding(3) var<storage, read_write> particle_histories: array<History>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = global_index(id, groups);
    if index >= arrayLength(&joined_particles) {
        return;
    }
    let joined = joined_particles[index];
    let i = joined.particle;
    let x = particles[i].xyz;
    let v = particle_velocities[i];
    let own = particle_histories[i];
    let h = params.substep_dt;
    let undisturbed = own.left.w == 0.0 && all(x == own.left.xyz) && all(v.xyz == own.left_velocity.xyz);
    let goes_on = v.w > 0.0 && own.place.w > 0.0 && own.velocity.w == h && undisturbed && joined.first_order == 0u;
    let order = select(1.0, 2.0, goes_on);
    particle_histories[i] = History(vec4f(x, order), vec4f(v.xyz, h), own.place, own.velocity, vec4f(x, 0.0), vec4f(v.xyz, 0.0));
}
