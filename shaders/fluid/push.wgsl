#import "common/params"
#import "common/body"
#import "common/contact"
#import "fluid/fluid"
#import "common/row"
#import "common/thread"
// One thread per member of the fluid. Notes at its contacts with bodies what `fluid/solve` pushed it by, for
// `contacts/apply_bodies` to push back.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: Fluid;
@group(1) @binding(0) var<storage, read> sorted_particles: array<u32>;
@group(1) @binding(1) var fluid_steps: texture_2d<u32>;
@group(1) @binding(2) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(3) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read> bodies: array<Body>;
@group(1) @binding(5) var fluid_places: texture_2d<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let s = global_index(id, groups);
    if s >= fluid.particle_count || is_solid(fluid, textureLoad(fluid_places, row_at(s), 0)) {
        return;
    }
    let step = step_of(textureLoad(fluid_steps, row_at(s), 0));
    let i = sorted_particles[s];
    let first_target = target_base(i, params.contact_slots);
    let counts = contact_targets[first_target - 2u];
    for (var k = 0u; k < (counts >> 16u); k++) {
        let body = contact_targets[first_target + k];
        if (body & TARGET_KIND) == TARGET_BODY {
            let slot = slot_at(i, k, params.particle_count);
            let push = step * select(contacts[slot].grip.x, 0.0, bodies[body].inv_mass == 0.0);
            contacts[slot].grip.y = push.x;
            contacts[slot].grip.z = push.y;
        }
    }
}
