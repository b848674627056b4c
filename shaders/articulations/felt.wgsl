#import "articulations/rows"
#import "articulations/node"
// What a body and all that hangs on it are to its parent, seen through the joint between them (Featherstone 2008, chapter 7,
// with prescribed motion at the joint), and how they answer when the parent moves.

// The body alone, about its center.
fn body_inertia(body: Body, p: BodyProperties) -> Inertia {
    let m = 1.0 / body.inv_mass;
    return Inertia(
        diagonal(vec3f(m)),
        mat3x3f(),
        mat3x3f(
            inertia_times(p, body.rotation, vec3f(1.0, 0.0, 0.0)),
            inertia_times(p, body.rotation, vec3f(0.0, 1.0, 0.0)),
            inertia_times(p, body.rotation, vec3f(0.0, 0.0, 1.0)),
        ),
    );
}

// A body that never moves is so many times as heavy as its neighbor. Each sweep leaves this part of the error; with more of it, what hangs
// between two such bodies is the small difference of large numbers, which rounding makes of any sign.
const FIXED: f32 = 30.0;

// What does not move, seen from a joint to this body, so many times as heavy.
fn fixed_inertia(neighbor: Inertia, times: f32) -> Inertia {
    let m = times * neighbor.linear[0].x;
    let i = times * (neighbor.angular[0].x + neighbor.angular[1].y + neighbor.angular[2].z);
    return Inertia(
        diagonal(vec3f(m)),
        mat3x3f(),
        diagonal(vec3f(i)),
    );
}

// Inertia about its center of a body with what hangs on it, as the world lets it move: along locked axes and about them it is as what
// never moves, beside `near`.
fn inertia_unlocked(i: Inertia, p: BodyProperties, near: Inertia) -> Inertia {
    if !has_locks(p) {
        return i;
    }
    let free = spatial_unlocked(Spatial(vec3f(1.0), vec3f(1.0)), p);
    let ways = diagonal(free.linear);
    let turns = diagonal(free.angular);
    let fixed = fixed_inertia(near, FIRM);
    return Inertia(ways * i.linear * ways + diagonal(vec3f(1.0) - free.linear) * fixed.linear, ways * i.coupling * turns,
        turns * i.angular * turns + diagonal(vec3f(1.0) - free.angular) * fixed.angular);
}

// What the world leaves of a motion of a body, or of an impulse on it.
fn spatial_unlocked(s: Spatial, p: BodyProperties) -> Spatial {
    return Spatial(free_way(p, s.linear), unlocked(p.flags, UPRIGHT_BITS, s.angular));
}

// What the parent feels of a body with this inertia about the joint, and these impulses if it stands still.
fn feel(i: Inertia, bias: Spatial, bias_velocity: Spatial, r: NodeRows, joint: Joint, sweep: u32) -> Felt {
    let scale = (i.angular[0].x + i.angular[1].y + i.angular[2].z) / 3.0;
    let block = r.free * i.angular * r.free + (IDENTITY - r.free) * scale;
    var mobility = r.free * inverse(block) * r.free;
    let resistance = resist(joint, r, mobility, sweep);
    mobility = r.free * inverse(block + resistance.give) * r.free;
    var felt: Felt;
    let lost = i.coupling * mobility;
    let lost_turn = i.angular * mobility;
    felt.inertia = Inertia(i.linear - lost * transpose(i.coupling), i.coupling - lost * i.angular,
        i.angular - lost_turn * i.angular);
    if TRAVELS && is_zero(resistance.give) {
        // Exact, however much heavier what hangs there is across the axis: joints in a row may turn about one axis.
        let held = IDENTITY - r.free;
        felt.inertia.coupling = felt.inertia.coupling * held;
        felt.inertia.angular = held * felt.inertia.angular * held;
    }
    felt.drive = resistance.drive;
    felt.turn_per_shift = transpose(lost);
    felt.turn_per_turn = transpose(lost_turn);
    let torque = resistance.torque - bias.angular;
    let torque_velocity = resistance.torque - bias_velocity.angular;
    let passed = Spatial(bias.linear + lost * torque, bias.angular + lost_turn * torque);
    let passed_velocity = Spatial(bias_velocity.linear + lost * torque_velocity, bias_velocity.angular + lost_turn * torque_velocity);
    felt.bias = sum(passed, inertia_times_motion(felt.inertia, r.asked));
    felt.bias_velocity = sum(passed_velocity, inertia_times_motion(felt.inertia, r.asked_velocity));
    felt.turned = mobility * torque + turn_against(felt, r.asked);
    felt.turned_velocity = mobility * torque_velocity + turn_against(felt, r.asked_velocity);
    return felt;
}

