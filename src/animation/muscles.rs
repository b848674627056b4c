//! Muscles: how a performer follows its clip by its own strength, keeps its balance, and loses it.
//!
//! Every joint is driven towards the clip with at most the torque of its limb, that of a person on Earth whatever the gravity of the
//! world; nothing holds the bodies, so that the ground carries them and obstacles stop them. A character has no brain to
//! step with: what keeps it over its feet is a pull on its trunk, along the ground and about all axes, as strong as feet can push. What is
//! pushed farther than that falls.

use std::collections::{BTreeMap, VecDeque};

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::track::ease;
use super::{Limb, Rig};
use crate::scene::{BodyGoal, BodyId, BodyPull, Cues, Joint, JointId, Motor, Placement, Scene, Sighting};

/// Torque of a muscle over that of gravity on what it moves: a person holds 5 to 10 times the weight of an arm out.
const TORQUE: f32 = 12.0;
/// Torque of the joints above a foot, over the weight of the whole times its height: 140 N m of a grown person, as in a squat on one leg.
const LEG: f32 = 0.12;
/// A limb that comes so near to the ground is a foot, as a share of the height.
const FOOT: f32 = 0.06;
/// Time in which a joint makes up for what it is off [s].
const RESPONSE: f32 = 0.03;
/// A limb that carries such a share of the mass is of the trunk.
const TRUNK: f32 = 0.15;
/// How fast balance brings the trunk back [1/s].
const BALANCE_RATE: f32 = 10.0;
/// Most force of balance over the weight: what feet push against the ground before they slide.
const BALANCE_FORCE: f32 = 0.6;
/// Most torque of balance over the weight times the height.
const BALANCE_TORQUE: f32 = 0.15;
/// Who is off so far cannot be caught by a step, as a share of the height.
const STEP: f32 = 0.2;
/// Lean of the hips that nothing rights [rad].
const LEAN: f32 = 0.9;
/// Sunk so far, the legs have given way, as a share of the height of the hips.
const SUNK: f32 = 0.4;
/// Time in which the place where it stands follows where it was pushed to [s].
const DRIFT: f32 = 0.4;
/// Strength left in a fall, to catch it with.
const FALLING: f32 = 0.3;
/// Time in which the arms of who falls come to where they catch it [s]: a fall takes .6 s from when it is felt.
const BRACING: f32 = 0.12;
/// Where they reach, along the ground in the direction of the fall and away from the trunk, for 1 downward.
const AHEAD: f32 = 0.7;
const SPREAD: f32 = 0.25;
/// So much of what the clip bends an arm it stretches.
const STRETCHED: f32 = 0.5;
/// An arm on the far side by so much cannot reach there: cosine between its side and the fall.
const FAR: f32 = -0.5;
/// Torque of the joints of an arm that catches a fall, over the weight of the whole times its height: an elbow of 60 N m of a grown person.
const CATCH: f32 = 0.05;
/// Slowest trunk that tells where the fall goes [m/s].
const GOES: f32 = 0.3;
/// The tip of an arm is so far aside, as a share of the height, and a part of it that is as long as this share of the longest is no collar bone.
const ASIDE: f32 = 0.12;
const LONG: f32 = 0.6;
/// So much that a joint is off more than a frame before is felt as a blow, and so much numbs wholly [rad]: strain that grows slowly is
/// a load.
const FELT: f32 = 0.03;
const NUMBING: f32 = 0.12;
/// Time in which a numb limb recovers [s].
const RECOVERY: f32 = 0.7;
/// What its neighbors feel of it.
const SHARED: f32 = 0.5;
/// Frames from one that is simulated to when it is seen.
const LATE: usize = 4;
/// Slow enough to get up [m/s], and for how long [s].
const CALM: f32 = 0.35;
const REST: f32 = 1.0;
const GRAVITY: f32 = 9.81;

