#import "common/params"
#import "common/body"
#import "common/grid"
#import "common/contact"
#import "narrow_phase/bits"
#import "common/control"
#import "narrow_phase/listed_before"
#import "narrow_phase/ring"
#import "common/thread"
// One thread per particle: the narrow phase. Of what is near its proxy, lists what its own ball may touch until the
// next search. A body is one target, measured by its signed distance. Targets listed before keep their slot and grip.

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(3) var<storage, read> candidates: array<u32>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(6) var<storage, read_write> contact_targets: array<u32>;
@group(1) @binding(7) var<storage, read_write> control: Control;

// Parts of one object that rest at less than so many times the sum of their radii are kept apart by what joins them.
const ALIKE: f32 = 1.05;
const OUT_OF_REACH: f32 = -1e30;
// Place of the limiter that a limiter meets, after those of what is near the proxy.
const LIMITER_BIT: u32 = BITS - 1u;

var<private> row: ParticleRow;
var<private> particle: u32;
var<private> first_candidate: u32;
var<private> first_target: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    particle = global_index(id, groups);
    if particle >= params.particle_count {
        return;
    }
    row = particle_rows[particle];
    if (candidates[row.proxy * candidate_row(params.candidate_capacity)] & CANDIDATES_KEPT) != 0u {
        return;
    }
    first_candidate = row.proxy * candidate_row(params.candidate_capacity) + CANDIDATE_HEAD + CANDIDATE_COLLIDERS;
    first_target = target_base(particle, params.contact_slots);
    let count_word = first_target - 2u;
    var hits = vec4u(0u);
    if (row.phase & PHASE_GHOST) == 0u {
        hits = in_reach(candidates[row.proxy * candidate_row(params.candidate_capacity)] >> 16u);
    }
    let wanted = bit_count(hits);
    // Slots taken, as bits: those of targets that stay, then the first free ones.
    var taken = vec4u(0u);
    let old_count = contact_targets[count_word] >> 16u;
    for (var k = 0u; k < old_count; k++) {
        let place = place_of(contact_targets[first_target + k], hits);
        if place != NONE {
            hits &= ~bit(place);
            taken |= bit(k);
            // `contacts/link_manifolds` tells it its pair.
            contacts[slot_of(k)].partner = NONE;
        }
    }
    for (; any(hits != vec4u(0u)); hits &= ~bit(first_bit(hits))) {
        let k = first_bit(~taken);
        if k >= params.contact_capacity {
            atomicAdd(&control.contacts_dropped, 1u);
            continue;
        }
        taken |= bit(k);
        contact_targets[first_target + k] = target_at(first_bit(hits));
        var fresh = Contact();
        fresh.partner = NONE;
        contacts[slot_of(k)] = fresh;
    }
    // The last ones fill the gaps.
    let found = bit_count(taken);
    for (var last = last_bit(taken); found > 0u && last >= found; last = last_bit(taken)) {
        let gap = first_bit(~taken);
        contact_targets[first_target + gap] = contact_targets[first_target + last];
        contacts[slot_of(gap)] = contacts[slot_of(last)];
        taken ^= bit(gap) | bit(last);
    }
    contact_targets[count_word] = (contact_targets[count_word] & 0xffffu) | (found << 16u);
    if 4u * wanted > 3u * params.contact_capacity {
        atomicMax(&control.contacts_most, wanted);
    }
}

fn slot_of(k: u32) -> u32 {
    return slot_at(particle, k, params.particle_count);
}

fn target_at(place: u32) -> u32 {
    return select(candidates[first_candidate + place], TARGET_PARTICLE | row.limiter, place == LIMITER_BIT);
}

// Where a target is among these bits, NONE if it is not.
fn place_of(contact: u32, bits: vec4u) -> u32 {
    for (var left = bits; any(left != vec4u(0u)); left &= ~bit(first_bit(left))) {
        if target_at(first_bit(left)) == contact {
            return first_bit(left);
        }
    }
    return NONE;
}

