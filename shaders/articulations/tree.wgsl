#import "articulations/felt"
// A tree of jointed bodies solved at once: leaves first, what each is to its parent; then, root first, how everything moves.
// The kernel declares the bindings.

// The measured rows, as asked of b (side 1) or of a (side -1).
fn rows_of(side: f32) -> NodeRows {
    let asked = Spatial(-side * rows.gap, -side * rows.turn);
    let asked_velocity = Spatial(-side * rows.gap_velocity, -side * rows.turn_velocity);
    let is_b = side > 0.0;
    return NodeRows(select(arm_a, arm_b, is_b), select(arm_b, arm_a, is_b), asked, asked_velocity, rows.free,
        side * rows.spin, side * rows.error, rows.swing_cushion, rows.twist_cushion);
}

// The measured way, as of b (side 1) or of a (side -1).
fn way_of(side: f32) -> Way {
    return Way(way.free, side * way.slip, side * way.error, side * way.stretch, way.stiffness);
}

// What the body and all that hangs on it are to its parent.
fn gather(i: u32, sweep: u32) {
    let node = joint_nodes[i].body;
    let body = bodies[node];
    let root = joint_nodes[i].joint == NONE || joint_nodes[i].held == 0u;
    var inertia: Inertia;
    var bias: Spatial;
    var bias_velocity: Spatial;
    var owed: vec3f;
    if sweep == 0u {
        joint_nodes[i].spare = 0.0;
    }
    if body.inv_mass != 0.0 {
        inertia = body_inertia(body, body_properties[node]);
        for (var c = joint_nodes[i].first_child; c < joint_nodes[i].first_child + joint_nodes[i].child_count; c++) {
            if joint_nodes[c].held != 0u {
                let arm = -joint_nodes[c].rows.parent_arm;
                inertia = inertia_sum(inertia, inertia_at(joint_nodes[c].felt.inertia, arm));
                bias = sum(bias, impulse_at(joint_nodes[c].felt.bias, arm));
                bias_velocity = sum(bias_velocity, impulse_at(joint_nodes[c].felt.bias_velocity, arm));
                owed += joint_nodes[c].felt.owed + joint_nodes[c].moved.owed;
            }
        }
        if has_locks(body_properties[node]) {
            inertia = inertia_unlocked(inertia, body_properties[node], inertia_beside(i, body));
            bias = spatial_unlocked(bias, body_properties[node]);
            bias_velocity = spatial_unlocked(bias_velocity, body_properties[node]);
        }
    }
    if root {
        // Nothing moves it: its answer is known already.
        if body.inv_mass != 0.0 {
            let owing = Spatial(bias_velocity.linear, bias_velocity.angular - owed);
            joint_nodes[i].moved.motion = motion_of(inertia, opposite(bias));
            joint_nodes[i].moved.motion_velocity = motion_of(inertia, opposite(spatial_unlocked(owing, body_properties[node])));
        } else {
            joint_nodes[i].moved.motion = Spatial();
            joint_nodes[i].moved.motion_velocity = Spatial();
        }
        joint_nodes[i].felt.owed = owed;
        return;
    }
    let parent = joint_nodes[joint_nodes[i].parent].body;
    let arm = joint_nodes[i].rows.arm;
    if body.inv_mass != 0.0 {
        inertia = inertia_at(inertia, arm);
        bias = impulse_at(bias, arm);
        bias_velocity = impulse_at(bias_velocity, arm);
    } else if bodies[parent].inv_mass != 0.0 {
        inertia = fixed_inertia(body_inertia(bodies[parent], body_properties[parent]), FIXED);
    } else {
        return;
    }
    let joint = joints[joint_nodes[i].joint];
    var felt = feel(inertia, bias, bias_velocity, joint_nodes[i].rows, joint, sweep);
    if TRAVELS {
        joint_nodes[i].travel = travel(&felt, joint_nodes[i].way, joint, sweep);
    }
    joint_nodes[i].felt = felt;
    joint_nodes[i].felt.owed = owed;
}

// Of a body and its parent, as far as it has one that moves.
fn inertia_beside(i: u32, body: Body) -> Inertia {
    let own = body_inertia(body, body_properties[joint_nodes[i].body]);
    if joint_nodes[i].joint == NONE {
        return own;
    }
    let parent = joint_nodes[joint_nodes[i].parent].body;
    if bodies[parent].inv_mass == 0.0 {
        return own;
    }
    return inertia_sum(own, body_inertia(bodies[parent], body_properties[parent]));
}