/// The muscle of a joint between two limbs.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Muscle {
    joint: JointId,
    /// Limbs of bodies a and b.
    limbs: [usize; 2],
    /// That which hangs on the other.
    child: usize,
    /// Joint frames in both, and the middle of the swing, as of [`Joint`].
    frames: [Quat; 2],
    center: Quat,
    /// Most torque [N m].
    torque: f32,
    /// Part of it that it was given, 0 to 1.
    strength: f32,
    /// Whether the solver has a motor for it.
    driven: bool,
    /// How far the joint was off when it was last seen [rad]; infinite if it was not.
    off: f32,
}

impl Muscle {
    /// The turn that limbs in these places have at the joint.
    fn turn(&self, limbs: &[Placement]) -> Quat {
        let [a, b] = self.limbs.map(|limb| limbs[limb].rotation);
        self.center * (a * self.frames[0]).inverse() * (b * self.frames[1])
    }
}

/// An arm: limbs from the upper arm to the hand, each with where it hangs on the one before, and its middle, in the bind pose [m].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Arm {
    limbs: Vec<usize>,
    #[serde(with = "crate::pack")]
    pivots: Vec<Vec3>,
    tip: Vec3,
    /// What the upper arm hangs on.
    on: usize,
}

impl Arm {
    /// Whether it can be one, after it was read from a file.
    fn fits(&self) -> bool {
        let finite = self.pivots.iter().chain([&self.tip]).all(|at| at.is_finite());
        finite && !self.limbs.is_empty() && self.limbs.len() == self.pivots.len()
    }

    /// How limbs of a person that `lies` so turn that the hand is where `way` goes from the shoulder, and each joint between is half as bent as
    /// in the clip, which has the limbs as in `played`.
    fn reaching(&self, way: Vec3, lies: &[Placement], played: &[Placement]) -> Vec<(usize, Quat)> {
        let against = |on: usize, limb: usize| played[on].rotation.inverse() * played[limb].rotation;
        let upper = lies[self.on].rotation * against(self.on, self.limbs[0]);
        let mut turn = Quat::IDENTITY;
        let mut turns = vec![turn];
        for pair in self.limbs.windows(2) {
            turn *= against(pair[0], pair[1]).slerp(Quat::IDENTITY, STRETCHED);
            turns.push(turn);
        }
        let ends = self.pivots.iter().skip(1).chain([&self.tip]);
        let reach: Vec3 =
            turns.iter().zip(self.pivots.iter().zip(ends)).map(|(turn, (from, to))| *turn * (to - from)).sum();
        let Some(now) = (upper * reach).try_normalize() else { return Vec::new() };
        let upper = Quat::from_rotation_arc(now, way) * upper;
        self.limbs.iter().zip(turns).map(|(limb, turn)| (*limb, (upper * turn).normalize())).collect()
    }
}

/// Whether it stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Poise {
    /// Over its feet.
    Standing,
    /// On the way down, and then on the ground, for so long without moving much [s].
    Fallen(f32),
}

/// The muscles of a performer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Muscles {
    muscles: Vec<Muscle>,
    /// Strength of its balance, 0 to 1.
    balance: f32,
    poise: Poise,
    /// Masses of the limbs [kg].
    masses: Vec<f32>,
    /// How numb limbs are, 0 to 1.
    numb: Vec<f32>,
    /// How tall it is [m].
    tall: f32,
    /// Limbs that it stands on.
    feet: Vec<usize>,
    /// Limbs that it balances with, and their masses, with those of legs, arms and head that hang on them [kg].
    trunk: Vec<(usize, f32)>,
    /// What it catches a fall with.
    #[serde(default)]
    arms: Vec<Arm>,
    /// Where it falls, along the ground, and how far its arms have come to catch it, 0 to 1.
    #[serde(default)]
    falls: Vec3,
    #[serde(default)]
    braced: f32,
    /// Where the clip had it in the last frames that were not seen yet: limbs.
    wanted: VecDeque<Vec<Placement>>,
    /// How far limbs were from the clip when it looked last: positions [m] and turns; empty before.
    astray: Vec<(Vec3, Quat)>,
}

/// What a look at itself makes a performer do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reaction {
    /// It goes on, and the place where it stands by so much [m].
    Goes(Vec3),
    /// It has lain still for long enough to get up.
    Rises,
}

