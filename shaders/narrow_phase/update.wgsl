#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/control"
#import "common/touching"
#import "narrow_phase/ball"
#import "narrow_phase/ring"
#import "common/thread"
// One thread per listed contact with a body or particle. Its separation and normal now. Contacts of free particles are
// loads of their own; those between bodies count by pair.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> particles: array<vec4f>;
@group(1) @binding(4) var<storage, read> contact_list: ContactList;
@group(1) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(6) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(7) var<storage, read_write> loads: GrowingLoads;

// Whether free particles meet anything here, and whether particles are met.
override FREE: u32 = 1u;
override BALLS: u32 = 1u;

// How far behind the surface of a body liquid looks whether it is at a face or at an edge [radii].
const FELT_BEHIND: f32 = 0.5;
// What a body displaces beside a face where its edges are reckoned, over what it does where they are not: those displace less in the
// mean for them. By how deep boxes of a few spacings float.
const FACE_PART: f32 = 1.0556;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let listed = global_index(id, groups);
    if listed >= contact_list.heads[LISTED_OTHERS].count {
        return;
    }
    let entry = contact_list.contacts[first_listed(LISTED_OTHERS, params.contact_capacity, params.particle_count) + listed];
    let slot = entry.slot & ~STILL;
    let contact = entry.other;
    let i = slot % params.particle_count;
    let row = particle_rows[i];
    var position = position_of(i, row);
    let radius = row.local.w;
    var size = radius;
    let index = contact & TARGET_INDEX;
    let free = is_free(row);
    let liquid = free && (row.phase & PHASE_LIQUID) != 0u;
    let mobile = free || bodies[row.body].inv_mass != 0.0;
    var touched = index;
    var local = vec3f(0.0);
    if BALLS > 0u && (contact & TARGET_KIND) == TARGET_PARTICLE {
        touched = particle_rows[index].body;
        local = particle_rows[index].local.xyz;
    }
    let b = bodies[select(touched, 0u, touched == NONE)];
    var rolls = !free && (contact & TARGET_KIND) == TARGET_BODY && is_of_ball(row) && rolls_over(row, body_properties[index].shape);
    if rolls {
        position = bodies[row.body].center;
        size = ball_radius(row);
    }
    var normal: vec3f;
    var separation: f32;
    if BALLS == 0u || (contact & TARGET_KIND) == TARGET_BODY {
        let other_mobile = b.inv_mass != 0.0;
        let resting = !mobile && !other_mobile;
        let waking = !free && is_moving(row.body);
        let still = resting && stands(row.body) && stands(index);
        if (body_properties[index].flags & BODY_REMOVED) != 0u || still {
            let_go(slot);
            return;
        }
        var place: vec3f;
        var at: vec4f;
        var slides = !free && is_of_ring(row);
        loop {
            place = rotate_back(b.rotation, position - b.center);
            at = shape_at(body_properties[index].shape, place);
            if !slides {
                break;
            }
            slides = false;
            let own = bodies[row.body];
            let to = slid_along_ring(row, rotate_back(own.rotation, rotate(b.rotation, at.xyz)));
            rolls = any(to != row.local.xyz);
            position = own.center + rotate(own.rotation, to);
        }
        normal = rotate(b.rotation, at.xyz);
        separation = at.w - size;
        if separation < CONTACT_SLOP * radius {
            wake_pair(row.body, index, mobile, other_mobile, select(waking, entry.slot == slot, free));
        } else if !free {
            miss(slot, separation, row.body, index);
        }
        if liquid {
            contacts[slot].other_arm = room_behind(body_properties[index].shape, place, at, radius);
        }
        // Liquid pushes from farther away.
        if free && separation < select(CONTACT_SLOP, LIQUID_SUPPORT - 1.0, liquid) * radius {
            atomicAdd(&loads.words[index], LOAD_PARTICLE);
        }
        if resting {
            // A posed body wakes sleepers; neither gives way yet.
            let_go(slot);
            return;
        }
    } else {
        let offset = position - select(b.center + rotate(b.rotation, local), particles[index].xyz, touched == NONE);
        let length = length(offset);
        normal = select(vec3f(0.0, select(-1.0, 1.0, i > index), 0.0), offset / length, length > 1e-9);
        separation = length - radius - particles[index].w;
    }
    let lasts = contacts[slot].warm_start > 0.0 || (!free && contacts[slot].arm > 0.0);
    if separation >= CONTACT_SLOP * radius && !lasts {
        contacts[slot].separation = separation;
        contacts[slot].touching = APART;
        if free {
            loosen(slot);
        }
        if liquid {
            contacts[slot].normal = normal;
            contacts[slot].point = position - normal * (radius + separation);
        }
        return;
    }
    contacts[slot].normal = normal;
    contacts[slot].separation = separation;
    contacts[slot].point = position - normal * (size + select(0.5, 1.0, liquid) * separation);
    contacts[slot].touching = select(TOUCHING, SLIPPERY, liquid);
    if rolls {
        roll_on(slot, Pose(bodies[row.body].center, bodies[row.body].rotation), Pose(b.center, b.rotation));
    }
    let pair = contacts[slot].partner;
    if free {
        set_arms(slot, contact, radius, separation, liquid);
        count_free_touch(i);
    } else if pair != NONE {
        count_touch(pair, row.body, touched, TOUCHING_MANIFOLDS);
    }
}

