#import "common/params"
#import "common/body"
#import "articulations/joint"
// Ties of two joints: the second goes `ratio` times as far as the first, about its axis or along it. C = x₂ - r x₁ - what it was at
// first, counted over all turns; ∇C by the bodies of a hinge is ± its axis, by those of a slider ± its axis through the point of b.
// One workgroup takes all of them, color after color.

struct Gear {
    first: u32,                // joints
    second: u32,
    ratio: f32,
    meshes: u32,               // 1 once it knows where its joints are
    at_first: f32,             // where they were last [rad] or [m]
    at_second: f32,
    error: f32,                // C [rad] or [m]
}

@group(0) @binding(0) var<uniform> params: Params;
@group(1) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(1) @binding(1) var<storage, read> body_properties: array<BodyProperties>;
@group(1) @binding(2) var<storage, read> joints: array<Joint>;
@group(1) @binding(3) var<storage, read> joint_broken: array<u32>;
@group(1) @binding(4) var<storage, read_write> gears: array<Gear>;
// How many colors there are, where each begins here, and the end; then gears, by color.
@group(1) @binding(5) var<storage, read> gear_colors: array<u32>;
@group(1) @binding(6) var<storage, read_write> body_pseudo_motions: array<PseudoMotion>;

const GEAR_THREADS: u32 = 32u;
// Fastest return of what is off beyond what moves in the substep [rad/s] or [m/s].
const MESH_SPEED: f32 = 1.0;
const PI: f32 = 3.14159265;

// How C changes with a motion of a body.
struct Lever {
    body: u32,
    linear: vec3f,
    angular: vec3f,
}

var<private> levers: array<Lever, 4>;

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
    if joint_broken[gear.first] != 0u || joint_broken[gear.second] != 0u {
        // Where it meshes next is another place.
        gears[i].meshes = 0u;
        return;
    }
    let at_first = pull(0u, joints[gear.first], -gear.ratio);
    let at_second = pull(2u, joints[gear.second], 1.0);
    let gone = way_between(gear.at_second, at_second, joints[gear.second])
        - gear.ratio * way_between(gear.at_first, at_first, joints[gear.first]);
    let error = select(0.0, gear.error + gone, gear.meshes != 0u);
    gears[i].meshes = 1u;
    gears[i].at_first = at_first;
    gears[i].at_second = at_second;
    gears[i].error = error;
    gather();
    close(error);
}

// Takes in the levers of the two bodies of a joint, `share` times; returns where it is [rad] or [m].
fn pull(k: u32, joint: Joint, share: f32) -> f32 {
    let a = bodies[joint.body_a];
    let b = bodies[joint.body_b];
    let frame_a = quat_mul(a.rotation, joint.frame_a);
    let n = rotate(frame_a, vec3f(1.0, 0.0, 0.0));
    if joint.travelling == TRAVELS_NOT {
        levers[k] = Lever(joint.body_a, vec3f(0.0), -share * n);
        levers[k + 1u] = Lever(joint.body_b, vec3f(0.0), share * n);
        let turned = quat_mul(quat_conjugate(frame_a), quat_mul(b.rotation, joint.frame_b));
        return 2.0 * angle_of(turned.x, turned.w);
    }
    let arm_b = rotate(b.rotation, joint.middle_b);
    let arm_a = (b.center - a.center) + arm_b;
    levers[k] = Lever(joint.body_a, -share * n, -share * cross(arm_a, n));
    levers[k + 1u] = Lever(joint.body_b, share * n, share * cross(arm_b, n));
    return dot(n, arm_a - rotate(a.rotation, joint.middle_a));
}

// From one place of a joint to another, the shorter way round.
fn way_between(before: f32, now: f32, joint: Joint) -> f32 {
    let way = now - before;
    return select(way, way - 2.0 * PI * round(way / (2.0 * PI)), joint.travelling == TRAVELS_NOT);
}

// A body that both joints have is one.
fn gather() {
    for (var k = 1u; k < 4u; k++) {
        for (var j = 0u; j < k; j++) {
            if levers[j].body == levers[k].body {
                levers[j].linear += levers[k].linear;
                levers[j].angular += levers[k].angular;
                levers[k].linear = vec3f(0.0);
                levers[k].angular = vec3f(0.0);
            }
        }
    }
}

// Moves the bodies so that C is 0. What was shifted without velocity is brought back so.
fn close(error: f32) {
    let h = params.substep_dt;
    var mobility = 0.0;
    var slip = 0.0;
    var shifted = 0.0;
    for (var k = 0u; k < 4u; k++) {
        let lever = levers[k];
        let body = bodies[lever.body];
        let shift = body_pseudo_motions[lever.body];
        slip += h * (dot(lever.linear, body.velocity) + dot(lever.angular, body.angular_velocity));
        shifted += dot(lever.linear, shift.linear.xyz) + dot(lever.angular, rotation_vector(shift.rotation));
        if body.inv_mass != 0.0 {
            let p = body_properties[lever.body];
            mobility += body.inv_mass * dot(lever.linear, free_way(p, lever.linear))
                + dot(lever.angular, inverse_inertia_times(p, body.rotation, lever.angular));
        }
    }
    if mobility <= 0.0 {
        return;
    }
    let most = MESH_SPEED * h;
    let impulse = -clamp(error, slip + shifted - most, slip + shifted + most) / mobility;
    let impulse_velocity = -clamp(error - shifted, slip - most, slip + most) / mobility;
    for (var k = 0u; k < 4u; k++) {
        let lever = levers[k];
        let body = bodies[lever.body];
        if body.inv_mass == 0.0 || (all(lever.linear == vec3f(0.0)) && all(lever.angular == vec3f(0.0))) {
            continue;
        }
        let p = body_properties[lever.body];
        let push = Push(impulse * lever.linear, impulse * lever.angular, impulse_velocity * lever.linear,
            impulse_velocity * lever.angular);
        let shift = pseudo_moved(body_pseudo_motions[lever.body], body, p, push);
        body_pseudo_motions[lever.body].linear = shift.linear;
        body_pseudo_motions[lever.body].rotation = shift.rotation;
        let pushed = body_pushed(body, p, push, h);
        bodies[lever.body].center = pushed.center;
        bodies[lever.body].rotation = pushed.rotation;
        bodies[lever.body].velocity = pushed.velocity;
        bodies[lever.body].angular_velocity = pushed.angular_velocity;
    }
}