impl Muscles {
    /// Those of the joints between these bodies, all of this strength.
    pub(super) fn new(rig: &Rig, bodies: &[BodyId], scene: &Scene, strength: f32) -> Self {
        let masses: Vec<f32> = bodies.iter().map(|id| scene.body(*id).mass).collect();
        let limbs: BTreeMap<BodyId, usize> = bodies.iter().copied().zip(0..).collect();
        let limb = |id: BodyId| limbs.get(&id).copied();
        let bind: Vec<Placement> =
            rig.limbs().iter().map(|limb| Placement { position: limb.center, rotation: Quat::IDENTITY }).collect();
        let low = rig.lowest(&bind);
        let top = |limb: &Limb| limb.points.iter().map(|p| limb.center.y + p.y + limb.radius).fold(f32::MIN, f32::max);
        let tall = rig.limbs().iter().map(top).fold(f32::MIN, f32::max) - low;
        let feet = feet(rig, low, tall);
        let weight = GRAVITY * masses.iter().sum::<f32>();
        let legs = LEG * weight * tall;
        let muscle = |(index, joint): (usize, &Joint)| {
            let limbs = [limb(joint.desc.a)?, limb(joint.desc.b)?];
            let child = child(rig, limbs);
            let beyond = rig.below(child);
            let pivot = rig.limbs()[child].hangs.map_or(Vec3::ZERO, |(_, pivot)| pivot);
            let moment: f32 = beyond.iter().map(|i| masses[*i] * rig.limbs()[*i].center.distance(pivot)).sum();
            let own = TORQUE * GRAVITY * moment;
            let torque = if beyond.iter().any(|i| feet.contains(i)) { own.max(legs) } else { own };
            Some(Muscle {
                joint: JointId(index as u32),
                limbs,
                child,
                frames: [joint.frame_a, joint.frame_b],
                center: joint.desc.center.normalize(),
                torque,
                strength,
                driven: false,
                off: f32::INFINITY,
            })
        };
        let muscles = scene.joints.iter().enumerate().filter_map(muscle).collect();
        let trunk = trunk(rig, &masses, &feet);
        let count = bodies.len();
        Self {
            muscles,
            balance: strength,
            poise: Poise::Standing,
            numb: vec![0.0; count],
            tall,
            arms: arms(rig, &trunk, &feet, tall),
            falls: Vec3::ZERO,
            braced: 0.0,
            trunk,
            feet,
            masses,
            wanted: VecDeque::new(),
            astray: Vec::new(),
        }
    }

    /// Whether they can be those of a rig with so many limbs, in a scene with so many joints, after they were read from a file.
    pub(super) fn fit(&self, limbs: usize, joints: usize) -> bool {
        let strengths =
            self.muscles.iter().map(|muscle| muscle.strength).chain([self.balance]).chain(self.numb.iter().copied());
        let seen = Some(self.astray.len()).filter(|seen| *seen > 0);
        let sizes =
            [self.masses.len(), self.numb.len()].into_iter().chain(self.wanted.iter().map(Vec::len)).chain(seen);
        let own = |muscle: &Muscle| {
            let turns = muscle.frames.iter().chain([&muscle.center]).all(|turn| turn.is_normalized());
            (muscle.joint.0 as usize) < joints && muscle.limbs.contains(&muscle.child) && turns && muscle.torque >= 0.0
        };
        let arms = self.arms.iter().flat_map(|arm| arm.limbs.iter().copied().chain([arm.on]));
        let named = self.muscles.iter().flat_map(|muscle| muscle.limbs).chain(self.feet.iter().copied()).chain(arms);
        let pulled = self.trunk.iter().all(|(_, mass)| *mass >= 0.0 && mass.is_finite());
        let mass: f32 = self.masses.iter().sum();
        sizes.chain([limbs]).all(|size| size == limbs)
            && named.chain(self.trunk.iter().map(|(limb, _)| *limb)).all(|limb| limb < limbs)
            && strengths.into_iter().all(|strength| (0.0..=1.0).contains(&strength))
            && self.muscles.iter().all(own)
            && self.arms.iter().all(Arm::fits)
            && (self.falls == Vec3::ZERO || self.falls.is_normalized())
            && (0.0..=1.0).contains(&self.braced)
            && pulled
            && mass > 0.0
            && [mass, self.tall].into_iter().all(f32::is_finite)
    }

