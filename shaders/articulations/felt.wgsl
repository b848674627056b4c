#import "articulations/rows"
#import "articulations/spatial"
// What a body and all that hangs on it are to its parent, seen through the joint between them (Featherstone 2008, chapter 7,
// with prescribed motion at the joint), and how they answer when the parent moves.

// What the joint asks of the body against its parent.
struct NodeRows {
    arm: vec3f,                // from the body's center to the joint [m]
    parent_arm: vec3f,         // from the parent's [m]
    asked: Spatial,            // motion against the parent, as far as it is prescribed
    asked_velocity: Spatial,
    free: mat3x3f,             // projector on the axes about which the body turns freely
    spin: vec3f,               // turn against the parent in this substep by velocity [rad]
    error: vec3f,              // of the motor [rad]
    swing_cushion: vec3f,      // axis times the share of the turn about it that is lost
    twist_cushion: vec3f,
}

// What the parent feels at the joint per motion.
struct Felt {
    inertia: Inertia,
    bias: Spatial,             // impulse if the parent stands still
    bias_velocity: Spatial,
    turn_per_shift: mat3x3f,   // free turn that a motion of the parent's joint takes away
    turn_per_turn: mat3x3f,
    turned: vec3f,             // turn against a parent that stands still [rad]
    turned_velocity: vec3f,
    owed: vec3f,               // angular impulse that the subtree's last answer has cost it [kg m²]
}

struct Answer {
    motion: Spatial,           // of the body about its center
    motion_velocity: Spatial,
    impulse: Spatial,          // on it at the joint
    impulse_velocity: Spatial,
    owed: vec3f,               // angular impulse that this has cost body and parent together [kg m²]
}

// The body alone, about its center.
fn body_inertia(body: Body, p: BodyProperties) -> Inertia {
    let m = 1.0 / body.inv_mass;
    return Inertia(
        mat3x3f(vec3f(m, 0.0, 0.0), vec3f(0.0, m, 0.0), vec3f(0.0, 0.0, m)),
        mat3x3f(),
        mat3x3f(
            inertia_times(p, body.rotation, vec3f(1.0, 0.0, 0.0)),
            inertia_times(p, body.rotation, vec3f(0.0, 1.0, 0.0)),
            inertia_times(p, body.rotation, vec3f(0.0, 0.0, 1.0)),
        ),
    );
}

// What never moves, seen from a joint to this body: FIRM times as heavy, which further sweeps make up for.
fn fixed_inertia(neighbor: Inertia) -> Inertia {
    let m = FIRM * neighbor.linear[0].x;
    let i = FIRM * (neighbor.angular[0].x + neighbor.angular[1].y + neighbor.angular[2].z);
    return Inertia(
        mat3x3f(vec3f(m, 0.0, 0.0), vec3f(0.0, m, 0.0), vec3f(0.0, 0.0, m)),
        mat3x3f(),
        mat3x3f(vec3f(i, 0.0, 0.0), vec3f(0.0, i, 0.0), vec3f(0.0, 0.0, i)),
    );
}

// What the parent feels of a body with this inertia about the joint, and these impulses if it stands still.
fn feel(i: Inertia, bias: Spatial, bias_velocity: Spatial, r: NodeRows, joint: Joint, friction: bool) -> Felt {
    let one = mat3x3f(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0));
    let scale = (i.angular[0].x + i.angular[1].y + i.angular[2].z) / 3.0;
    let block = r.free * i.angular * r.free + (one - r.free) * scale;
    var mobility = r.free * inverse(block) * r.free;
    let resistance = resist(joint, r, mobility, friction);
    mobility = r.free * inverse(block + resistance.give) * r.free;
    var felt: Felt;
    let lost = i.coupling * mobility;
    let lost_turn = i.angular * mobility;
    felt.inertia = Inertia(i.linear - lost * transpose(i.coupling), i.coupling - lost * i.angular,
        i.angular - lost_turn * i.angular);
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

// Turn of the body by a motion of the joint, with the free axes giving way.
fn turn_against(felt: Felt, m: Spatial) -> vec3f {
    return m.angular - felt.turn_per_shift * m.linear - felt.turn_per_turn * m.angular;
}

// How the body answers motions of its parent about the parent's center.
fn answer(felt: Felt, r: NodeRows, parent: Spatial, parent_velocity: Spatial) -> Answer {
    let at = motion_at(parent, r.parent_arm);
    let at_velocity = motion_at(parent_velocity, r.parent_arm);
    var moved: Answer;
    moved.impulse = sum(inertia_times_motion(felt.inertia, at), felt.bias);
    moved.impulse_velocity = sum(inertia_times_motion(felt.inertia, at_velocity), felt.bias_velocity);
    moved.motion = motion_at(Spatial(at.linear + r.asked.linear, felt.turned + turn_against(felt, at)), -r.arm);
    moved.motion_velocity = motion_at(Spatial(at_velocity.linear + r.asked_velocity.linear,
        felt.turned_velocity + turn_against(felt, at_velocity)), -r.arm);
    return moved;
}

// Torque about the free axes, and what is lost of it per turn.
struct Resistance {
    torque: vec3f,
    give: mat3x3f,
}

// Friction, cushions and motor, for a body that answers torques by `mobility`. Implicit, so that however firm they are they
// never turn back.
fn resist(joint: Joint, r: NodeRows, mobility: mat3x3f, friction: bool) -> Resistance {
    let h = params.substep_dt;
    var resistance: Resistance;
    let spin = r.free * r.spin;
    let angle = length(spin);
    if friction && angle > 1e-9 {
        let weight = max(dot(spin, mobility * spin) / (angle * angle), 1e-30);
        // What loses the damped share, and what makes the torque that friction has at most.
        let most = joint.friction * h * h;
        let coulomb = min(most / max(angle - most * weight, 1e-9), FIRM / weight);
        let give = h * joint.damping / weight + coulomb;
        resistance = Resistance(-give * spin, give * r.free);
        resistance = cushioned(resistance, r.swing_cushion, r, mobility);
        resistance = cushioned(resistance, r.twist_cushion, r, mobility);
    }
    let error = r.free * r.error;
    let off = length(error);
    if joint.driven == DRIVEN_AT_SPEED && friction && off > 1e-9 {
        // As friction: what reaches the speed, or what makes the most torque.
        let weight = max(dot(error, mobility * error) / (off * off), 1e-30);
        let most = joint.most_torque * h * h;
        let give = min(most / max(off - most * weight, 1e-9), FIRM / weight);
        resistance = Resistance(resistance.torque - give * error, resistance.give + give * r.free);
    } else if joint.driven == DRIVEN_TO_GOAL && off > 1e-9 {
        let weight = max(dot(error, mobility * error) / (off * off), 1e-30);
        let stiffness = min(h * h / max(joint.compliance, 1e-30), FIRM / weight);
        let give = min(stiffness, joint.most_torque * h * h / off);
        resistance = Resistance(resistance.torque - give * error, resistance.give + give * r.free);
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
    return Resistance(before.torque - give * dot(n, r.spin) * n, before.give + give * along(n));
}
