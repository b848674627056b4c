#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/touching"
#import "common/one_way"
#import "narrow_phase/ball"
#import "narrow_phase/ring"
#import "common/thread"
// One thread per listed contact of a body with a collider. Its separation and normal now; loads as in `narrow_phase/update`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> contact_list: ContactList;
@group(1) @binding(4) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(5) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(6) var<storage, read> colliders: array<Collider>;
@group(1) @binding(7) var<storage, read_write> loads: GrowingLoads;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let listed = global_index(id, groups);
    if listed >= contact_list.heads[LISTED_COLLIDERS].count {
        return;
    }
    let entry = contact_list.contacts[first_listed(LISTED_COLLIDERS, params.contact_capacity, params.particle_count) + listed];
    let slot = entry.slot;
    let contact = entry.other;
    let i = slot % params.particle_count;
    let row = particle_rows[i];
    let radius = row.local.w;
    let b = bodies[row.body];
    let asleep = b.inv_mass == 0.0;
    var position = b.center + rotate(b.rotation, row.local.xyz);
    var size = radius;
    var index = contact & TARGET_INDEX;
    if (contact & TARGET_KIND) == TARGET_TRIANGLE {
        index = shapes[index].w;
    }
    if asleep && !carries(colliders[index]) {
        let_go(slot);
        return;
    }
    let collider = collider_at(colliders[index], batch.time);
    var rolls = is_of_ball(row) && rolls_over(row, collider.shape);
    if rolls {
        position = b.center;
        size = ball_radius(row);
    }
    let met = met_from(contact, collider, row, b, position);
    let at = met.at;
    position = met.position;
    rolls = rolls || met.slides;
    let separation = at.w - size;
    let normal = rotate(collider.rotation, at.xyz);
    if ONE_WAY && passes(collider, b, at, normal, position) {
        let_go(slot);
        return;
    }
    // The edge ahead of one that rolls over a flat mesh is as near as what it is on, and in no way.
    let slop = select(CONTACT_SLOP * radius, 0.0, rolls && (contact & TARGET_KIND) == TARGET_TRIANGLE);
    let touches = separation < slop || contacts[slot].warm_start > 0.0 || contacts[slot].arm > 0.0;
    contacts[slot].normal = normal;
    contacts[slot].separation = separation;
    contacts[slot].point = position - normal * (size + separation);
    contacts[slot].touching = select(APART, TOUCHING, touches);
    contacts[slot].partner = index;
    if touches && rolls {
        roll_on(slot, Pose(b.center, b.rotation), Pose(collider.position, collider.rotation));
    }
    if touches {
        if asleep {
            atomicOr(&loads.words[row.body], LOAD_WAKE);
        }
        count_touch(row.body * params.manifold_slots, row.body, NONE, TOUCHING_WORLD);
    }
}

// What a particle meets, and where it is then.
struct Met {
    at: vec4f,                 // normal in the collider's frame, and distance
    position: vec3f,           // [m]
    slides: bool,              // whether it has gone along its ring
}

fn met_from(contact: u32, collider: Collider, row: ParticleRow, b: Body, position: vec3f) -> Met {
    var met = Met(vec4f(0.0), position, false);
    var may_slide = is_of_ring(row);
    loop {
        met.at = measured(contact, collider, met.position, row.local.w);
        if !may_slide {
            break;
        }
        may_slide = false;
        let place = slid_along_ring(row, rotate_back(b.rotation, rotate(collider.rotation, met.at.xyz)));
        met.slides = any(place != row.local.xyz);
        if !met.slides {
            break;
        }
        met.position = b.center + rotate(b.rotation, place);
    }
    return met;
}

// Normal in the collider's frame, and distance.
fn measured(contact: u32, collider: Collider, position: vec3f, radius: f32) -> vec4f {
    let local = rotate_back(collider.rotation, position - collider.position);
    if (contact & TARGET_KIND) != TARGET_TRIANGLE {
        return shape_at(collider.shape, local);
    }
    let at = triangle_at(contact & TARGET_INDEX, local);
    // Deeper than a diameter is another part of the mesh seen from behind.
    return vec4f(at.xyz, select(at.w, 1e9, at.w < -2.0 * radius));
}

// Whether the body comes through a one-way collider from behind: its center counts, seen from where the particle touches.
fn passes(collider: Collider, b: Body, at: vec4f, normal: vec3f, position: vec3f) -> bool {
    let motion = b.velocity - collider.velocity;
    let behind = dot(position - b.center, normal) - at.w + params.substep_dt * dot(motion, normal);
    let there = body_velocity_at(b, position - b.center) - collider_velocity_at(collider, position);
    return lets_pass(collider.shape, at.xyz, behind, dot(there, normal));
}