    /// Takes the strengths of others of the same joints.
    pub(super) fn with_strengths_of(mut self, others: &Self) -> Self {
        if self.muscles.len() == others.muscles.len() {
            self.muscles.iter_mut().zip(&others.muscles).for_each(|(own, other)| own.strength = other.strength);
            self.balance = others.balance;
        }
        self
    }

    /// Gives all of them this strength.
    pub(super) fn strengthen(&mut self, strength: f32) {
        self.muscles.iter_mut().for_each(|muscle| muscle.strength = strength);
        self.set_balance(strength);
    }

    /// Gives those between what these limbs hang on and them this strength.
    pub(super) fn strengthen_limbs(&mut self, limbs: &[usize], strength: f32) {
        let own = |muscle: &&mut Muscle| limbs.contains(&muscle.child);
        self.muscles.iter_mut().filter(own).for_each(|muscle| muscle.strength = strength);
    }

    /// The strength of that between what this limb hangs on and it; none of the limb that hangs on nothing.
    pub(super) fn strength_of(&self, limb: usize) -> Option<f32> {
        self.muscles.iter().find(|muscle| muscle.child == limb).map(|muscle| muscle.strength)
    }

    pub(super) fn set_balance(&mut self, strength: f32) {
        self.balance = strength;
        if strength == 0.0 {
            // Who keeps no balance loses none.
            self.poise = Poise::Standing;
        }
    }

    /// Loses its balance.
    pub(super) fn fall(&mut self) {
        if self.balance > 0.0 {
            self.poise = Poise::Fallen(0.0);
        }
    }

    /// How tall it is [m].
    pub(super) fn tall(&self) -> f32 {
        self.tall
    }

    /// Where its limbs are, if it has looked: as far from where the clip has them `now` as when it looked last.
    pub(super) fn guess(&self, now: &[Placement]) -> Option<Vec<Placement>> {
        let limb = |(now, (position, rotation)): (&Placement, &(Vec3, Quat))| Placement {
            position: now.position + position,
            rotation: (*rotation * now.rotation).normalize(),
        };
        Some(now.iter().zip(&self.astray).map(limb).collect()).filter(|limbs: &Vec<_>| limbs.len() == now.len())
    }

    pub(super) fn has_fallen(&self) -> bool {
        self.poise != Poise::Standing
    }

    /// Stands again, as if it had never been struck.
    pub(super) fn stand(&mut self) {
        self.poise = Poise::Standing;
        self.numb.fill(0.0);
        self.forget();
    }

    /// Forgets what it waits to see: it was put elsewhere by this, as far from the clip as before.
    pub(super) fn moved(&mut self, by: &Placement) {
        let astray = std::mem::take(&mut self.astray);
        self.forget();
        let turned = |(off, turn): (Vec3, Quat)| (by.rotation * off, by.rotation * turn * by.rotation.inverse());
        self.astray = astray.into_iter().map(turned).collect();
    }

    /// Forgets what it saw and waits to see.
    fn forget(&mut self) {
        self.wanted.clear();
        self.astray.clear();
        self.muscles.iter_mut().for_each(|muscle| muscle.off = f32::INFINITY);
    }

    /// Lets go of all that is driven.
    pub(super) fn relax(&mut self, cues: &mut Cues) {
        for muscle in self.muscles.iter_mut().filter(|muscle| muscle.driven) {
            muscle.driven = false;
            cues.motors.push((muscle.joint, None));
        }
        self.forget();
    }

