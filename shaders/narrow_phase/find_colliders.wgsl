#import "common/params"
#import "common/grid"
#import "common/contact"
#import "common/control"
#import "common/shape"
#import "common/body"
#import "narrow_phase/listed_before"
#import "narrow_phase/ring"
#import "common/thread"
// One thread per particle; those of bodies only. Lists the colliders and collider triangles within reach until the next search;
// a target that was listed before keeps its anchor.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> particle_rows: array<ParticleRow>;
@group(1) @binding(2) var<storage, read> candidates: array<u32>;
@group(1) @binding(3) var<storage, read> colliders: array<Collider>;
@group(1) @binding(4) var<storage, read> shapes: array<vec4u>;
@group(1) @binding(5) var<storage, read_write> contacts: array<Contact>;
@group(1) @binding(6) var<storage, read_write> contact_targets: array<u32>;
@group(1) @binding(7) var<storage, read_write> control: Control;

// What of a contact lasts over a search.
struct Lasting {
    anchor: vec4f,             // w: whether it holds
    grip: vec4f,               // w: warm start [kg m]
    bounce: vec2f,             // of an impact: how fast it lets them part, and what is left of its impulse
}

var<private> old_targets: array<u32, COLLIDER_SLOTS>;
var<private> old_grips: array<Lasting, COLLIDER_SLOTS>;
var<private> old_count: u32;
var<private> gaps: array<f32, COLLIDER_SLOTS>; // from the particle's center to each that is listed [m]
var<private> found: u32;
var<private> left_out: bool;     // whether some found no slot
var<private> again: bool;        // what is not listed is looked at again
var<private> way: f32;           // how far the particle may go before it meets something of that [m]
var<private> size: f32;          // of what meets the colliders [m]
var<private> rotation: vec4f;    // of the collider that is looked at
var<private> particle: u32;
var<private> first_target: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= params.particle_count || particle_rows[i].body == NONE {
        return;
    }
    particle = i;
    first_target = target_base(i, params.contact_slots) + params.contact_capacity;
    let count_word = target_base(i, params.contact_slots) - 2u;
    old_count = contact_targets[count_word] & 0xffffu;
    for (var k = 0u; k < old_count; k++) {
        old_targets[k] = contact_targets[first_target + k];
        let slot = slot_at(i, params.contact_capacity + k, params.particle_count);
        old_grips[k] = Lasting(vec4f(contacts[slot].anchor, contacts[slot].hold), vec4f(contacts[slot].grip, contacts[slot].warm_start),
            vec2f(contacts[slot].arm, contacts[slot].other_arm));
    }
    found = 0u;
    left_out = false;
    again = false;
    let row = particle_rows[i];
    loop {
        find_all(row);
        if again || !left_out {
            break;
        }
        again = true;
        way = bodies[row.body].margin;
    }
    if left_out {
        atomicMax(&control.shortage, ordered_bits(bodies[row.body].margin - max(way, 0.0)));
    }
    contact_targets[count_word] = (contact_targets[count_word] & 0xffff0000u) | found;
}

fn find_all(row: ParticleRow) {
    let head = row.proxy * candidate_row(params.candidate_capacity);
    let candidate_count = candidates[head] & 0xffffu;
    if candidate_count == 0u || (row.phase & PHASE_GHOST) != 0u {
        return;
    }
    let b = bodies[row.body];
    for (var k = 0u; k < candidate_count; k++) {
        let c = candidates[head + candidate_collider(k, params.candidate_capacity)] & TARGET_INDEX;
        let collider = collider_at(colliders[c], batch.time);
        var position = b.center + rotate(b.rotation, row.local.xyz);
        size = row.local.w + ring_reach(row);
        if is_of_ball(row) && rolls_over(row, collider.shape) {
            if !stands_for_ball(row) || is_listed_before(row, TARGET_COLLIDER | c) {
                continue;
            }
            position = b.center;
            size = ball_radius(row);
        }
        rotation = collider.rotation;
        let local = rotate_back(collider.rotation, position - collider.position);
        if is_of(collider.shape, SHAPE_MESH) {
            find_triangles(collider.shape, local, size + b.margin);
        } else {
            find_solid(c, collider.shape, local, size + b.margin);
        }
    }
}