// What is in reach, as bits. Bodies' balls are compared first: few need their distance, and fewer targets are particles.
fn in_reach(candidate_count: u32) -> vec4u {
    let reach = reach_of(row);
    let body_reach = reach + select(0.0, (LIQUID_SUPPORT - 1.0) * row.local.w, (row.phase & PHASE_LIQUID) != 0u);
    let position = position_of(row);
    var near_bodies = vec4u(0u);
    var near_particles = vec4u(0u);
    for (var k = 0u; k < candidate_count; k++) {
        let near = candidates[first_candidate + k];
        if (near & TARGET_KIND) != TARGET_BODY {
            near_particles |= bit(k);
        } else {
            let from_place = measured_from(near, position, body_reach);
            if meets_ball(near, from_place.xyz, from_place.w) {
                near_bodies |= bit(k);
            }
        }
    }
    var hits = vec4u(0u);
    for (; any(near_bodies != vec4u(0u)); near_bodies &= ~bit(first_bit(near_bodies))) {
        let near = candidates[first_candidate + first_bit(near_bodies)];
        let from_place = measured_from(near, position, body_reach);
        if meets_body(near, from_place.xyz, from_place.w) {
            hits |= bit(first_bit(near_bodies));
        }
    }
    for (; any(near_particles != vec4u(0u)); near_particles &= ~bit(first_bit(near_particles))) {
        if meets_particle(candidates[first_candidate + first_bit(near_particles)] & TARGET_INDEX, position, reach) {
            hits |= bit(first_bit(near_particles));
        }
    }
    // One of the two limiters owns their contact.
    if params.limiters_meet != 0u && row.limiter != NONE && particle < row.limiter
        && (particle_rows[row.limiter].phase & PHASE_GHOST) == 0u {
        hits |= bit(LIMITER_BIT);
    }
    return hits;
}

// From where a body is measured, w: and how near it is met. A ball is met by itself, the lower one of two owns their contact, and what
// another particle measures is out of reach.
fn measured_from(other: u32, position: vec3f, reach: f32) -> vec4f {
    if !ROLLS || row.body == NONE || params.balls_roll == 0u {
        return vec4f(position, reach);
    }
    let to_ball = (body_properties[other].flags & BODY_BALL) != 0u;
    let of_ball = is_of_ball(row) && rolls_over(row, body_properties[other].shape);
    if of_ball && stands_for_ball(row) && !(to_ball && other < row.body) && !is_listed_before(row, TARGET_BODY | other) {
        return vec4f(bodies[row.body].center, ball_radius(row) + bodies[row.body].margin);
    }
    let met_by_ball = of_ball || (to_ball && !is_of(body_properties[row.body].shape, SHAPE_GRID));
    return vec4f(position, select(reach, OUT_OF_REACH, met_by_ball));
}

fn position_of(row: ParticleRow) -> vec3f {
    if row.body == NONE {
        // A free particle is its own proxy.
        let head = row.proxy * candidate_row(params.candidate_capacity);
        return bitcast<vec3f>(vec3u(candidates[head + 1u], candidates[head + 2u], candidates[head + 3u]));
    }
    return bodies[row.body].center + rotate(bodies[row.body].rotation, row.local.xyz);
}

// Radius and margin.
fn reach_of(row: ParticleRow) -> f32 {
    if row.body == NONE {
        return bitcast<f32>(candidates[row.proxy * candidate_row(params.candidate_capacity) + 4u]);
    }
    return row.local.w + ring_reach(row) + bodies[row.body].margin;
}

fn meets_ball(body: u32, position: vec3f, own_reach: f32) -> bool {
    let bound = own_reach + bodies[body].margin + body_properties[body].reach;
    return distance(position, bodies[body].center) < bound;
}

fn meets_body(body: u32, position: vec3f, own_reach: f32) -> bool {
    let local = rotate_back(bodies[body].rotation, position - bodies[body].center);
    return shape_at(body_properties[body].shape, local).w < own_reach + bodies[body].margin;
}

fn meets_particle(index: u32, position: vec3f, own_reach: f32) -> bool {
    let other = particle_rows[index];
    var bound = own_reach + reach_of(other);
    if group_of(row.phase) != 0u && group_of(row.phase) == group_of(other.phase) {
        let size = row.local.w + other.local.w;
        // Parts of one object that rest closer than they are large are kept apart by what joins them; all move much alike.
        bound = select(0.5 * (bound + size), 0.0, distance(row.local.xyz, other.local.xyz) < ALIKE * size);
    }
    return distance(position, position_of(other)) < bound;
}