    /// Drives limbs that are not `loose` from one stance to the next in a frame of `dt` [s].
    pub(super) fn act(&mut self, loose: &[bool], [from, to]: [&[Placement]; 2], dt: f32, cues: &mut Cues) {
        let reached = self.brace(to, dt);
        let catches = CATCH * GRAVITY * self.masses.iter().sum::<f32>() * self.tall;
        let share = if self.poise == Poise::Standing { 1.0 } else { FALLING };
        for muscle in &mut self.muscles {
            let numb = muscle.limbs.map(|limb| self.numb[limb]).into_iter().fold(0.0, f32::max);
            let reaches = reached.as_ref().filter(|(_, arms)| arms.contains(&muscle.child));
            let torque = if reaches.is_some() { muscle.torque.max(catches) } else { share * muscle.torque };
            let numb = if reaches.is_some() { 0.0 } else { numb };
            let max_torque = muscle.strength * torque * (1.0 - numb);
            if max_torque > 0.0 && !loose[muscle.child] {
                let [before, target] = [from, to].map(|limbs| muscle.turn(limbs));
                let (target, spin) = match reaches {
                    Some((limbs, _)) => (target.slerp(muscle.turn(limbs), ease(self.braced)), Vec3::ZERO),
                    None => (target, spin(before, target, dt)),
                };
                cues.motors.push((muscle.joint, Some(Motor::Muscle { target, spin, response: RESPONSE, max_torque })));
                muscle.driven = true;
            } else if std::mem::take(&mut muscle.driven) {
                cues.motors.push((muscle.joint, None));
            }
        }
        self.wanted.push_back(to.to_vec());
        if self.wanted.len() > LATE {
            // Nobody lets it see.
            self.wanted.pop_front();
        }
        self.numb.iter_mut().for_each(|numb| *numb = (*numb - dt / RECOVERY).max(0.0));
    }

    /// While it falls, how its limbs turn so that arms reach for the ground ahead, and which limbs those are.
    fn brace(&mut self, played: &[Placement], dt: f32) -> Option<(Vec<Placement>, Vec<usize>)> {
        let lies = self.guess(played).filter(|_| self.poise == Poise::Fallen(0.0) && self.falls != Vec3::ZERO);
        let Some(mut limbs) = lies else {
            self.braced = 0.0;
            return None;
        };
        self.braced = (self.braced + dt / BRACING).min(1.0);
        let mut reaching = Vec::new();
        for arm in &self.arms {
            let aside = (limbs[arm.limbs[0]].position - limbs[arm.on].position).with_y(0.0).normalize_or_zero();
            if aside.dot(self.falls) < FAR {
                continue;
            }
            let way = (AHEAD * self.falls + SPREAD * aside - Vec3::Y).normalize();
            for (limb, rotation) in arm.reaching(way, &limbs, played) {
                limbs[limb].rotation = rotation;
                reaching.push(limb);
            }
        }
        Some((limbs, reaching))
    }

    /// Keeps the trunk over the feet, but for what of it is `loose`.
    pub(super) fn balance(&self, bodies: &[BodyId], loose: &[bool], [from, to]: [&[Placement]; 2], cues: &mut Cues) {
        if self.poise != Poise::Standing || self.balance == 0.0 {
            return;
        }
        for (limb, mass) in self.trunk.iter().copied().filter(|(limb, _)| !loose[*limb]) {
            let weight = self.balance * (1.0 - self.numb[limb]) * mass * GRAVITY;
            cues.pulls.push(BodyPull {
                goal: BodyGoal { body: bodies[limb], from: from[limb], to: to[limb] },
                rate: BALANCE_RATE,
                mass,
                max_force: BALANCE_FORCE * weight,
                max_torque: BALANCE_TORQUE * weight * self.tall,
            });
        }
    }

