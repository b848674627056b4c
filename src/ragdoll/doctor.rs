//! The self-check of a finished plan, on the CPU: finds what a simulation would fail on.

use super::RagdollPlan;
use super::bodies::CONDITIONED;
use super::limits::{DEGREE, NO_HINGE, breach};
use super::motion::Motion;
use crate::scene::JointKind;

/// Fewest particles of a body.
const LEAST_PARTICLES: usize = 4;
/// How far outside its limits a clip pose may be [rad].
const TOLERANCE: f32 = 0.5 * DEGREE;

/// What is wrong with a plan, a sentence each; nothing if all is well. `motion` has the clips' turns of its bodies.
pub(super) fn examine(plan: &RagdollPlan, motion: &Motion) -> Vec<String> {
    let mut found = Vec::new();
    let name = |body: usize| &plan.bodies[body].desc.name;
    for body in &plan.bodies {
        let ([second, _], count) = (body.conditioning(), body.desc.points.len());
        if count < LEAST_PARTICLES || second < CONDITIONED {
            let name = &body.desc.name;
            found.push(format!("{name} has {count} particles, too much along a line ({second:.3}); it may spin"));
        }
    }
    let mut reached = vec![false; plan.bodies.len()];
    plan.joints.iter().for_each(|j| [j.parent, j.child].iter().for_each(|b| reached[*b] = true));
    for body in (0..reached.len()).filter(|b| !reached[*b] && reached.len() > 1) {
        found.push(format!("{} hangs on nothing", name(body)));
    }
    for joint in &plan.joints {
        let turns = motion.between(joint.parent, joint.child);
        let over = breach(joint, &turns);
        // A hinge takes small turns across its axis without a jolt.
        if over > if joint.kind == JointKind::Hinge { NO_HINGE } else { TOLERANCE } {
            let degrees = over / DEGREE;
            found.push(format!(
                "clips turn {} in {} {degrees:.0}° beyond its {:?} joint; it will snap when it goes limp",
                name(joint.child),
                name(joint.parent),
                joint.kind
            ));
        }
        if !joint.pivot.is_finite() || !joint.friction.is_finite() {
            found.push(format!("the joint of {} is not finite", name(joint.child)));
        }
    }
    found
}
