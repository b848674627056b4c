#import "common/params"
#import "common/body"
#import "common/contact"
#import "common/friction"
#import "common/thread"
// One thread per particle, only with `joints=particles`: those of bodies. It stands at the mean of where its bodies hold it (paper 5,
// section 4); from there its own contacts move it by itself (eq. 5 to 7), each by its share of them all, before its bodies are fitted
// to their particles. What it does to a body comes back on that body when it is fitted.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> links: array<Link>;
@group(1) @binding(3) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(4) var<storage, read> contact_targets: array<u32>;
@group(1) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(6) var<storage, read> colliders: array<Collider>;
@group(1) @binding(7) var<storage, read_write> particles: array<vec4f>;

var<private> own: ParticleRow;
var<private> weight: f32;      // inverse mass of the particle, 0 where a body of it does not move [1/kg]
var<private> share: f32;       // of each of its touching contacts

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count {
        return;
    }
    own = particle_rows[i];
    if own.link == NONE {
        return;
    }
    let place = held();
    let first_target = target_base(i, params.contact_slots);
    let counts = contact_targets[first_target - 2u];
    let touching = touching_of(i, 0u, counts >> 16u) + touching_of(i, params.contact_capacity, counts & 0xffffu);
    share = 1.0 / f32(max(touching, 1u));
    var impulse = vec3f(0.0);
    for (var k = 0u; k < (counts >> 16u); k++) {
        impulse += met_by(slot_at(i, k, params.particle_count), contact_targets[first_target + k]);
    }
    for (var k = 0u; k < (counts & 0xffffu); k++) {
        impulse += met_by(slot_at(i, params.contact_capacity + k, params.particle_count), NONE);
    }
    particles[i] = vec4f(place + weight * impulse, particles[i].w);
}

// The mean of its bodies' places for it, by their shares of its mass.
fn held() -> vec3f {
    var link = own.link;
    var sum = vec3f(0.0);
    var mass = 0.0;
    weight = 1.0;
    while link != NONE {
        let l = links[link];
        let b = bodies[l.body];
        sum += l.local.w * (b.center + rotate(b.rotation, l.local.xyz));
        mass += l.local.w;
        weight = select(weight, 0.0, b.inv_mass == 0.0);
        link = l.next;
    }
    weight /= mass;
    return sum / mass;
}

fn touching_of(particle: u32, first: u32, count: u32) -> u32 {
    var touching = 0u;
    for (var k = 0u; k < count; k++) {
        touching += u32(contacts[slot_at(particle, first + k, params.particle_count)].touching != APART);
    }
    return touching;
}

// Whether the particle is of a body.
fn is_of(body: u32) -> bool {
    var found = false;
    for (var link = own.link; link != NONE; link = links[link].next) {
        found = found || links[link].body == body;
    }
    return found;
}

// What a contact does to the particle [kg m]; the target is NONE for a collider.
fn met_by(slot: u32, contact: u32) -> vec3f {
    let c = contacts[slot];
    if c.touching == APART {
        return vec3f(0.0);
    }
    var other = NONE;
    var velocity: vec3f;
    var yields = weight;
    var friction = body_properties[own.body].friction;
    if contact == NONE {
        let collider = collider_at(colliders[c.partner], batch.time);
        velocity = collider_velocity_at(collider, c.point) + running(collider, c.normal);
        friction = pair_friction(friction, collider.friction);
    } else {
        other = contact & TARGET_INDEX;
        if (contact & TARGET_KIND) == TARGET_PARTICLE {
            other = particle_rows[other].body;
        }
        let b = bodies[other];
        velocity = body_velocity_at(b, c.point - b.center);
        // It meets a particle of that body, which has its share of the mass.
        yields += f32(body_properties[other].link_count) * b.inv_mass;
        friction = pair_friction(friction, body_properties[other].friction);
    }
    var normal_impulse = 0.0;
    var along = vec3f(0.0);
    if yields > 0.0 && !is_of(other) {
        let h = params.substep_dt;
        let n = c.normal;
        let a = bodies[own.body];
        let relative = body_velocity_at(a, c.point - a.center) - velocity;
        // Old overlap opens no faster than this, or it would throw.
        let depth = min(max(-c.separation, 0.0), max(-dot(relative, n), 0.0) * h + params.depenetration_speed * h);
        normal_impulse = share * depth / yields;
        let slide = tangential(relative * h, n);
        let most = most_friction(friction * params.friction_scale, normal_impulse, slide, h, params.dynamic_friction_ratio);
        along = shortened(-share * slide / yields, most);
    }
    contacts[slot].normal_impulse = normal_impulse;
    contacts[slot].impulse = along;
    return normal_impulse * c.normal + along;
}