    /// Sees its bodies as they were some frames ago; none of those that are out of the world.
    pub(super) fn see(&mut self, rig: &Rig, bodies: &[Option<Sighting>], dt: f32) -> Option<Reaction> {
        let wanted = if self.wanted.len() >= LATE { self.wanted.pop_front() } else { None }?;
        let places: Vec<Placement> =
            bodies.iter().zip(&wanted).map(|(body, wanted)| body.map_or(*wanted, |body| body.place)).collect();
        self.feel(&places, &wanted);
        let astray =
            |(at, to): (&Placement, &Placement)| (at.position - to.position, at.rotation * to.rotation.inverse());
        self.astray = places.iter().zip(&wanted).map(astray).collect();
        let next = self.wanted.front().unwrap_or(&wanted);
        let root = rig.root().filter(|root| bodies[*root].is_some())?;
        let mean = |of: &dyn Fn(usize) -> Vec3| -> Vec3 {
            let there = || self.masses.iter().enumerate().filter(|(i, _)| bodies[*i].is_some());
            there().map(|(i, mass)| *mass * of(i)).sum::<Vec3>() / there().map(|(_, mass)| mass).sum::<f32>()
        };
        let speed = mean(&|i| bodies[i].map_or(Vec3::ZERO, |body| body.velocity));
        if let Poise::Fallen(calm) = self.poise {
            self.turn_fall(bodies);
            let calm = if speed.length() < CALM { calm + dt } else { 0.0 };
            self.poise = Poise::Fallen(calm);
            return Some(if calm > REST { Reaction::Rises } else { Reaction::Goes(Vec3::ZERO) });
        }
        let off = mean(&|i| places[i].position - wanted[i].position).with_y(0.0);
        let expected = mean(&|i| (next[i].position - wanted[i].position) / dt);
        let high = (0.5 * self.tall).max(0.05);
        // Where it would come to rest beside the clip (Hof 2008: the extrapolated center of mass).
        let reach = off + (speed - expected).with_y(0.0) * (high / GRAVITY).sqrt();
        let lean = (places[root].rotation * Vec3::Y).angle_between(wanted[root].rotation * Vec3::Y);
        let sunk = wanted[root].position.y - places[root].position.y;
        let low = wanted[root].position.y - rig.lowest(&wanted);
        if reach.length() > STEP * self.tall || lean > LEAN || sunk > SUNK * low {
            self.fall();
            self.turn_fall(bodies);
        }
        // It stands where the foot is that bears it, as high too, and comes back over it.
        let bearing = self.feet.iter().copied().min_by(|a, b| wanted[*a].position.y.total_cmp(&wanted[*b].position.y));
        let slid = bearing.map_or(Vec3::ZERO, |i| places[i].position - wanted[i].position);
        Some(Reaction::Goes(slid * (1.0 - (-dt / DRIFT).exp())))
    }

    /// Sees where its trunk falls.
    fn turn_fall(&mut self, bodies: &[Option<Sighting>]) {
        let trunk = || self.trunk.iter().filter_map(|(limb, mass)| Some((bodies[*limb]?, *mass)));
        let momentum: Vec3 = trunk().map(|(body, mass)| mass * body.velocity).sum();
        let speed = (momentum / trunk().map(|(_, mass)| mass).sum::<f32>()).with_y(0.0);
        if speed.length() > GOES {
            self.falls = speed.normalize();
        }
    }

    /// Numbs limbs whose joints were thrown off within a frame, and less what they are tied to.
    fn feel(&mut self, seen: &[Placement], wanted: &[Placement]) {
        let reaching: Vec<usize> =
            self.arms.iter().filter(|_| self.braced > 0.0).flat_map(|arm| arm.limbs.iter().copied()).collect();
        for muscle in self.muscles.iter_mut().filter(|muscle| !reaching.contains(&muscle.child)) {
            let off = muscle.turn(seen).angle_between(muscle.turn(wanted));
            let blow = ((off - muscle.off - FELT) / (NUMBING - FELT)).clamp(0.0, 1.0);
            muscle.off = off;
            for limb in muscle.limbs {
                let felt = if limb == muscle.child { blow } else { SHARED * blow };
                self.numb[limb] = self.numb[limb].max(felt);
            }
        }
    }
}

/// The limb that hangs on the other one.
fn child(rig: &Rig, [a, b]: [usize; 2]) -> usize {
    if rig.limbs()[b].hangs.is_some_and(|(on, _)| on == a) { b } else { a }
}