// Lets a joint that turns as `felt` tells travel too: what is felt along its free ways is what springs, friction and motor hold.
fn travel(felt: ptr<function, Felt>, w: Way, joint: Joint, sweep: u32) -> Travel {
    let i = (*felt).inertia;
    let scale = (i.linear[0].x + i.linear[1].y + i.linear[2].z) / 3.0;
    let block = w.free * i.linear * w.free + (IDENTITY - w.free) * scale;
    var mobility = w.free * inverse(block) * w.free;
    let resistance = resist_way(joint, w, mobility, scale, sweep);
    mobility = w.free * inverse(block + resistance.give) * w.free;
    (*felt).drive = max((*felt).drive, resistance.drive);
    let lost = i.linear * mobility;
    let lost_turn = transpose(i.coupling) * mobility;
    let force = resistance.torque - (*felt).bias.linear;
    let force_velocity = resistance.torque - (*felt).bias_velocity.linear;
    (*felt).inertia = Inertia(i.linear - lost * i.linear, i.coupling - lost * i.coupling, i.angular - lost_turn * i.coupling);
    if is_zero(resistance.give) {
        let held = IDENTITY - w.free;
        (*felt).inertia.linear = held * (*felt).inertia.linear * held;
        (*felt).inertia.coupling = held * (*felt).inertia.coupling;
    }
    (*felt).bias = sum((*felt).bias, Spatial(lost * force, lost_turn * force));
    (*felt).bias_velocity = sum((*felt).bias_velocity, Spatial(lost * force_velocity, lost_turn * force_velocity));
    return Travel(mobility * force, mobility * force_velocity, mobility * i.linear, mobility * i.coupling);
}

// As `resist`, along the free ways. Springs and goals act once, in the first sweep, where the whole tree knows of them.
fn resist_way(joint: Joint, w: Way, mobility: mat3x3f, mass: f32, sweep: u32) -> Resistance {
    let h = params.substep_dt;
    var resistance: Resistance;
    if sweep == 0u {
        let stiffness = w.stiffness[0].x + w.stiffness[1].y + w.stiffness[2].z;
        let scale = min(h * h, FIRM * mass / max(stiffness, 1e-30));
        resistance = Resistance(-scale * (w.free * w.stretch), scale * (w.free * w.stiffness * w.free), 0.0);
        if joint.driven == DRIVEN_TO_POSITION {
            let off = w.free * w.error;
            let weight = weight_along(off, mobility);
            let most_driven = params.joint_share * joint.most_torque * h * h;
            let firm = min(params.joint_share * h * h / max(joint.compliance, 1e-30), FIRM / weight);
            resistance.drive = min(firm, most_driven / max(length(off), 1e-9));
            resistance = resisted(resistance, off, resistance.drive);
        }
    } else if sweep == 1u {
        let slip = w.free * w.slip;
        let weight = weight_along(slip, mobility);
        let off = w.free * w.error;
        let borne = borne_at(joint, joint.driven == DRIVEN_AT_VELOCITY, slip, off);
        let most = params.joint_share * borne.x * h * h;
        let coulomb = min(most / max(length(slip) - most * weight, 1e-9), FIRM / weight);
        resistance = resisted(resistance, slip, min(params.joint_share * h * joint.damping, FIRM) / weight + coulomb);
        if joint.driven == DRIVEN_AT_VELOCITY {
            let most_driven = params.joint_share * borne.y * h * h;
            let weight_driven = weight_along(off, mobility);
            let give = min(most_driven / max(length(off) - most_driven * weight_driven, 1e-9), FIRM / weight_driven);
            resistance = resisted(resistance, off, give);
            resistance.drive = give;
        }
    }
    return resistance;
}

fn is_zero(m: mat3x3f) -> bool {
    return dot(abs(m[0]) + abs(m[1]) + abs(m[2]), vec3f(1.0)) == 0.0;
}

// How much the body gives way to a force along v.
fn weight_along(v: vec3f, mobility: mat3x3f) -> f32 {
    return max(dot(v, mobility * v) / max(dot(v, v), 1e-30), 1e-30);
}

// `before` and a force against `off`, so much per way.
fn resisted(before: Resistance, off: vec3f, give: f32) -> Resistance {
    let size = length(off);
    if size < 1e-9 {
        return before;
    }
    let n = off / size;
    return Resistance(before.torque - give * off, before.give + give * outer(n, n), before.drive);
}

// Turn of the body by a motion of the joint, with the free axes giving way.
fn turn_against(felt: Felt, m: Spatial) -> vec3f {
    return m.angular - felt.turn_per_shift * m.linear - felt.turn_per_turn * m.angular;
}

