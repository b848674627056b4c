#import "articulations/joint"
#import "common/response"
#import "common/matrix"
#import "articulations/angles"
#import "articulations/way"
// What a joint asks of the motion of b against a: its points come together, axes that it keeps or that have passed a limit
// turn back, and about the others it turns freely, against friction and towards the goal of its motor. Contacts push overlap
// out without making velocity; where a joint answers such a shift, its answer must not become velocity either, or bodies at
// rest would be shaken: so all is asked twice, of motion and of the motion that becomes velocity. The kernel declares `params`.

// Fastest return that a passed limit makes [rad/s].
const LIMIT_SPEED: f32 = 1.0;
// Fastest return of a point that is outside of its range [m/s].
const TRAVEL_SPEED: f32 = 1.0;
// Bodies that are apart come together slower in the end, or what stops them would break the joint: as if the rest took so long [s], but no
// slower than this part of their fastest.
const ARRIVING: f32 = 0.02;
const SLOWEST: f32 = 0.1;
// Slowest approach to a limit that its cushion resists [rad/s].
const CUSHIONED_SPEED: f32 = 0.5;
// Stands for infinite: how many times stiffer than the bodies a motor or friction gets.
const FIRM: f32 = 1000.0;
// What is so near the end of its range may be taut, in particle radii.
const TAUT: f32 = 0.01;

struct Rows {
    gap: vec3f,                // of the points, b from a [m]
    gap_velocity: vec3f,           // of which to close by velocity [m]
    turn: vec3f,               // of b against a, to be undone [rad]
    turn_velocity: vec3f,
    free: mat3x3f,             // projector on the axes that turn freely
    spin: vec3f,               // turn of b against a in this substep by velocity [rad]
    error: vec3f,              // of the motor: from its goal, or of the turn in this substep from that at its speed [rad]
    swing_cushion: vec3f,      // axis about which b nears its limit, times the share of that turn to be lost in this iteration
    twist_cushion: vec3f,
    opening: f32,              // how far points are apart, in place or by velocity [m]
}

var<private> a: Body;
var<private> b: Body;
var<private> shift_a: PseudoMotion;
var<private> shift_b: PseudoMotion;
var<private> arm_a: vec3f;     // from a's center to the joint [m]
var<private> arm_b: vec3f;
var<private> rows: Rows;
var<private> way: Way;
var<private> held_axis: vec3f; // the last axis taken from the free ones
var<private> held_count: u32;
// Whether ranges hold what has come to their end, though nothing is beyond it: what stops one body in the second sweep would let go of what
// hangs on it by a rope. And which way out of such a range b's point would go, 0 where there is none.
var<private> keeps_taut: bool;
var<private> taut: vec3f;

// Fills `rows` and the arms from the bodies and their shifts.
fn measure(joint: Joint) {
    arm_a = rotate(a.rotation, joint.middle_a);
    arm_b = rotate(b.rotation, joint.middle_b);
    let h = params.substep_dt;
    let gap = (b.center - a.center) + arm_b - arm_a;
    let spin = (b.angular_velocity - a.angular_velocity) * h;
    rows = Rows(gap, gap - relative_shift(), vec3f(0.0), vec3f(0.0), IDENTITY, spin, vec3f(0.0), vec3f(0.0), vec3f(0.0), 0.0);
    rows.opening = max(length(rows.gap), length(rows.gap_velocity));
    way = Way();
    taut = vec3f(0.0);
    held_count = 0u;
    let frame_a = quat_mul(a.rotation, joint.frame_a);
    let frame_b = quat_mul(b.rotation, joint.frame_b);
    if TRAVELS && joint.travelling != TRAVELS_NOT {
        measure_way(joint, frame_a, gap);
    }
    keep_axes(joint, frame_a, frame_b);
    rows.opening = max(rows.opening, joint.lever * max(length(rows.turn), length(rows.turn_velocity)));
    limit(joint, frame_a, frame_b);
    if joint.driven == DRIVEN_TO_GOAL {
        rows.error = rotation_vector(quat_mul(frame_b, quat_conjugate(quat_mul(frame_a, joint.goal))));
    } else if joint.driven == DRIVEN_AT_SPEED {
        let axis = rotate(frame_a, vec3f(1.0, 0.0, 0.0));
        rows.error = axis * (dot(spin, axis) - joint.speed * h);
    } else if joint.driven == DRIVEN_BY_MUSCLE {
        rows.error = muscle_error(joint, frame_a, frame_b, spin);
    }
}

// Turn to be undone in this substep so that what b is off the goal dies away as exp(-t / response), and that b turns with the goal.
fn muscle_error(joint: Joint, frame_a: vec4f, frame_b: vec4f, spin: vec3f) -> vec3f {
    let h = params.substep_dt;
    let goal = turn(joint.goal, (batch.time - params.dt) * joint.goal_spin);
    let off = rotation_vector(quat_mul(frame_b, quat_conjugate(quat_mul(frame_a, goal))));
    let share = h / (h + joint.response);
    return share * off + (1.0 - share) * (spin - h * rotate(frame_a, joint.goal_spin));
}

