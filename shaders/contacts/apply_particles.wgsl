#import "common/params"
#import "contacts/borne"
#import "common/rotation"
#import "common/thread"
// One thread per particle; free ones only. Sums the impulses of its own contacts with bodies and particles, and moves. Empties the
// list of those that touch.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> particles: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> particle_velocities: array<vec4f>;
@group(1) @binding(2) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(3) var<storage, read> contacts: array<Contact>;
@group(1) @binding(4) var<storage, read_write> loads: Loads;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    if i == 0u {
        loads.heads[TOUCHING_PARTICLES] = NO_ENTRIES;
    }
    let base = target_base(i, params.contact_slots);
    if contact_targets[base - 1u] != NONE || loads.words[params.body_count + i] % LOAD_COLLIDER == 0u {
        return;
    }
    let v = particle_velocities[i];
    let load = loads.words[params.body_count + i];
    loads.words[params.body_count + i] = 0u;
    if v.w == 0.0 {
        return;
    }
    loads.words[yielding_of(i, params.body_count, params.particle_count)] = bitcast<u32>(v.w * load_of_free(load));
    let counts = contact_targets[base - 2u];
    var velocity_part = vec3f(0.0);
    var total = vec3f(0.0);
    for (var k = 0u; k < (counts >> 16u); k++) {
        let slot = slot_at(i, k, params.particle_count);
        let touching = contacts[slot].touching;
        if touching == APART {
            continue;
        }
        let n = contacts[slot].normal;
        var impulse = contacts[slot].impulse;
        var shift = contacts[slot].normal_impulse * n;
        let stopping = contacts[slot].stops;
        if stopping >= 0.0 {
            let pressed = dot(impulse, n);
            // What rubs on it does not move it; nothing rubs on liquid.
            if touching != SLIPPERY {
                impulse = pressed * n;
            }
            impulse += pressed * (stopping * level(n) - n);
            shift = vec3f(0.0);
        }
        velocity_part += impulse;
        total += impulse + shift;
    }
    particles[i] = vec4f(particles[i].xyz + v.w * total, particles[i].w);
    particle_velocities[i] = vec4f(v.xyz + v.w * velocity_part / params.substep_dt, v.w);
}
