#import "common/params"
#import "common/body"
#import "common/response"
#import "common/contact"
// The two sides of a pair in contact: copies of its bodies that carry 1/n of their mass, n being the pairs that share a
// body, or the static and moving world. Normals point from b to a.

struct Side {
    center: vec3f,
    rotation: vec4f,
    velocity: vec3f,
    spin: vec3f,
    inv_mass: f32,             // n / M, 0 when it cannot be moved
    inverse_inertia: mat3x3f,  // n I⁻¹
    friction: f32,
    restitution: f32,
    push_speed: f32,           // fastest that its overlaps open [m/s]
    flags: u32,                // of the body
    shift: vec3f,              // how far earlier sweeps moved it [m]
    turn: vec3f,               // and turned it [rad]
    surface_velocity: vec3f,   // of its surface along itself [m/s]
    shares: f32,               // n
}

var<private> a: Side;
var<private> b: Side;

// One that is struck in its sleep gives way as it does awake: it wakes when all is summed up.
fn body_side(struck: Body, p: BodyProperties, load: u32, scale: f32) -> Side {
    var body = struck;
    if (load & LOAD_WAKE) != 0u {
        body.inv_mass = p.inv_mass;
    }
    let n = max(load_shares(load), 1.0) * scale;
    return Side(body.center, body.rotation, body.velocity, body.angular_velocity, n * body.inv_mass,
        n * turn_response(body, p), p.friction, p.restitution, p.push_speed, p.flags, vec3f(0.0), vec3f(0.0), vec3f(0.0), n);
}

fn collider_side(c: Collider) -> Side {
    return Side(c.position, c.rotation, c.velocity, c.angular_velocity, 0.0, mat3x3f(), c.friction,
        c.restitution, 1e30, 0u, vec3f(0.0), vec3f(0.0), rotate(c.rotation, c.surface_velocity), 1.0);
}

fn pair_weight(arm_a: vec3f, arm_b: vec3f, n: vec3f) -> f32 {
    let ra = cross(arm_a, n);
    let rb = cross(arm_b, n);
    var inv_masses = vec2f(a.inv_mass, b.inv_mass);
    if LOCKS {
        inv_masses *= vec2f(dot(n, unlocked(a.flags, LOCKED_BITS, n)), dot(n, unlocked(b.flags, LOCKED_BITS, n)));
    }
    return inv_masses.x + dot(ra, a.inverse_inertia * ra) + inv_masses.y + dot(rb, b.inverse_inertia * rb);
}

// As if nothing else touched the two.
fn whole_weight(arm_a: vec3f, arm_b: vec3f, n: vec3f) -> f32 {
    let ra = cross(arm_a, n);
    let rb = cross(arm_b, n);
    return (a.inv_mass + dot(ra, a.inverse_inertia * ra)) / a.shares + (b.inv_mass + dot(rb, b.inverse_inertia * rb)) / b.shares;
}

fn in_frame(point: vec3f, of_a: bool) -> vec3f {
    return rotate_back(select(b.rotation, a.rotation, of_a), point - select(b.center, a.center, of_a));
}

fn in_world(local: vec3f, of_a: bool) -> vec3f {
    return select(b.center, a.center, of_a) + rotate(select(b.rotation, a.rotation, of_a), local);
}