// From the centers of a free particle and of what it meets to the point between them. Liquid at a body needs none.
fn set_arms(slot: u32, contact: u32, radius: f32, separation: f32, liquid: bool) {
    let is_particle = (contact & TARGET_KIND) == TARGET_PARTICLE;
    if is_particle {
        contacts[slot].other_arm = particles[contact & TARGET_INDEX].w + 0.5 * separation;
    } else if !liquid {
        contacts[slot].other_arm = 0.0;
    }
    if is_particle || !liquid {
        contacts[slot].arm = radius + 0.5 * separation;
    }
}

// How much of the room behind the surface is the shape, from a place where normal and distance are these: less at an edge than behind
// a face. 1 for what has no edges, or is too coarse to tell.
fn room_behind(shape: u32, place: vec3f, at: vec4f, radius: f32) -> f32 {
    if at.w <= 0.0 || !(is_of(shape, SHAPE_CUBOID) || is_of(shape, SHAPE_CYLINDER)) {
        return 1.0;
    }
    let deep = FELT_BEHIND * radius;
    let behind = place - (at.w + deep) * at.xyz;
    let extent = bitcast<vec4f>(shapes[4u * shape + 1u]);
    var height: f32;
    if is_of(shape, SHAPE_CUBOID) {
        height = cuboid_at(extent.xyz, behind).w;
    } else {
        height = cylinder_at(extent.xy, behind).w;
    }
    return FACE_PART * clamp(-height / deep, 0.0, 1.0);
}

fn is_free(row: ParticleRow) -> bool {
    return FREE > 0u && row.body == NONE;
}

fn position_of(i: u32, row: ParticleRow) -> vec3f {
    if is_free(row) {
        return particles[i].xyz;
    }
    return bodies[row.body].center + rotate(bodies[row.body].rotation, row.local.xyz);
}

fn is_moving(body: u32) -> bool {
    if bodies[body].rest_time != 0.0 {
        return false;
    }
    let b = bodies[body];
    let speed = length(b.velocity) + length(b.angular_velocity) * body_properties[body].reach;
    return speed > WAKE_SPEEDS * params.sleep_speed;
}

fn stands(body: u32) -> bool {
    return all(bodies[body].velocity == vec3f(0.0)) && all(bodies[body].angular_velocity == vec3f(0.0));
}

// A sleeper whose support has gone wakes at the end of the frame, however slowly that went.
fn miss(slot: u32, separation: f32, own: u32, other: u32) {
    if contacts[slot].hold != 1.0 || separation <= GRIP_KEPT * params.particle_radius {
        return;
    }
    for (var side = 0u; side < 2u; side++) {
        let body = select(own, other, side == 1u);
        if bodies[body].inv_mass == 0.0 && (body_properties[body].flags & BODY_KINEMATIC) == 0u {
            atomicOr(&loads.words[body], LOAD_WAKE);
            contacts[slot].hold = 0.0;
        }
    }
}

// A sleeper touched by something that moves wakes at the end of the frame.
fn wake_pair(own: u32, other: u32, mobile: bool, other_mobile: bool, waking: bool) {
    if !other_mobile && waking {
        atomicOr(&loads.words[other], LOAD_WAKE);
    }
    if !mobile && is_moving(other) {
        atomicOr(&loads.words[own], LOAD_WAKE);
    }
}
