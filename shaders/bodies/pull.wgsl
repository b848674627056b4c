#import "common/params"
#import "common/body"
#import "common/thread"
// One thread per pulled body, at the start of a substep. A damped spring draws it towards a pose that moves, along the ground and about
// all axes, with the force and the torque that it has at most; wakes it.

struct Pull {
    goal: vec3f,               // center when the frame ends [m]
    rate: f32,                 // frequency of the spring [1/s]
    rotation: vec4f,           // then
    velocity: vec3f,           // of the goal [m/s]
    mass: f32,                 // [kg]
    spin: vec3f,               // of the goal [rad/s]
    most_force: f32,           // [N]
    most_torque: f32,          // [N m]
    body: u32,
    count: u32,                // of rows, in the first one
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> batch: Batch;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> pulls: array<Pull>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = global_index(id, groups);
    if i >= pulls[0].count {
        return;
    }
    let pull = pulls[i];
    let p = body_properties[pull.body];
    if p.inv_mass == 0.0 || (p.flags & BODY_REMOVED) != 0u {
        return;
    }
    var b = bodies[pull.body];
    b.inv_mass = p.inv_mass;
    b.rest_time = 0.0;
    // Where the goal is now, at the start of the substep.
    let h = params.substep_dt;
    let left = params.dt - batch.time + h;
    let off = along_ground(pull.goal - left * pull.velocity - b.center);
    let closing = along_ground(pull.velocity - b.velocity);
    let force = shortened(pull.mass * damped(off, closing, pull.rate), pull.most_force);
    let goal = turn(pull.rotation, -left * pull.spin);
    let turned = rotation_vector(quat_mul(goal, quat_conjugate(b.rotation)));
    let speeding = damped(turned, pull.spin - b.angular_velocity, pull.rate);
    // What hangs on the body turns with it.
    let carried = pull.mass * p.inv_mass;
    let torque = shortened(carried * inertia_times(p, b.rotation, speeding), pull.most_torque);
    let momentum = inertia_times(p, b.rotation, b.angular_velocity) + h * torque;
    b.velocity = shortened(b.velocity + h * p.inv_mass * free_way(p, force), params.max_speed);
    b.angular_velocity = shortened(inverse_inertia_times(p, b.rotation, momentum), 0.5 / h);
    bodies[pull.body] = b;
}

// Acceleration of a spring that does not swing over.
fn damped(off: vec3f, closing: vec3f, rate: f32) -> vec3f {
    return rate * (rate * off + 2.0 * closing);
}

// What of it gravity does not work on; all where there is none.
fn along_ground(v: vec3f) -> vec3f {
    let g = params.gravity;
    let square = dot(g, g);
    return select(v - g * (dot(g, v) / max(square, 1e-30)), v, square == 0.0);
}
