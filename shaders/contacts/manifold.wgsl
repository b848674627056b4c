#import "contacts/side"
#import "common/friction"
// All contacts of one pair, on copies of the two bodies that carry 1/n of their mass, n being the pairs that share a
// body (mass splitting, Tonge et al. 2012). Jacobi with several sweeps: one after the other, the first contacts of a flat
// face would take the load and the body would rock. The including kernel declares `params`. Normals point from b to a.

var<private> push_a: Push;     // impulses on a, and on b
var<private> push_b: Push;
var<private> warm_start_a: WarmStart; // what the next substep begins with
var<private> warm_start_b: WarmStart;

var<private> share: f32;       // of a correction that each touching contact makes

// Of bodies that are deep in one another, surfaces tell no more where out is: contacts of the far side pull one through the other,
// and those beside hold them by friction. What is deep is moved along the mean normal of all, in the last sweep.
var<private> parts: bool;      // whether a pair can be that deep
var<private> normals: vec3f;   // sum of those of its touching contacts
var<private> deep: f32;        // how many are deep

// Most friction of a pair. With more, the friction of an edge that slides presses the edge down, which makes more of it: a box that slides
// would gain speed (Painlevé 1895).
const STEEPEST: f32 = 1.5;

// A contact this deep bears no load that rests on it [radii].
const PRESSED: f32 = 0.5;
// A contact this deep is not one of surfaces: its particle's center is in the other body [radii].
const DEEP: f32 = 1.5;

// A contact that a load keeps this deep begins the next substep with a share of its normal impulse, the whole share at
// twice the depth [radii]: shallower ones would rock a tower.
const WARM_START_DEPTH: f32 = 0.01;
// What lasts is late by 1 / (1 - share) substeps, and a force that comes late throws back more than fell on it: with 0.8 a tower of
// fifteen boxes shakes itself to pieces. Where joints press on a body it bears them too, and needs the more.
const WARM_START_SHARE: f32 = 0.5;
const WARM_START_SHARE_TIED: f32 = 0.8;
// One that opens begins with less by this many times what would stop that, which ends what is left of the swinging. Hands that catch a
// fall would give way by it.
const WARM_START_EASING: f32 = 2.0;
// It grows in a substep by this many times what would bear the two bodies alone: an impact is not repeated.
const WARM_START_GROWTH: f32 = 4.0;
// What strikes something parts as fast as its restitution says although others share its mass, each with a part of what that takes: by
// and by, until it has this part of the speed, or the impulse of an impact of the two alone is spent.
const BOUNCED: f32 = 0.98;
// Sweeps over a pair's contacts.
const SWEEPS: u32 = 2u;

// One over the number of touching contacts is always stable; a face of three or more bears half as much again, because
// its contacts turn the body as well as move it. Two such sweeps leave a few percent of the overlap of a flat face.
fn share_of(touching: f32) -> f32 {
    return select(1.5, 1.0, touching < 3.0) / max(touching, 1.0);
}

fn pushed(impulse: vec3f, velocity_part: vec3f, arm_a: vec3f, arm_b: vec3f) {
    push_a.linear += impulse;
    push_a.angular += cross(arm_a, impulse);
    push_a.velocity_linear += velocity_part;
    push_a.velocity_angular += cross(arm_a, velocity_part);
    push_b.angular -= cross(arm_b, impulse);
    push_b.velocity_angular -= cross(arm_b, velocity_part);
}

fn add_warm_start(impulse: vec3f, arm_a: vec3f, arm_b: vec3f) {
    warm_start_a = WarmStart(warm_start_a.linear + impulse, warm_start_a.angular + cross(arm_a, impulse));
    warm_start_b = WarmStart(warm_start_b.linear - impulse, warm_start_b.angular - cross(arm_b, impulse));
}

// The way along which two bodies part; any is as good where they are the same.
fn way_apart() -> vec3f {
    let way = select(select(vec3f(0.0, 1.0, 0.0), a.center - b.center, distance(a.center, b.center) > LEAST_STRETCH), normals,
        length(normals) > 0.01);
    return normalize(way);
}

// Most normal impulse of a contact. A body that is held with an end to its strength stops what comes at it by itself, and presses with no
// more than its force: a foot that treads a crate into the ground without end would have it thrown back.
fn most_pressed(arm_a: vec3f, arm_b: vec3f, n: vec3f, weight: f32) -> f32 {
    let force_a = bitcast<f32>(a.flags & HELD_FORCE);
    let force = max(force_a, bitcast<f32>(b.flags & HELD_FORCE));
    if force == 0.0 {
        return 1e30;
    }
    let toward_b = -dot(a.velocity + cross(a.spin, arm_a), n);
    let toward_a = dot(b.velocity + cross(b.spin, arm_b), n);
    let coming = max(select(toward_b, toward_a, force_a > 0.0), 0.0);
    let h = params.substep_dt;
    return h * (coming * (1.0 + max(a.restitution, b.restitution)) / weight + share * force * h);
}

