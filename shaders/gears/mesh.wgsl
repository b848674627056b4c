#import "common/params"
#import "common/body"
#import "articulations/joint"
#import "articulations/node"
// Ties of two joints: the second goes `ratio` times as far as the first, about its axis or along it. C = x₂ - r x₁ - what it was when
// the first substep began, counted over all turns; ∇C by the bodies of a hinge is ± its axis, by those of a slider ± its axis through the
// point of b. A motor that has torque left holds its joint while the other one follows.
// One workgroup takes all of them, color after color.

struct Gear {
    first: u32,                // joints
    second: u32,
    ratio: f32,
    meshes: u32,               // 1 once it knows where its joints are
    at_first: f32,             // where they were last [rad] or [m]
    at_second: f32,
    error: f32,                // C [rad] or [m]
    first_node: u32,           // of the joints in their trees, NONE where they close loops
    second_node: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> joints: array<Joint>;
@group(1) @binding(3) var<storage, read> joint_states: array<JointState>;
@group(1) @binding(4) var<storage, read_write> gears: array<Gear>;
// How many colors there are, where each begins here, and the end; then gears, by color.
@group(1) @binding(5) var<storage, read> gear_colors: array<u32>;
@group(1) @binding(6) var<storage, read_write> body_pseudo_motions: array<PseudoMotion>;
@group(1) @binding(7) var<storage, read> joint_nodes: array<JointNode>;

const GEAR_THREADS: u32 = 32u;
// Fastest return of what is off beyond what moves in the substep [rad/s] or [m/s].
const MESH_SPEED: f32 = 1.0;
const PI: f32 = 3.14159265;
// Least part of what the tie gives way that is the other joint's, or a motor holds nothing: that one does not move.
const FOLLOWS: f32 = 1e-7;

// How C changes with a motion of a body.
struct Lever {
    linear: vec3f,
    angular: vec3f,
}

// A body that the joints have, and what of its lever is of each of them.
struct Side {
    body: u32,
    first: Lever,
    second: Lever,
}

// C as the motion of this substep has changed it, by velocity and without.
struct Change {
    slip: f32,
    shifted: f32,
}

// How much C gives way to an impulse along the levers of each joint, and of one by the other.
struct Mobility {
    first: f32,
    second: f32,
    between: f32,
}

// Impulses along the levers of each joint.
struct Impulses {
    first: f32,
    second: f32,
}

var<private> sides: array<Side, 4>;

@compute @workgroup_size(GEAR_THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
    let colors = gear_colors[0];
    for (var color = 0u; color < colors; color++) {
        for (var i = gear_colors[1u + color] + local; i < gear_colors[2u + color]; i += GEAR_THREADS) {
            mesh(gear_colors[i]);
        }
        storageBarrier();
    }
}

fn mesh(i: u32) {
    let gear = gears[i];
    if joint_states[gear.first].broken != 0u || joint_states[gear.second].broken != 0u {
        // Where it meshes next is another place.
        gears[i].meshes = 0u;
        return;
    }
    let at_first = pull(0u, joints[gear.first], -gear.ratio);
    let at_second = pull(2u, joints[gear.second], 1.0);
    gather();
    let change = measured();
    let gone = way_between(gear.at_second, at_second, joints[gear.second])
        - gear.ratio * way_between(gear.at_first, at_first, joints[gear.first]);
    let error = select(change.slip + change.shifted, gear.error + gone, gear.meshes != 0u);
    gears[i].meshes = 1u;
    gears[i].at_first = at_first;
    gears[i].at_second = at_second;
    gears[i].error = error;
    close(error, change, vec2f(spare(gear.first_node) / abs(gear.ratio), spare(gear.second_node)));
}

// What the motor of a joint has left.
fn spare(node: u32) -> f32 {
    if node == NONE {
        return 0.0;
    }
    return joint_nodes[node].spare;
}

// Takes in the levers of the two bodies of a joint, `share` times; returns where it is [rad] or [m].
fn pull(k: u32, joint: Joint, share: f32) -> f32 {
    let a = bodies[joint.body_a];
    let b = bodies[joint.body_b];
    let frame_a = quat_mul(a.rotation, joint.frame_a);
    let n = rotate(frame_a, vec3f(1.0, 0.0, 0.0));
    if joint.travelling == TRAVELS_NOT {
        take(k, joint.body_a, Lever(vec3f(0.0), -share * n));
        take(k + 1u, joint.body_b, Lever(vec3f(0.0), share * n));
        let turned = quat_mul(quat_conjugate(frame_a), quat_mul(b.rotation, joint.frame_b));
        return 2.0 * angle_of(turned.x, turned.w);
    }
    let arm_b = rotate(b.rotation, joint.middle_b);
    let arm_a = (b.center - a.center) + arm_b;
    take(k, joint.body_a, Lever(-share * n, -share * cross(arm_a, n)));
    take(k + 1u, joint.body_b, Lever(share * n, share * cross(arm_b, n)));
    return dot(n, arm_a - rotate(a.rotation, joint.middle_a));
}

// The first two are those of the first joint.
fn take(k: u32, body: u32, lever: Lever) {
    sides[k] = Side(body, lever, Lever());
    if k >= 2u {
        sides[k] = Side(body, Lever(), lever);
    }
}

// From one place of a joint to another, the shorter way round.
fn way_between(before: f32, now: f32, joint: Joint) -> f32 {
    let way = now - before;
    return select(way, way - 2.0 * PI * round(way / (2.0 * PI)), joint.travelling == TRAVELS_NOT);
}

fn lever_sum(a: Lever, b: Lever) -> Lever {
    return Lever(a.linear + b.linear, a.angular + b.angular);
}

// A body that both joints have is one.
fn gather() {
    for (var k = 1u; k < 4u; k++) {
        for (var j = 0u; j < k; j++) {
            if sides[j].body == sides[k].body {
                sides[j].first = lever_sum(sides[j].first, sides[k].first);
                sides[j].second = lever_sum(sides[j].second, sides[k].second);
                sides[k].first = Lever();
                sides[k].second = Lever();
            }
        }
    }
}

fn measured() -> Change {
    var change: Change;
    for (var k = 0u; k < 4u; k++) {
        let lever = lever_sum(sides[k].first, sides[k].second);
        let body = bodies[sides[k].body];
        let shift = body_pseudo_motions[sides[k].body];
        change.slip += params.substep_dt * (dot(lever.linear, body.velocity) + dot(lever.angular, body.angular_velocity));
        change.shifted += dot(lever.linear, shift.linear.xyz) + dot(lever.angular, rotation_vector(shift.rotation));
    }
    return change;
}

// Of a body along one lever by an impulse along another.
fn yields(body: Body, p: BodyProperties, along: Lever, by: Lever) -> f32 {
    return body.inv_mass * dot(along.linear, free_way(p, by.linear))
        + dot(along.angular, inverse_inertia_times(p, body.rotation, by.angular));
}

fn mobility_of_sides() -> Mobility {
    var mobility: Mobility;
    for (var k = 0u; k < 4u; k++) {
        let side = sides[k];
        let body = bodies[side.body];
        if body.inv_mass != 0.0 {
            let p = body_properties[side.body];
            mobility.first += yields(body, p, side.first, side.first);
            mobility.second += yields(body, p, side.second, side.second);
            mobility.between += yields(body, p, side.first, side.second);
        }
    }
    return mobility;
}

// Impulses that undo `error`. The motor that has more left takes what its joint would get, up to that: all moves by the other joint.
fn undone(error: f32, m: Mobility, spares: vec2f) -> Impulses {
    let holds_first = spares.x > spares.y;
    let all = m.first + 2.0 * m.between + m.second;
    let other = m.between + select(m.first, m.second, holds_first);
    let spare = max(spares.x, spares.y);
    if spare <= 0.0 || other <= FOLLOWS * all {
        return Impulses(-error / all, -error / all);
    }
    var impulse = -error / other;
    if abs(impulse) > spare {
        impulse = sign(impulse) * (abs(error) + spare * (all - other)) / all;
    }
    let kept = impulse - clamp(impulse, -spare, spare);
    return Impulses(select(impulse, kept, holds_first), select(kept, impulse, holds_first));
}

// Moves the bodies so that C is 0. What was shifted without velocity is brought back so.
fn close(error: f32, change: Change, spares: vec2f) {
    let mobility = mobility_of_sides();
    if mobility.first + 2.0 * mobility.between + mobility.second <= 0.0 {
        return;
    }
    let most = MESH_SPEED * params.substep_dt;
    let slip = change.slip;
    let shifted = change.shifted;
    let impulses = undone(clamp(error, slip + shifted - most, slip + shifted + most), mobility, spares);
    let impulses_velocity = undone(clamp(error - shifted, slip - most, slip + most), mobility, spares);
    for (var k = 0u; k < 4u; k++) {
        push_side(sides[k], impulses, impulses_velocity);
    }
}

fn push_side(side: Side, impulses: Impulses, impulses_velocity: Impulses) {
    let body = bodies[side.body];
    let linear = impulses.first * side.first.linear + impulses.second * side.second.linear;
    let angular = impulses.first * side.first.angular + impulses.second * side.second.angular;
    if body.inv_mass == 0.0 || (all(linear == vec3f(0.0)) && all(angular == vec3f(0.0))) {
        return;
    }
    let p = body_properties[side.body];
    let push = Push(linear, angular,
        impulses_velocity.first * side.first.linear + impulses_velocity.second * side.second.linear,
        impulses_velocity.first * side.first.angular + impulses_velocity.second * side.second.angular);
    let shift = pseudo_moved(body_pseudo_motions[side.body], body, p, push);
    body_pseudo_motions[side.body].linear = shift.linear;
    body_pseudo_motions[side.body].rotation = shift.rotation;
    let pushed = body_pushed(body, p, push, params.substep_dt);
    bodies[side.body].center = pushed.center;
    bodies[side.body].rotation = pushed.rotation;
    bodies[side.body].velocity = pushed.velocity;
    bodies[side.body].angular_velocity = pushed.angular_velocity;
}