fn find_solid(index: u32, shape: u32, local: vec3f, reach: f32) {
    let at = shape_at(shape, local);
    if at.w >= reach {
        return;
    }
    if !again {
        list(TARGET_COLLIDER | index, at);
    } else if !listed(TARGET_COLLIDER | index) {
        leave_out(at.w - size);
    }
}

// Of more than there are slots for the nearest are listed.
fn list(contact: u32, at: vec4f) {
    var place = found;
    if found >= COLLIDER_SLOTS {
        left_out = true;
        place = farthest();
        if at.w >= gaps[place] {
            return;
        }
    } else {
        found += 1u;
    }
    gaps[place] = at.w;
    var kept = Lasting();
    for (var k = 0u; k < old_count; k++) {
        if old_targets[k] == contact {
            kept = old_grips[k];
        }
    }
    contact_targets[first_target + place] = contact;
    let slot = slot_at(particle, params.contact_capacity + place, params.particle_count);
    contacts[slot].normal = rotate(rotation, at.xyz);
    contacts[slot].anchor = kept.anchor.xyz;
    contacts[slot].hold = kept.anchor.w;
    contacts[slot].grip = kept.grip.xyz;
    contacts[slot].warm_start = kept.grip.w;
    contacts[slot].arm = kept.bounce.x;
    contacts[slot].other_arm = kept.bounce.y;
    contacts[slot].touching = APART;
}

// Contacts are searched again before the particle has gone so far [m] and meets what is left out; what it meets already is missed.
fn leave_out(ahead: f32) {
    way = min(way, ahead);
    if ahead < -CONTACT_SLOP * size {
        atomicAdd(&control.colliders_dropped, 1u);
    }
}

// How far the particle at `p` may go before it meets a triangle that is left out [m], `at` from there. One that goes on with the surface
// under the particle, or falls away from it, is met where it begins; one that rises above that surface by so much sooner.
fn way_to(triangle: u32, p: vec3f, at: vec4f) -> f32 {
    let nearest = nearest();
    let up = rotate_back(rotation, contacts[slot_at(particle, params.contact_capacity + nearest, params.particle_count)].normal);
    var rise = 0.0;
    for (var k = 0u; k < 3u; k++) {
        rise = max(rise, dot(bitcast<vec4f>(shapes[triangle + k]).xyz - p, up) + gaps[nearest]);
    }
    let beside = length(at.xyz - up * dot(at.xyz, up)) * at.w;
    let begins = select(at.w - size, beside - sqrt(rise * (2.0 * size - rise)), rise < size);
    return max(begins, at.w - size);
}

fn nearest() -> u32 {
    var place = 0u;
    for (var k = 1u; k < found; k++) {
        place = select(place, k, gaps[k] < gaps[place]);
    }
    return place;
}

// Of several that are as far the last.
fn farthest() -> u32 {
    var place = 0u;
    for (var k = 1u; k < COLLIDER_SLOTS; k++) {
        place = select(place, k, gaps[k] >= gaps[place]);
    }
    return place;
}

// Walks the cells of the mesh's own grid that a ball of radius `reach` touches. A triangle sits in every cell that
// its box overlaps, so it is taken only in the first of them that this walk meets.
fn find_triangles(shape: u32, p: vec3f, reach: f32) {
    let frame = bitcast<vec4f>(shapes[4u * shape + 2u]);
    let size = vec3i(shapes[4u * shape + 3u].xyz);
    let first_cell = shapes[4u * shape].y;
    let low = max(vec3i(floor((p - reach - frame.xyz) / frame.w)), vec3i(0));
    let high = min(vec3i(floor((p + reach - frame.xyz) / frame.w)), size - 1);
    for (var z = low.z; z <= high.z; z++) {
        for (var y = low.y; y <= high.y; y++) {
            for (var x = low.x; x <= high.x; x++) {
                let cell = shapes[first_cell + u32((z * size.y + y) * size.x + x)];
                for (var k = 0u; k < cell.y; k++) {
                    let triangle = shapes[cell.x + k].x;
                    let at = triangle_at(triangle, p);
                    if at.w >= reach || listed(TARGET_TRIANGLE | triangle) {
                        continue;
                    }
                    if again {
                        leave_out(way_to(triangle, p, at));
                    } else {
                        list(TARGET_TRIANGLE | triangle, at);
                    }
                }
            }
        }
    }
}

fn listed(contact: u32) -> bool {
    for (var k = 0u; k < found; k++) {
        if contact_targets[first_target + k] == contact {
            return true;
        }
    }
    return false;
}