// How the body answers its parent's motion.
fn spread(i: u32) {
    if joint_nodes[i].joint == NONE || joint_nodes[i].held == 0u {
        return;
    }
    let body = bodies[joint_nodes[i].body];
    var moved: Answer;
    let parent = joint_nodes[i].parent;
    let above = bodies[joint_nodes[parent].body];
    if body.inv_mass != 0.0 || above.inv_mass != 0.0 {
        var gone: Travel;
        if TRAVELS {
            gone = joint_nodes[i].travel;
        }
        moved = answer(joint_nodes[i].felt, gone, joint_nodes[i].rows, joint_nodes[parent].moved.motion,
            joint_nodes[parent].moved.motion_velocity);
    }
    if body.inv_mass == 0.0 {
        moved.motion = Spatial();
        moved.motion_velocity = Spatial();
    } else {
        let p = body_properties[joint_nodes[i].body];
        if has_locks(p) {
            moved.motion = spatial_unlocked(moved.motion, p);
            moved.motion_velocity = spatial_unlocked(moved.motion_velocity, p);
        }
        if above.inv_mass != 0.0 {
            // Moving the centers past each other changes Σ x × p. Given to these two alone it would spin light ones wildly;
            // the root gives it back to the whole tree when it is solved next.
            moved.owed = params.substep_dt * cross(body.velocity - above.velocity.xyz, moved.impulse.linear);
        }
    }
    if joint_nodes[i].child_count > 0u {
        joint_nodes[i].moved.motion = moved.motion;
        joint_nodes[i].moved.motion_velocity = moved.motion_velocity;
    }
    joint_nodes[i].moved.impulse = moved.impulse;
    joint_nodes[i].moved.impulse_velocity = moved.impulse_velocity;
    joint_nodes[i].owes = moved.owed;
    if joint_nodes[i].felt.drive > 0.0 {
        joint_nodes[i].spare = left_of_motor(i, moved.motion_velocity, joint_nodes[parent].moved.motion_velocity);
    }
}

// What the motor of a joint has left of its most torque, or force, beside friction, once the body and its parent move so. One that gives way by its
// compliance has nothing left.
fn left_of_motor(i: u32, motion: Spatial, parent: Spatial) -> f32 {
    let joint = joints[joint_nodes[i].joint];
    let r = joint_nodes[i].rows;
    var off = r.free * (r.error + motion.angular - parent.angular);
    var borne = borne_at(joint, spins_against_friction(joint), r.free * r.spin, r.free * r.error);
    if TRAVELS && (joint.driven == DRIVEN_TO_POSITION || joint.driven == DRIVEN_AT_VELOCITY) {
        let slip = motion_at(motion, r.arm).linear - motion_at(parent, r.parent_arm).linear;
        let way = joint_nodes[i].way;
        off = way.free * (way.error + slip);
        borne = borne_at(joint, joint.driven == DRIVEN_AT_VELOCITY, way.free * way.slip, way.free * way.error);
    }
    let goal = joint.driven == DRIVEN_TO_GOAL || joint.driven == DRIVEN_TO_POSITION;
    let most = params.joint_share * borne.y * params.substep_dt * params.substep_dt;
    return select(max(most - joint_nodes[i].felt.drive * length(off), 0.0), 0.0, goal && joint.compliance > 0.0);
}

// Adds what moves the body on this side of a joint to what the joint carries, and breaks one that bears more than it can.
fn bear(joint: u32, side: f32, moved: Answer, sweep: u32) {
    let h = params.substep_dt;
    let begins = batch.substep + batch.iteration + sweep == 0u;
    let share = side / (h * params.dt);
    joint_states[joint].force = select(joint_states[joint].force, vec3f(0.0), begins) + share * moved.impulse_velocity.linear;
    joint_states[joint].torque = select(joint_states[joint].torque, vec3f(0.0), begins) + share * moved.impulse_velocity.angular;
    // What pulls its bodies together from afar is no load that breaks it.
    if joint_states[joint].broken == JOINT_MENDS {
        return;
    }
    if length(moved.impulse_velocity.linear) > joints[joint].break_force * h * h {
        joint_states[joint].broken = JOINT_BROKEN;
        atomicAdd(&control.joints_broken, 1u);
    }
}