// Whether a motor asks for a turn by velocity: it acts once velocities know of the load.
fn drives_velocity(joint: Joint) -> bool {
    return joint.driven == DRIVEN_AT_SPEED || joint.driven == DRIVEN_BY_MUSCLE;
}

// Of a joint whose bodies are apart, as it holds them again: they come no faster than what is outside of its range. Returns whether
// they are together.
fn come_together(joint: Joint) -> bool {
    let h = params.substep_dt;
    let apart = max(length(rows.gap), length(rows.gap_velocity));
    let turned = max(length(rows.turn), length(rows.turn_velocity));
    if joint.travelling == TRAVELS_NOT {
        // What acts on both acts at one place, or it would turn them.
        arm_a += rows.gap;
    }
    let slip = (b.velocity + cross(b.angular_velocity, arm_b) - a.velocity - cross(a.angular_velocity, arm_a)) * h;
    rows.gap = (IDENTITY - way.free) * slip + shortened(rows.gap, arriving(rows.gap, TRAVEL_SPEED));
    rows.gap_velocity = rows.gap;
    rows.turn = (IDENTITY - rows.free) * rows.spin + shortened(rows.turn, arriving(rows.turn, LIMIT_SPEED));
    rows.turn_velocity = rows.turn;
    rows.opening = max(length(rows.gap), joint.lever * length(rows.turn));
    return apart < SLOWEST * TRAVEL_SPEED * h && turned < SLOWEST * LIMIT_SPEED * h;
}

// How far it goes of this way in a substep.
fn arriving(way: vec3f, fastest: f32) -> f32 {
    return params.substep_dt * clamp(length(way) / ARRIVING, SLOWEST * fastest, fastest);
}

// Axes that the kind of joint leaves no freedom.
fn keep_axes(joint: Joint, frame_a: vec4f, frame_b: vec4f) {
    let shift = relative_turn();
    if joint.turning == TURNS_ABOUT_AXIS {
        let error = cross(rotate(frame_a, vec3f(1.0, 0.0, 0.0)), rotate(frame_b, vec3f(1.0, 0.0, 0.0)));
        let y = rotate(frame_a, vec3f(0.0, 1.0, 0.0));
        let z = rotate(frame_a, vec3f(0.0, 0.0, 1.0));
        hold(y, dot(error, y), dot(error - shift, y));
        hold(z, dot(error, z), dot(error - shift, z));
    } else if joint.turning == TURNS_NOT {
        rows.turn = rotation_vector(quat_mul(frame_b, quat_conjugate(frame_a)));
        rows.turn_velocity = rows.turn - shift;
        rows.free = mat3x3f();
        held_count = 3u;
    } else if joint.turning == TURNS_ACROSS {
        // Y of a stays square to Z of b; where the two fall together no turn is better than another.
        let y = rotate(frame_a, vec3f(0.0, 1.0, 0.0));
        let z = rotate(frame_b, vec3f(0.0, 0.0, 1.0));
        let across = cross(y, z);
        let length = length(across);
        if length > 1e-3 {
            let error = -dot(y, z) / length;
            hold(across / length, error, error - dot(shift, across / length));
        }
    }
}

// Swing and twist near the ends of the range and beyond.
fn limit(joint: Joint, frame_a: vec4f, frame_b: vec4f) {
    if joint.limit == LIMIT_NONE {
        return;
    }
    let relative = quat_mul(quat_conjugate(frame_a), frame_b);
    let bounds = limit_bounds(joint.limit, joint.range, relative);
    rows.swing_cushion = stop(bounds.swing, frame_a, joint.cushion);
    rows.twist_cushion = stop(bounds.twist, frame_a, joint.cushion);
}

// Turns b back over the bound. Little more than the approach becomes velocity: a limit does not bounce. Short of the bound
// returns the cushion: a speed v that loses v / 2d per second, with d left to turn, falls evenly and is 0 at the bound. What
// is slow is left alone: a limb that lies near its limit must be free to give way to the ground.
fn stop(bound: Bound, frame_a: vec4f, width: f32) -> vec3f {
    let n = rotate(frame_a, bound.axis);
    let approach = max(dot(rows.spin, n), 0.0);
    if bound.over >= 1e-7 {
        let most = approach + LIMIT_SPEED * params.substep_dt;
        hold(n, min(bound.over, 0.5), clamp(bound.over - dot(relative_turn(), n), 0.0, most));
        rows.opening = max(rows.opening, bound.over * length(arm_b));
        return vec3f(0.0);
    }
    // As the substep began.
    let left = approach - bound.over;
    let fast = max(approach - CUSHIONED_SPEED * params.substep_dt, 0.0);
    return n * select(0.0, params.joint_share * 0.5 * fast / max(left, 1e-9), left < min(width, 0.5 * bound.way));
}

