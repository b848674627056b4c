#import "common/params"
#import "common/body"
#import "common/contact"
// All contacts of one pair, on copies of the two bodies that carry 1/n of their mass, n being the pairs that share a
// body (mass splitting, Tonge et al. 2012). Jacobi with several sweeps: one after the other, the first contacts of a flat
// face would take the load and the body would rock. The including kernel declares `params`. Normals point from b to a.

struct Side {
    center: vec3f,
    rotation: vec4f,
    velocity: vec3f,
    spin: vec3f,
    inv_mass: f32,             // n / M, 0 when it cannot be moved
    inverse_inertia: mat3x3f,  // n I⁻¹
    friction: f32,
    restitution: f32,
    shift: vec3f,              // how far earlier sweeps moved it [m]
    turn: vec3f,               // and turned it [rad]
}

var<private> a: Side;
var<private> b: Side;
var<private> push_a: Push;     // impulses on a, and on b
var<private> push_b: Push;

var<private> share: f32;       // of a correction that each touching contact makes: one over their number

// Sweeps over a pair's contacts. One leaves about half of the overlap of a flat face, four a few percent.
const SWEEPS: u32 = 4u;
// Tangential speed from which friction is dynamic [m/s]. Below it contacts trade load by creeping.
const SLIDING: f32 = 0.1;

fn body_side(body: Body, p: BodyProperties, load: u32, scale: f32) -> Side {
    let n = f32(max(load & ~LOAD_WAKE, 1u)) * scale;
    var inertia = mat3x3f();
    if body.center.w != 0.0 {
        inertia = mat3x3f(
            n * inverse_inertia_times(p, body.rotation, vec3f(1.0, 0.0, 0.0)),
            n * inverse_inertia_times(p, body.rotation, vec3f(0.0, 1.0, 0.0)),
            n * inverse_inertia_times(p, body.rotation, vec3f(0.0, 0.0, 1.0)),
        );
    }
    return Side(body.center.xyz, body.rotation, body.velocity.xyz, body.angular_velocity.xyz, n * body.center.w,
        inertia, p.inertia.w, p.inertia_off.w, vec3f(0.0), vec3f(0.0));
}

fn collider_side(c: Collider) -> Side {
    return Side(c.position.xyz, c.rotation, c.velocity.xyz, c.angular_velocity.xyz, 0.0, mat3x3f(), c.position.w,
        c.velocity.w, vec3f(0.0), vec3f(0.0));
}

fn pair_weight(arm_a: vec3f, arm_b: vec3f, n: vec3f) -> f32 {
    let ra = cross(arm_a, n);
    let rb = cross(arm_b, n);
    return a.inv_mass + dot(ra, a.inverse_inertia * ra) + b.inv_mass + dot(rb, b.inverse_inertia * rb);
}

fn pushed(impulse: vec3f, made: vec3f, arm_a: vec3f, arm_b: vec3f) {
    push_a.linear += impulse;
    push_a.angular += cross(arm_a, impulse);
    push_a.made_linear += made;
    push_a.made_angular += cross(arm_a, made);
    push_b.angular -= cross(arm_b, impulse);
    push_b.made_angular -= cross(arm_b, made);
}

// Ends a sweep: the next one sees what this one did.
fn sweep_done() {
    a.shift = a.inv_mass * push_a.linear;
    b.shift = -b.inv_mass * push_a.linear;
    a.turn = a.inverse_inertia * push_a.angular;
    b.turn = b.inverse_inertia * push_b.angular;
}

// One contact; `owner_is_a` tells whose particle it is. `first` starts its impulses from nothing, `last` settles its grip.
fn solve_contact(slot: u32, owner_is_a: bool, first: bool, last: bool) {
    if contacts[slot].point.w == 0.0 {
        // A short gap keeps the grip, so that a shaking contact does not creep.
        if first && contacts[slot].normal.w > 0.1 * params.particle_radius {
            contacts[slot].anchor.w = 0.0;
        }
        return;
    }
    var c = contacts[slot];
    let h = params.gravity.w;
    let side = select(-1.0, 1.0, owner_is_a);
    let n = side * c.normal.xyz;
    let arm_a = c.point.xyz - a.center;
    let arm_b = c.point.xyz - b.center;
    let weight = pair_weight(arm_a, arm_b, n);
    if weight == 0.0 {
        return;
    }
    if first {
        c.impulse = vec4f(0.0);
    }
    let relative = a.velocity + cross(a.spin, arm_a) - b.velocity - cross(b.spin, arm_b);
    let approach = max(-dot(relative, n), 0.0) * h;

    // Normal: λ = -C / w, never pulling. Only part of the push out of old overlap becomes velocity.
    var wanted = -c.normal.w;
    var most_made = (approach + params.depenetration_speed * h) / weight;
    if approach > params.restitution_speed * h {
        wanted = max(wanted, approach * (1.0 + max(a.restitution, b.restitution)));
        most_made = 1e30;
    }
    let moved = a.shift + cross(a.turn, arm_a) - b.shift - cross(b.turn, arm_b);
    let normal_impulse = max(c.impulse.w + share * (wanted - dot(moved, n)) / weight, 0.0);
    let made = min(normal_impulse, most_made) - min(c.impulse.w, most_made);
    pushed(n * (normal_impulse - c.impulse.w), n * made, arm_a, arm_b);
    c.impulse.w = normal_impulse;

    // Friction against the stretch between the points that touched when the contact began.
    let slide = h * (relative - n * dot(relative, n));
    if c.anchor.w == 0.0 {
        let held = c.point.xyz - side * slide;
        c.anchor = vec4f(in_frame(held, !owner_is_a), 1.0);
        c.grip = vec4f(in_frame(c.point.xyz, owner_is_a), 0.0);
    }
    let gripping = in_world(c.grip.xyz, owner_is_a);
    var stretch = side * (gripping - in_world(c.anchor.xyz, !owner_is_a));
    stretch -= n * dot(stretch, n);
    let total = stretch + moved - n * dot(moved, n);
    let length = length(total);
    if length > 1e-9 {
        let tangent_weight = pair_weight(arm_a, arm_b, total / length);
        let sliding = dot(slide, slide) > SLIDING * SLIDING * h * h;
        let mu = 0.5 * (a.friction + b.friction) * params.friction_scale;
        let most = mu * min(normal_impulse, most_made) * select(1.0, params.dynamic_friction_ratio, sliding);
        let free = c.impulse.xyz - share * total / tangent_weight;
        let impulse = shortened(free, most);
        pushed(impulse - c.impulse.xyz, impulse - c.impulse.xyz, arm_a, arm_b);
        c.impulse = vec4f(impulse, normal_impulse);
        if last && dot(free, free) > most * most {
            // Beyond the cone the grip is dragged along: what stays is the stretch that this friction answers.
            let left = stretch * (most / sqrt(dot(free, free)));
            c.anchor = vec4f(in_frame(gripping - side * left, !owner_is_a), 1.0);
        }
    }
    contacts[slot] = c;
}

fn in_frame(point: vec3f, of_a: bool) -> vec3f {
    if of_a {
        return rotate_back(a.rotation, point - a.center);
    }
    return rotate_back(b.rotation, point - b.center);
}

fn in_world(local: vec3f, of_a: bool) -> vec3f {
    if of_a {
        return a.center + rotate(a.rotation, local);
    }
    return b.center + rotate(b.rotation, local);
}