// How the body answers motions of its parent about the parent's center.
fn answer(felt: Felt, travel: Travel, r: NodeRows, parent: Spatial, parent_velocity: Spatial) -> Answer {
    var at = motion_at(parent, r.parent_arm);
    var at_velocity = motion_at(parent_velocity, r.parent_arm);
    var moved: Answer;
    moved.impulse = sum(inertia_times_motion(felt.inertia, at), felt.bias);
    moved.impulse_velocity = sum(inertia_times_motion(felt.inertia, at_velocity), felt.bias_velocity);
    if TRAVELS {
        at.linear += travel.gone - travel.per_shift * at.linear - travel.per_turn * at.angular;
        at_velocity.linear += travel.gone_velocity - travel.per_shift * at_velocity.linear - travel.per_turn * at_velocity.angular;
    }
    moved.motion = motion_at(Spatial(at.linear + r.asked.linear, felt.turned + turn_against(felt, at)), -r.arm);
    moved.motion_velocity = motion_at(Spatial(at_velocity.linear + r.asked_velocity.linear,
        felt.turned_velocity + turn_against(felt, at_velocity)), -r.arm);
    return moved;
}

// Torque about the free axes, and what is lost of it per turn, of the motor alone too.
struct Resistance {
    torque: vec3f,
    give: mat3x3f,
    drive: f32,
}

// Most that friction and the motor of a joint that moves and is off its speed so can do: what is left of both where they act against one
// another. They are reckoned from the motion before, and friction at rest would hold whatever the motor does.
fn borne_at(joint: Joint, drives: bool, motion: vec3f, off: vec3f) -> vec2f {
    let both = vec2f(joint.friction, joint.most_torque);
    return select(both, max(both - both.yx, vec2f(0.0)), drives && dot(motion, off) <= 0.0);
}

// Of joints that travel friction is along the way.
fn spins_against_friction(joint: Joint) -> bool {
    return joint.driven == DRIVEN_AT_SPEED && !(TRAVELS && joint.travelling != TRAVELS_NOT);
}

// Friction, cushions and motor of what turns, for a body that answers torques by `mobility`. Implicit, so that however firm they are they
// never turn back. A goal acts once, in the first sweep, what resists velocity in the second.
fn resist(joint: Joint, r: NodeRows, mobility: mat3x3f, sweep: u32) -> Resistance {
    let h = params.substep_dt;
    var resistance: Resistance;
    let along_way = TRAVELS && joint.travelling != TRAVELS_NOT;
    let damping = select(joint.damping, 0.0, along_way);
    let spin = r.free * r.spin;
    let angle = length(spin);
    let error = r.free * r.error;
    let off = length(error);
    var borne = borne_at(joint, spins_against_friction(joint), spin, error);
    borne.x = select(borne.x, 0.0, along_way);
    if sweep == 1u && angle > 1e-9 {
        let weight = max(dot(spin, mobility * spin) / (angle * angle), 1e-30);
        // What loses the damped share, and what makes the torque that friction has at most.
        let most = params.joint_share * borne.x * h * h;
        let coulomb = min(most / max(angle - most * weight, 1e-9), FIRM / weight);
        let give = params.joint_share * h * damping / weight + coulomb;
        resistance = Resistance(-give * spin, give * r.free, 0.0);
        resistance = cushioned(resistance, r.swing_cushion, r, mobility);
        resistance = cushioned(resistance, r.twist_cushion, r, mobility);
    }
    if drives_velocity(joint) && sweep == 1u && off > 1e-9 {
        // As friction: what reaches the speed, or what makes the most torque.
        let weight = max(dot(error, mobility * error) / (off * off), 1e-30);
        let most = params.joint_share * borne.y * h * h;
        let give = min(most / max(off - most * weight, 1e-9), FIRM / weight);
        resistance = Resistance(resistance.torque - give * error, resistance.give + give * r.free, give);
    } else if joint.driven == DRIVEN_TO_GOAL && sweep == 0u && off > 1e-9 {
        let weight = max(dot(error, mobility * error) / (off * off), 1e-30);
        let stiffness = min(params.joint_share * h * h / max(joint.compliance, 1e-30), FIRM / weight);
        let give = min(stiffness, params.joint_share * joint.most_torque * h * h / off);
        resistance = Resistance(resistance.torque - give * error, resistance.give + give * r.free, give);
    }
    return resistance;
}

// `before` and the torque of a cushion about its axis.
fn cushioned(before: Resistance, cushion: vec3f, r: NodeRows, mobility: mat3x3f) -> Resistance {
    let share = length(cushion);
    let n = r.free * cushion / max(share, 1e-9);
    // None, or about an axis that is held.
    if share < 1e-6 || dot(n, n) < 0.0025 {
        return before;
    }
    let give = share / max(dot(n, mobility * n), 1e-30);
    return Resistance(before.torque - give * dot(n, r.spin) * n, before.give + give * outer(n, n), before.drive);
}