// One deep contact, in the last sweep.
fn part(slot: u32, arm_a: vec3f, arm_b: vec3f) {
    let h = params.substep_dt;
    let n = way_apart();
    let weight = pair_weight(arm_a, arm_b, n);
    let relative = a.velocity + cross(a.spin, arm_a) - b.velocity - cross(b.spin, arm_b);
    let moved = a.shift + cross(a.turn, arm_a) - b.shift - cross(b.turn, arm_b);
    let speed = min(params.depenetration_speed, min(a.push_speed, b.push_speed));
    let opening = min(-contacts[slot].separation, speed * h - dot(relative, n) * h);
    let most = most_pressed(arm_a, arm_b, n, weight);
    let impulse = clamp(min(share, 1.0 / deep) * (opening - dot(moved, n)) / weight, 0.0, most);
    pushed(n * impulse, n * impulse, arm_a, arm_b);
    contacts[slot].impulse = vec3f(0.0);
    contacts[slot].normal_impulse = impulse;
    contacts[slot].hold = 0.0;
    contacts[slot].warm_start = 0.0;
}

// Ends a sweep: the next one sees what this one did.
fn sweep_done() {
    a.shift = a.inv_mass * unlocked(a.flags, LOCKED_BITS, push_a.linear);
    b.shift = -b.inv_mass * unlocked(b.flags, LOCKED_BITS, push_a.linear);
    a.turn = a.inverse_inertia * push_a.angular;
    b.turn = b.inverse_inertia * push_b.angular;
}

// Whether a contact of a touching pair touches. A short gap keeps the grip, so that a shaking contact does not creep.
fn touches(slot: u32) -> bool {
    let touching = contacts[slot].touching != APART;
    if !touching && contacts[slot].separation > GRIP_KEPT * params.particle_radius {
        contacts[slot].hold = 0.0;
    }
    return touching;
}

// Begins an impact at this speed of approach [m/s], `after` of the substep before its end, or ends one.
fn strike(slot: u32, approach: f32, after: f32, arm_a: vec3f, arm_b: vec3f, n: vec3f) {
    let restitution = max(a.restitution, b.restitution);
    let impulse = params.substep_dt / whole_weight(arm_a, arm_b, n);
    if contacts[slot].arm > 0.0 {
        let spent = contacts[slot].other_arm < (1.0 - BOUNCED) * impulse * contacts[slot].arm;
        if spent || -approach > BOUNCED * contacts[slot].arm {
            contacts[slot].arm = 0.0;
        }
    } else if approach > params.restitution_speed && restitution > 0.0 {
        // Its speed is that of the middle of the substep: weight has added to it until the impact, and slows it from there on.
        let weighs = select(0.0, max(-dot(params.gravity, n), 0.0), b.inv_mass == 0.0);
        let falls = weighs * params.substep_dt * (after - 0.5);
        contacts[slot].arm = max(restitution * (approach - falls) - falls, 0.0);
        contacts[slot].other_arm = impulse * (1.0 + restitution) * approach;
    }
}