/// Angular velocity that leads from one turn to the other in `dt` [rad/s].
fn spin(from: Quat, to: Quat, dt: f32) -> Vec3 {
    let [from, to] = [from, to].map(|rotation| Placement { rotation, ..Placement::IDENTITY });
    // What jumps is not followed on its way.
    from.motion(&to, dt).1.clamp_length_max(Motor::FASTEST_GOAL)
}

/// Limbs that carry much and are no legs, and what each of them has to balance: itself and what hangs on it besides [kg].
fn trunk(rig: &Rig, masses: &[f32], feet: &[usize]) -> Vec<(usize, f32)> {
    let root = rig.root();
    let whole: f32 = masses.iter().sum();
    let beyond: Vec<Vec<usize>> = (0..masses.len()).map(|i| rig.below(i)).collect();
    let of = |limbs: &[usize]| limbs.iter().map(|i| masses[*i]).sum::<f32>();
    let is_leg = |i: usize| Some(i) != root && beyond[i].iter().any(|i| feet.contains(i));
    let is_trunk = |i: usize| Some(i) == root || (!is_leg(i) && of(&beyond[i]) > TRUNK * whole);
    let hang = |on: usize| {
        let light = |i: &usize| rig.limbs()[*i].hangs.is_some_and(|(above, _)| above == on) && !is_trunk(*i);
        (0..masses.len()).filter(light).map(|i| of(&beyond[i])).sum::<f32>()
    };
    (0..masses.len()).filter(|i| is_trunk(*i)).map(|i| (i, masses[i] + hang(i))).collect()
}

/// Chains of limbs that end far aside of the trunk and do not come down to the ground.
fn arms(rig: &Rig, trunk: &[(usize, f32)], feet: &[usize], tall: f32) -> Vec<Arm> {
    let limbs = rig.limbs();
    let Some(root) = rig.root() else { return Vec::new() };
    let hangs = |on: usize| (0..limbs.len()).filter(move |i| limbs[*i].hangs.is_some_and(|(above, _)| above == on));
    let is_trunk = |i: usize| trunk.iter().any(|(limb, _)| *limb == i);
    let chain = |first: usize| {
        let heavier = |limb: usize| {
            hangs(limb).max_by_key(|i| rig.below(*i).iter().map(|i| limbs[*i].points.len()).sum::<usize>())
        };
        std::iter::successors(Some(first), |limb| heavier(*limb)).collect::<Vec<usize>>()
    };
    let arm = |first: usize| {
        let mut limbs_of = chain(first);
        let tip = limbs[*limbs_of.last()?].center;
        let aside = (tip - limbs[root].center).with_y(0.0).x.abs();
        if limbs_of.iter().any(|i| feet.contains(i)) || aside < ASIDE * tall {
            return None;
        }
        let pivot = |i: &usize| limbs[*i].hangs.map(|(_, pivot)| pivot);
        let pivots: Vec<Vec3> = limbs_of.iter().map(pivot).collect::<Option<_>>()?;
        let lengths: Vec<f32> =
            pivots.iter().zip(pivots.iter().skip(1).chain([&tip])).map(|(a, b)| a.distance(*b)).collect();
        let longest = lengths.iter().copied().fold(0.0, f32::max);
        let upper = lengths.iter().position(|length| *length > LONG * longest)?;
        limbs_of.drain(..upper);
        let on = limbs[limbs_of[0]].hangs?.0;
        Some(Arm { limbs: limbs_of, pivots: pivots[upper..].to_vec(), tip, on })
    };
    let firsts = (0..limbs.len()).filter(|i| !is_trunk(*i) && limbs[*i].hangs.is_some_and(|(on, _)| is_trunk(on)));
    firsts.filter_map(arm).collect()
}

/// Limbs that come down to the ground.
fn feet(rig: &Rig, low: f32, tall: f32) -> Vec<usize> {
    let lowest = |limb: &Limb| limb.points.iter().map(|p| limb.center.y + p.y - limb.radius).fold(f32::MAX, f32::min);
    let near = |(_, limb): &(usize, &Limb)| lowest(limb) < low + FOOT * tall;
    rig.limbs().iter().enumerate().filter(near).map(|(i, _)| i).collect()
}
