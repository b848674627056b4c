#import "common/params"
#import "common/contact"
#import "common/rotation"
#import "common/thread"
// One thread per particle; free ones only. Sums the impulses of its own contacts and moves. Colliders have the last word:
// in a crowd the mean of the contacts may leave a particle deep in the ground.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read_write> loads: Loads;

// How deep in a collider a particle may be left [radii].
const LEFT_IN: f32 = 0.25;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let base = target_base(i, params.contact_capacity);
    if contact_targets[base - 1u] != NONE || loads.words[params.body_count + i] == 0u {
        return;
    }
    let v = particle_velocities[i];
    let load = loads.words[params.body_count + i];
    loads.words[params.body_count + i] = 0u;
    if v.w == 0.0 {
        return;
    }
    loads.words[yielding_of(i, params.body_count, params.particle_count)] = bitcast<u32>(v.w * f32(load & ~LOAD_WAKE));
    let counts = contact_targets[base - 2u];
    var velocity_part = vec3f(0.0);
    var total = vec3f(0.0);
    for (var k = 0u; k < COLLIDER_SLOTS + (counts >> 16u); k++) {
        let listed = k < (counts & 0xffffu) || k >= COLLIDER_SLOTS;
        let slot = slot_at(i, k, params.particle_count);
        if !listed || contacts[slot].touching == APART {
            continue;
        }
        let impulse = contacts[slot].impulse;
        velocity_part += impulse;
        total += impulse + contacts[slot].normal_impulse * contacts[slot].normal;
    }
    let radius = particles[i].w;
    var shift = v.w * total;
    var velocity = v.xyz + v.w * velocity_part / params.substep_dt;
    for (var k = 0u; k < (counts & 0xffffu); k++) {
        let contact = contacts[slot_at(i, k, params.particle_count)];
        let n = contact.normal;
        let left = -contact.separation - dot(shift, n) - LEFT_IN * radius;
        if contact.touching == TOUCHING && left > 0.0 {
            shift += left * n;
            velocity -= min(dot(velocity, n), 0.0) * n;
        }
    }
    particles[i] = vec4f(particles[i].xyz + shift, radius);
    particle_velocities[i] = vec4f(velocity, v.w);
}