// One touching contact; `owner_is_a` tells whose particle it is. `first` starts its impulses from nothing, `last` settles
// its grip.
fn solve_contact(slot: u32, owner_is_a: bool, first: bool, last: bool) {
    let h = params.substep_dt;
    let side = select(-1.0, 1.0, owner_is_a);
    let n = side * contacts[slot].normal;
    let separation = contacts[slot].separation;
    let point = contacts[slot].point;
    let arm_a = point - a.center;
    let arm_b = point - b.center;
    let weight = pair_weight(arm_a, arm_b, n);
    if weight == 0.0 {
        return;
    }
    normals += select(vec3f(0.0), n, first);
    if parts && separation < -DEEP * params.particle_radius {
        deep += select(0.0, 1.0, first);
        if last {
            part(slot, arm_a, arm_b);
        }
        return;
    }
    let warm_start = batch.lasting * contacts[slot].warm_start;
    var before = vec4f(0.0, 0.0, 0.0, warm_start);
    if !first {
        before = vec4f(contacts[slot].impulse, contacts[slot].normal_impulse);
    }
    let relative = a.velocity + cross(a.spin, arm_a) - b.velocity - cross(b.spin, arm_b);
    let closing = -dot(relative, n) * h;
    let approach = max(closing, 0.0);

    // Normal: λ = -C / w, never pulling. Old overlap opens at depenetration_speed and no faster, or it would throw.
    let speed = min(params.depenetration_speed, min(a.push_speed, b.push_speed));
    let opening = max(closing + speed * h, 0.0);
    var wanted = min(-separation, opening);
    var most_velocity = warm_start + opening / weight;
    if separation < -PRESSED * params.particle_radius {
        // No load has pressed it in so far: what parts faster takes back what it began with.
        wanted = min(wanted, closing + speed * h);
    }
    // Part of the substep until they meet.
    let before_impact = saturate((separation + closing) / max(closing, 1e-12));
    if first {
        strike(slot, closing / h, 1.0 - before_impact, arm_a, arm_b, n);
    }
    let bounce = h * contacts[slot].arm;
    if approach > params.restitution_speed * h {
        wanted = max(wanted, approach);
        most_velocity = 1e30;
    }
    if bounce > 0.0 {
        wanted = max(wanted, 0.0);
        wanted += min(max(closing + bounce - wanted, 0.0), contacts[slot].other_arm * weight / share);
        most_velocity = 1e30;
    }
    let moved = a.shift + cross(a.turn, arm_a) - b.shift - cross(b.turn, arm_b);
    let most = most_pressed(arm_a, arm_b, n, weight);
    let normal_impulse = clamp(before.w + share * (wanted - dot(moved, n)) / weight, 0.0, most);
    let velocity_part = min(normal_impulse, most_velocity) - min(before.w, most_velocity);
    pushed(n * (normal_impulse - before.w), n * velocity_part, arm_a, arm_b);
    var friction = before.xyz;
    // Friction against the stretch between the points that touched when the contact began.
    let runs = h * tangential(b.surface_velocity, n);
    let slide = h * tangential(relative, n) - runs;
    var held = point - side * slide;
    var gripping = point;
    if contacts[slot].hold == 0.0 {
        contacts[slot].anchor = in_frame(held, !owner_is_a);
        contacts[slot].hold = 1.0;
        contacts[slot].grip = in_frame(point, owner_is_a);
    } else {
        held = in_world(contacts[slot].anchor, !owner_is_a);
        let drift = select(vec3f(0.0), runs, first & (batch.iteration == 0u));
        if any(drift != vec3f(0.0)) {
            held += drift;
            contacts[slot].anchor = in_frame(held, !owner_is_a);
        }
        gripping = in_world(contacts[slot].grip, owner_is_a);
    }
    var stretch = side * (gripping - held);
    stretch = tangential(stretch, n);
    let total = stretch + moved - n * dot(moved, n);
    let distance = length(total);
    if distance > LEAST_STRETCH {
        let tangent_weight = pair_weight(arm_a, arm_b, total / distance);
        let mu = min(pair_friction(a.friction, b.friction) * params.friction_scale, STEEPEST);
        let borne = min(normal_impulse, most_velocity);
        let most = most_friction(mu, borne, slide, h, params.dynamic_friction_ratio);
        let free = before.xyz - share * total / tangent_weight;
        friction = shortened(free, most);
        pushed(friction - before.xyz, friction - before.xyz, arm_a, arm_b);
        if last && dot(free, free) > most * most {
            // Beyond the cone it slips: the grip is dragged along until its stretch asks for no more than the cone allows,
            // in all sweeps together.
            let excess = (free - friction) * tangent_weight / (share * f32(SWEEPS));
            let left = stretch + excess;
            contacts[slot].anchor = in_frame(gripping - side * left, !owner_is_a);
            contacts[slot].hold = 1.0;
        }
    }
    contacts[slot].impulse = friction;
    contacts[slot].normal_impulse = normal_impulse;
    if last && bounce > 0.0 {
        // It is thrown back from where it strikes, not from where it was when the substep began.
        pushed(-n * (normal_impulse * before_impact), vec3f(0.0), arm_a, arm_b);
        contacts[slot].other_arm -= normal_impulse;
    }
    if last {
        let growth = WARM_START_GROWTH * length(params.gravity) * h * h / weight;
        let deep = saturate(-separation / (WARM_START_DEPTH * params.particle_radius) - 1.0);
        let borne = min(normal_impulse, most_velocity);
        let eased = WARM_START_EASING * share * min(closing, 0.0) / weight;
        let alone = deep * max(WARM_START_SHARE * borne + eased, 0.0);
        let tied = ((a.flags | b.flags) & BODY_TIED) != 0u;
        let next = min(select(alone, WARM_START_SHARE_TIED * deep * borne, tied), warm_start + growth);
        contacts[slot].warm_start = next;
        add_warm_start(next * n, arm_a, arm_b);
    }
}
