#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/shape"
#import "common/thread"
// One thread per particle. Separation and normal of its contacts with bodies and particles now. Contacts of free
// particles are loads of their own; those between bodies count by pair, in `pairs/weigh`.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(6) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(7) var<storage, read_write> loads: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    let first_target = target_base(i, params.contact_capacity) + COLLIDER_SLOTS;
    let count = contact_targets[first_target - COLLIDER_SLOTS - 2u] >> 16u;
    if count == 0u {
        return;
    }
    let row = particle_rows[i];
    let position = position_of(i, row);
    let radius = particles[i].w;
    var mobile = row.body == NONE;
    var waking = false;
    if row.body != NONE {
        mobile = bodies[row.body].center.w != 0.0;
        waking = is_moving(row.body);
    }
    var active_count = 0u;
    for (var k = 0u; k < count; k++) {
        let contact = contact_targets[first_target + k];
        let slot = slot_at(i, COLLIDER_SLOTS + k, params.particle_count);
        let index = contact & TARGET_INDEX;
        var normal: vec3f;
        var separation: f32;
        var other_mobile: bool;
        if (contact & TARGET_KIND) == TARGET_BODY {
            other_mobile = bodies[index].center.w != 0.0;
            let resting = !mobile && !other_mobile;
            if (body_properties[index].flags & BODY_REMOVED) != 0u || (resting && !waking && !is_moving(index)) {
                let_go(slot);
                continue;
            }
            let b = bodies[index];
            let at = shape_at(body_properties[index].shape, rotate_back(b.rotation, position - b.center.xyz));
            normal = rotate(b.rotation, at.xyz);
            separation = at.w - radius;
            if separation < CONTACT_SLOP * radius {
                wake_pair(row.body, index, mobile, other_mobile, waking);
                if row.body == NONE {
                    atomicAdd(&loads[index], 1u);
                }
            }
            if resting {
                // A posed body wakes sleepers; neither gives way yet.
                let_go(slot);
                continue;
            }
        } else {
            let other = position_of(index, particle_rows[index]);
            let offset = position - other;
            let length = length(offset);
            normal = select(vec3f(0.0, select(-1.0, 1.0, i > index), 0.0), offset / length, length > 1e-9);
            separation = length - radius - particles[index].w;
        }
        let active_now = separation < CONTACT_SLOP * radius || contacts[slot].carried.w > 0.0;
        if active_now && row.body != NONE {
            let pair = u32(contacts[slot].grip.w);
            atomicStore(&loads[touch_flag(pair, params.body_count, params.particle_count)], 1u);
        }
        active_count += u32(active_now);
        contacts[slot].normal = vec4f(normal, separation);
        contacts[slot].point = vec4f(position - normal * (radius + 0.5 * separation), f32(active_now));
    }
    if active_count > 0u && row.body == NONE {
        atomicAdd(&loads[params.body_count + i], active_count);
    }
}

fn position_of(i: u32, row: ParticleRow) -> vec3f {
    if row.body == NONE {
        return particles[i].xyz;
    }
    return bodies[row.body].center.xyz + rotate(bodies[row.body].rotation, row.local.xyz);
}

fn is_moving(body: u32) -> bool {
    if bodies[body].velocity.w != 0.0 {
        return false;
    }
    let b = bodies[body];
    let speed = length(b.velocity.xyz) + length(b.angular_velocity.xyz) * body_properties[body].inverse_inertia_off.w;
    return speed > 3.0 * params.sleep_speed;
}

// The contact of two that rest. Most are at rest for long: nothing is written then.
fn let_go(slot: u32) {
    if contacts[slot].point.w != 0.0 || contacts[slot].carried.w != 0.0 {
        contacts[slot].point.w = 0.0;
        contacts[slot].carried = vec4f(0.0);
    }
}

// A sleeper touched by something that moves wakes at the end of the frame.
fn wake_pair(own: u32, other: u32, mobile: bool, other_mobile: bool, waking: bool) {
    if !other_mobile && (own == NONE || waking) {
        atomicOr(&loads[other], LOAD_WAKE);
    }
    if !mobile && own != NONE && is_moving(other) {
        atomicOr(&loads[own], LOAD_WAKE);
    }
}