// Moves the body by what its joint and its children's joints do to it: opposite on the two sides of each.
fn push_body(i: u32, sweep: u32) {
    let index = joint_nodes[i].body;
    if joint_nodes[i].joint != NONE && joint_nodes[i].held != 0u {
        joint_nodes[i].moved.owed = joint_nodes[i].owes;
        let above = joint_nodes[joint_nodes[i].parent].body;
        if bodies[index].inv_mass != 0.0 || bodies[above].inv_mass != 0.0 {
            bear(joint_nodes[i].joint, joint_nodes[i].side, joint_nodes[i].moved, sweep);
        }
    }
    if bodies[index].inv_mass == 0.0 {
        return;
    }
    var push: Push;
    if joint_nodes[i].joint != NONE && joint_nodes[i].held != 0u {
        push = pushed_by(push, joint_nodes[i].moved, joint_nodes[i].rows.arm, 1.0);
    } else {
        push.velocity_angular = joint_nodes[i].felt.owed;
    }
    for (var c = joint_nodes[i].first_child; c < joint_nodes[i].first_child + joint_nodes[i].child_count; c++) {
        if joint_nodes[c].held != 0u {
            push = pushed_by(push, joint_nodes[c].moved, joint_nodes[c].rows.parent_arm, -1.0);
        }
    }
    apply(index, push);
}

// `push` and what the joint does to its body (side 1), or to the body's parent (side -1).
fn pushed_by(push: Push, moved: Answer, arm: vec3f, side: f32) -> Push {
    return Push(
        push.linear + side * moved.impulse.linear,
        push.angular + side * (moved.impulse.angular + cross(arm, moved.impulse.linear)),
        push.velocity_linear + side * moved.impulse_velocity.linear,
        push.velocity_angular + side * (moved.impulse_velocity.angular + cross(arm, moved.impulse_velocity.linear)),
    );
}

fn apply(index: u32, push: Push) {
    let body = bodies[index];
    let p = body_properties[index];
    let shift = pseudo_moved(body_pseudo_motions[index], body, p, push);
    body_pseudo_motions[index].linear = shift.linear;
    body_pseudo_motions[index].rotation = shift.rotation;
    let pushed = body_pushed(body, p, push, params.substep_dt);
    bodies[index].center = pushed.center;
    bodies[index].rotation = pushed.rotation;
    bodies[index].velocity = pushed.velocity;
    bodies[index].angular_velocity = pushed.angular_velocity;
}

// A joint between bodies that a tree holds already, solved for the two alone.
fn close_loop(i: u32, sweep: u32) {
    if measure_joint(i) == 0.0 {
        return;
    }
    let joint = joints[i];
    let r = rows_of(1.0);
    let p = body_properties[joint.body_a];
    var inertia: Inertia;
    var above: Inertia;
    if a.inv_mass != 0.0 {
        above = body_inertia(a, p);
    }
    if b.inv_mass != 0.0 {
        let own = body_inertia(b, body_properties[joint.body_b]);
        inertia = inertia_at(inertia_unlocked(own, body_properties[joint.body_b], inertia_sum(own, above)), r.arm);
    } else {
        inertia = fixed_inertia(above, FIXED);
    }
    var felt = feel(inertia, Spatial(), Spatial(), r, joint, sweep);
    var gone: Travel;
    if TRAVELS {
        gone = travel(&felt, way_of(1.0), joint, sweep);
    }
    var motion: Spatial;
    var motion_velocity: Spatial;
    if a.inv_mass != 0.0 {
        above = inertia_unlocked(inertia_sum(above, inertia_at(felt.inertia, -r.parent_arm)), p, above);
        motion = motion_of(above, opposite(spatial_unlocked(impulse_at(felt.bias, -r.parent_arm), p)));
        motion_velocity = motion_of(above, opposite(spatial_unlocked(impulse_at(felt.bias_velocity, -r.parent_arm), p)));
    }
    let moved = answer(felt, gone, r, motion, motion_velocity);
    bear(i, 1.0, moved, sweep);
    if a.inv_mass != 0.0 {
        apply(joint.body_a, pushed_by(Push(), moved, r.parent_arm, -1.0));
    }
    if b.inv_mass != 0.0 {
        apply(joint.body_b, pushed_by(Push(), moved, r.arm, 1.0));
    }
}