// Takes the axis from the free ones: b turns back about it by `error`.
fn hold(axis: vec3f, error: f32, velocity_part: f32) {
    let left = rows.free * axis;
    let length = length(left);
    // Nearly along axes that are held already.
    if length < 0.05 {
        return;
    }
    let n = left / length;
    rows.turn += n * ((error - dot(rows.turn, axis)) / length);
    rows.turn_velocity += n * ((velocity_part - dot(rows.turn_velocity, axis)) / length);
    // Exact whatever the rounding: what is left of three axes is two, then the one across both, then none.
    if held_count == 0u {
        rows.free -= outer(n, n);
    } else if held_count == 1u {
        let third = normalize(cross(held_axis, n));
        rows.free = outer(third, third);
    } else {
        rows.free = mat3x3f();
    }
    held_axis = n;
    held_count += 1u;
}

// Fills `way` and what `rows` ask of the points where they may part: the place that both bodies have is b's point.
fn measure_way(joint: Joint, frame_a: vec4f, gap: vec3f) {
    let h = params.substep_dt;
    let axis = rotate(frame_a, vec3f(1.0, 0.0, 0.0));
    arm_a += gap;
    let slip = (b.velocity + cross(b.angular_velocity, arm_b) - a.velocity - cross(a.angular_velocity, arm_a)) * h;
    rows.gap = vec3f(0.0);
    rows.gap_velocity = vec3f(0.0);
    if joint.travelling == TRAVELS_APART {
        let apart = length(gap);
        let n = select(axis, gap / max(apart, 1e-9), apart > 1e-6);
        way.slip = n * dot(n, slip);
        way.free = IDENTITY;
        if stay(n, apart, vec2f(joint.least.x, joint.most.x), joint.yielding.x, false) {
            way.free -= outer(n, n);
            way.slip = vec3f(0.0);
        } else {
            drive_way(joint, n, apart);
        }
    } else {
        way.slip = slip;
        for (var i = 0u; i < 3u; i++) {
            let n = rotate(frame_a, vec3f(vec3u(i) == vec3u(0u, 1u, 2u)));
            if !stay(n, dot(n, gap), vec2f(joint.least[i], joint.most[i]), joint.yielding[i], true) {
                // A sum of what is free, so that there is nothing left of it where all is held.
                way.free += outer(n, n);
                if i == 0u {
                    drive_way(joint, n, dot(n, gap));
                }
            }
        }
    }
    rows.opening = max(length(rows.gap), length(rows.gap_velocity));
}

// Where b's point is along n stays in a range. What is outside of it returns at no more than TRAVEL_SPEED, and does not
// bounce; where the range is one place on a line of a, it is a point that stays on a plane, and returns at once.
// Returns whether it is held.
fn stay(n: vec3f, at: f32, range: vec2f, yielding: f32, line: bool) -> bool {
    let over = at - clamp(at, range.x, range.y);
    let one_place = range.x == range.y;
    if !one_place && abs(over) < 1e-7 {
        return yielding == 0.0 && is_taut(n, at, range);
    }
    if yielding > 0.0 {
        way.stretch += n * over * (params.joint_share / yielding);
        way.stiffness += outer(n, n) * (params.joint_share / yielding);
        return false;
    }
    var error = over;
    var velocity_part = over - dot(n, relative_shift());
    if !(one_place && line) {
        let approach = dot(n, way.slip);
        let most = TRAVEL_SPEED * params.substep_dt;
        let sides = vec2<bool>(one_place || over < 0.0, one_place || over > 0.0);
        error = returned(error, approach, most, sides);
        // What comes back into a range keeps no speed of that.
        velocity_part = returned(velocity_part, approach, select(0.0, most, one_place), sides);
    }
    rows.gap += n * error;
    rows.gap_velocity += n * velocity_part;
    return true;
}

// Whether what is inside of its range is held at its end. One range of a joint is.
fn is_taut(n: vec3f, at: f32, range: vec2f) -> bool {
    let outside = select(-1.0, 1.0, range.y - at < at - range.x);
    let left = min(range.y - at, at - range.x);
    if !keeps_taut || left > TAUT * params.particle_radius || dot(taut, taut) > 0.0 {
        return false;
    }
    taut = outside * n;
    return true;
}

// As much of a way as undoes the approach and goes `most` farther, to the sides to which it may.
fn returned(way: f32, approach: f32, most: f32, sides: vec2<bool>) -> f32 {
    return clamp(way, select(0.0, min(approach - most, 0.0), sides.x), select(0.0, max(approach + most, 0.0), sides.y));
}

// What is left of the way to where its motor has b's point, or of the way in this substep to what it makes of it.
fn drive_way(joint: Joint, n: vec3f, at: f32) {
    if joint.driven == DRIVEN_TO_POSITION {
        way.error = n * (at - joint.position);
    } else if joint.driven == DRIVEN_AT_VELOCITY {
        way.error = n * (dot(n, way.slip) - joint.speed * params.substep_dt);
    }
}

// How far b's point was shifted from a's without velocity [m].
fn relative_shift() -> vec3f {
    return shift_b.linear.xyz + arm_b - rotate_back(shift_b.rotation, arm_b)
        - shift_a.linear.xyz - arm_a + rotate_back(shift_a.rotation, arm_a);
}

// How far b was turned against a without velocity [rad].
fn relative_turn() -> vec3f {
    return rotation_vector(shift_b.rotation) - rotation_vector(shift_a.rotation);
}
