//! Joints authored as shared particles (paper 5, section 4), with limits, motors, friction and breaking.

use glam::{Mat3, Quat, Vec3, Vec3Swizzles};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, not_negative, number, positive, present, rotation, vector};
use super::{BodyId, ParticleId};

/// Kinds of joint between two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// One shared particle: free to swing and twist.
    Ball,
    /// Two shared particles on the axis: free to turn about it.
    Hinge,
    /// Four shared particles in a square across the axis: no freedom. It does not bend, unless shared particles are averaged.
    Stiff,
    /// One shared particle and two axes that stay square, Y of body a and Z of body b: swings both ways, does not twist.
    /// Paper 5 makes it of a middle body and two hinges; solved as one joint it needs no light body between heavy ones.
    /// Where shared particles are averaged it is a ball joint.
    Universal,
    /// A point of each body, and how far they are apart: a rope, a spring or a rod. The bodies still touch each other. No shared
    /// particles: this and what follows acts with [`JointSolver::Point`](super::JointSolver::Point) only.
    Distance,
    /// Free to move along the axis of body a, does not turn: a piston, a drawer, a lift.
    Slider,
    /// Free to move along the axis of body a and to turn about it.
    Cylindrical,
    /// Each of three ways and three turns free, in a range, or none, by [`JointDesc::travel`] and [`JointDesc::limits`]. A swing
    /// of 0 both ways holds these turns, as a hinge does.
    Generic,
}

impl JointKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Ball,
        Self::Hinge,
        Self::Stiff,
        Self::Universal,
        Self::Distance,
        Self::Slider,
        Self::Cylindrical,
        Self::Generic,
    ];

    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge => "hinge",
            Self::Stiff => "stiff",
            Self::Universal => "universal",
            Self::Distance => "distance",
            Self::Slider => "slider",
            Self::Cylindrical => "cylindrical",
            Self::Generic => "generic",
        }
    }

    /// Whether its points may part; it has no shared particles then.
    pub fn travels(self) -> bool {
        matches!(self, Self::Distance | Self::Slider | Self::Cylindrical | Self::Generic)
    }
}

/// Where the point of body b may be along a line: for a distance joint how far it is from the point of body a, else how far it
/// has gone along an axis of body a from where the joint is made. What is outside returns at 1 m/s and does not bounce.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Travel {
    /// Least [m]; minus infinite for none.
    pub min: f32,
    /// Most [m], at least `min`; infinite for none.
    pub max: f32,
    /// Inverse stiffness of what holds it there [m/N]: 0 is rigid, more a spring that pulls back what is outside of the range.
    pub compliance: f32,
}

impl Travel {
    /// Anywhere.
    pub const FREE: Self = Self { min: f32::NEG_INFINITY, max: f32::INFINITY, compliance: 0.0 };
    /// Nowhere but where the joint is made.
    pub const NONE: Self = Self { min: 0.0, max: 0.0, compliance: 0.0 };

    /// A rigid range [m].
    pub fn between(min: f32, max: f32) -> Self {
        Self { min, max, compliance: 0.0 }
    }

    /// A spring of this length at rest [m] and inverse stiffness [m/N].
    pub fn spring(rest: f32, compliance: f32) -> Self {
        Self { min: rest, max: rest, compliance }
    }
}

/// Range of the relative rotation, from the pose the joint is made in and its center.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Limits {
    /// No limit.
    Free,
    /// Swing inside an ellipse and twist about the axis inside a range (ball and universal joints).
    SwingTwist {
        /// Half angle of the cone about the frame's Y axis [rad], 0..=π.
        swing_y: f32,
        /// Half angle of the cone about the frame's Z axis [rad], 0..=π.
        swing_z: f32,
        /// Least twist [rad], -π..=0.
        twist_min: f32,
        /// Most twist [rad], 0..=π.
        twist_max: f32,
    },
    /// Range of the hinge angle about the axis, turning body b relative to body a.
    Hinge {
        /// Least angle [rad].
        min: f32,
        /// Most angle [rad].
        max: f32,
    },
}

/// What drives a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Motor {
    /// A compliant drive towards a relative rotation: a spring, which swings past its target where its torque does not suffice to
    /// stop there. [`JointDesc::damping`] or friction let it come to rest; [`Motor::Muscle`] closes a door as it is.
    Target {
        /// Target rotation of body b relative to body a, from the pose the joint is made in, in the joint frame: X is the axis.
        /// [`Joint::rotation`] tells the present one.
        target: Quat,
        /// Inverse stiffness [rad/(N m)], 0 or more.
        compliance: f32,
        /// Most torque [N m], 0 or more; infinite is allowed.
        max_torque: f32,
    },
    /// A drive towards a relative rotation that turns itself, with the torque that it takes and no more: what body b is off
    /// the target dies away within `response`, whatever hangs on it, without swinging over. What a character's joints follow a clip by.
    Muscle {
        /// Target rotation when the next frame ends, as that of [`Motor::Target`].
        target: Quat,
        /// How the target turns until then, in the joint frame of body a, at most 100 [rad/s]; zero for one that stands still. It is for one
        /// frame: who does not tell anew where the target is by then sees it take the same way in every frame.
        spin: Vec3,
        /// Time in which all but 1/e of what it is off is made up for [s], 0 or more; 0 is at once.
        response: f32,
        /// Most torque [N m], 0 or more; infinite is allowed.
        max_torque: f32,
    },
    /// Keeps body b of a hinge turning about the axis, relative to body a: a wheel, a fan; a brake with a speed of 0.
    Speed {
        /// Speed about the axis [rad/s].
        speed: f32,
        /// Most torque [N m], 0 or more; infinite is allowed.
        max_torque: f32,
    },
    /// A compliant drive of body b to a place along the axis (sliders, cylindrical and generic joints), or of a distance joint to
    /// a distance; a spring as [`Motor::Target`] is.
    Position {
        /// How far along the axis from where the joint is made, or how far apart [m].
        position: f32,
        /// Inverse stiffness [m/N], 0 or more.
        compliance: f32,
        /// Most force [N], 0 or more; infinite is allowed.
        max_force: f32,
    },
    /// Keeps body b moving along that axis, relative to body a, or the points of a distance joint parting: a lift, a winch.
    Velocity {
        /// Speed [m/s].
        velocity: f32,
        /// Most force [N], 0 or more; infinite is allowed.
        max_force: f32,
    },
}

impl Motor {
    /// Fastest turn of the target of a muscle [rad/s]: one and a half turns in a tenth of a second.
    pub(crate) const FASTEST_GOAL: f32 = 100.0;

    /// A drive of a hinge towards an angle about its axis [rad], with this inverse stiffness [rad/(N m)] and most torque [N m].
    pub fn angle(angle: f32, compliance: f32, max_torque: f32) -> Self {
        Self::Target { target: Quat::from_rotation_x(angle), compliance, max_torque }
    }

    /// A drive of a hinge to a speed [rad/s], with at most this torque [N m].
    pub fn speed(speed: f32, max_torque: f32) -> Self {
        Self::Speed { speed, max_torque }
    }
}

/// A joint to add. All positions and directions are in the world, in the bodies' pose at the time of the call. In a world that
/// runs, [`Solver::spawn`](crate::solver::Solver::spawn) takes them in the pose that its bodies have then, whatever the scene
/// says of them: `pivot` is a place in the world as it is now. A joint between a running body and one that is new is where
/// the new one has it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointDesc {
    /// First body.
    pub a: BodyId,
    /// Second body.
    pub b: BodyId,
    /// Kind.
    pub kind: JointKind,
    /// Where the bodies meet [m]; of a distance joint its point of body a.
    pub pivot: Vec3,
    /// The point of body b of a distance joint [m]; the others have none.
    #[serde(default)]
    pub end: Vec3,
    /// Hinge axis, or that along which body b slides; for the others the twist axis, usually along the bone. Any length above 0.
    pub axis: Vec3,
    /// Direction of the frame's Y axis, made square to the axis; zero picks one.
    pub up: Vec3,
    /// Limits.
    pub limits: Limits,
    /// Middle of a ball joint's swing: the turn of body b relative to body a from the pose the joint is made in, in the
    /// joint frame. The limits count from there, so that a hip can bend further forward than back.
    pub center: Quat,
    /// Last part of the way to a limit, in which what turns towards it slows down evenly [rad], 0 or more; 0 stops dead.
    /// At most half of the way from the middle of the range. [`JointDesc::CUSHION`] by default.
    pub cushion: f32,
    /// Where the point of body b may be along X, Y and Z of the frame (generic joints), along X (sliders and cylindrical joints),
    /// or how far from the point of body a: first entry (distance joints). The rest, and all of other joints, is
    /// [`Travel::NONE`].
    #[serde(default = "nowhere")]
    pub travel: [Travel; 3],
    /// Drive.
    pub motor: Option<Motor>,
    /// Coulomb friction torque [N m], 0 or more; of joints that travel friction force along the way [N].
    pub friction: f32,
    /// Rate at which relative angular velocity dies away [1/s], 0 or more: after a second e^-damping of it is left; of joints that travel,
    /// the velocity along the way. It counts the mass of all that joints tie to the two bodies, and nothing that only lies on them: under a
    /// load, a light plate on a spring needs so many times the damping as the load is heavier.
    pub damping: f32,
    /// Force that breaks it [N]: the most of one substep; infinite never breaks. What is set down on it presses harder than its weight
    /// at first. Its bodies go on without touching each other, unless they `meet`.
    pub break_force: f32,
    /// Whether its bodies go on to touch each other, as those of a distance joint do: what limits the swing of a ball joint in paper 5.
    #[serde(default)]
    pub meet: bool,
    /// Radius of the shared particles [m]; also half the spacing of a hinge's or stiff joint's particles.
    pub radius: f32,
}

fn nowhere() -> [Travel; 3] {
    [Travel::NONE; 3]
}

impl JointDesc {
    /// The usual cushion: 8° [rad].
    pub const CUSHION: f32 = 8.0 * std::f32::consts::PI / 180.0;

    /// A free joint of this kind with no drive, friction or limits: sliders and cylindrical joints travel freely along their axis,
    /// generic joints do not travel, and a distance joint, for which there are [`JointDesc::rope`], [`JointDesc::rod`] and
    /// [`JointDesc::spring`] too, holds nothing.
    pub fn new(kind: JointKind, a: BodyId, b: BodyId, pivot: Vec3, axis: Vec3, radius: f32) -> Self {
        let slides = matches!(kind, JointKind::Distance | JointKind::Slider | JointKind::Cylindrical);
        let first = if slides { Travel::FREE } else { Travel::NONE };
        Self {
            a,
            b,
            kind,
            pivot,
            end: pivot,
            travel: [first, Travel::NONE, Travel::NONE],
            axis,
            up: Vec3::ZERO,
            limits: Limits::Free,
            center: Quat::IDENTITY,
            cushion: Self::CUSHION,
            motor: None,
            friction: 0.0,
            damping: 0.0,
            break_force: f32::INFINITY,
            meet: false,
            radius,
        }
    }

    /// A point of body a and one of body b that are never farther apart than `length` [m].
    pub fn rope(a: BodyId, b: BodyId, from: Vec3, to: Vec3, length: f32) -> Self {
        Self::apart(a, b, [from, to], Travel::between(0.0, length))
    }

    /// A point of body a and one of body b that stay as far apart as they are.
    pub fn rod(a: BodyId, b: BodyId, from: Vec3, to: Vec3) -> Self {
        Self::apart(a, b, [from, to], Travel::spring(from.distance(to), 0.0))
    }

    /// A spring from a point of body a to one of body b with a length at rest [m] and inverse stiffness [m/N]. Give it
    /// [`damping`](JointDesc::damping) to come to rest.
    pub fn spring(a: BodyId, b: BodyId, from: Vec3, to: Vec3, rest: f32, compliance: f32) -> Self {
        Self::apart(a, b, [from, to], Travel::spring(rest, compliance))
    }

    fn apart(a: BodyId, b: BodyId, [from, to]: [Vec3; 2], travel: Travel) -> Self {
        let axis = (to - from).try_normalize().unwrap_or(Vec3::X);
        let free = Self::new(JointKind::Distance, a, b, from, axis, Self::DRAWN);
        Self { end: to, travel: [travel, Travel::NONE, Travel::NONE], ..free }
    }

    /// Size of a distance joint as it is drawn [m].
    const DRAWN: f32 = 0.05;
}

/// One shared particle of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointPoint {
    /// The particle both bodies own.
    pub particle: ParticleId,
    /// Its place in body a [m].
    pub local_a: Vec3,
    /// Its place in body b [m].
    pub local_b: Vec3,
}

/// A joint of a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// How it was authored.
    pub desc: JointDesc,
    /// Shared particles: 1, 2 or 4; none where points may part.
    pub points: Vec<JointPoint>,
    /// Where the points of the others are, in body a and in body b [m].
    #[serde(default)]
    pub anchors: [Vec3; 2],
    /// Joint frame in body a, turned to the middle of the limits: X is the axis there.
    pub frame_a: Quat,
    /// Joint frame in body b: X is the axis.
    pub frame_b: Quat,
}

impl Joint {
    /// Its point in body a, and that in body b [m]: the middle of shared particles.
    pub fn ends(&self) -> [Vec3; 2] {
        let count = self.points.len() as f32;
        match self.points.len() {
            0 => self.anchors,
            _ => [
                self.points.iter().map(|point| point.local_a).sum::<Vec3>() / count,
                self.points.iter().map(|point| point.local_b).sum::<Vec3>() / count,
            ],
        }
    }

    /// The turn of body b relative to body a from the pose the joint is made in, in the joint frame, with the bodies turned so: what
    /// [`Motor::Target`] has as its target.
    pub fn rotation(&self, a: Quat, b: Quat) -> Quat {
        let relative = (a * self.frame_a).inverse() * (b * self.frame_b);
        (self.desc.center.normalize() * relative).normalize()
    }

    /// The angle about the axis that body b has turned relative to body a from the pose the joint is made in [rad], -π..=π: of a hinge
    /// its angle, of the others the twist.
    pub fn angle(&self, a: Quat, b: Quat) -> f32 {
        let turn = self.rotation(a, b);
        let half = turn.x.atan2(turn.w);
        let pi = std::f32::consts::PI;
        (2.0 * half + pi).rem_euclid(2.0 * pi) - pi
    }
}

impl JointDesc {
    /// Its axis, Y and Z in the world.
    pub(super) fn frame(&self) -> Mat3 {
        let axis = self.axis.normalize();
        let up = self.up.reject_from_normalized(axis).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
        Mat3::from_cols(axis, up, axis.cross(up))
    }

    /// Its shared particles from the pivot [m], in the world.
    pub(super) fn offsets(&self, frame: Mat3) -> Vec<Vec3> {
        let (axis, up, side, r) = (frame.x_axis, frame.y_axis, frame.z_axis, self.radius);
        match self.kind {
            JointKind::Ball | JointKind::Universal => vec![Vec3::ZERO],
            JointKind::Hinge => vec![axis * r, axis * -r],
            JointKind::Distance | JointKind::Slider | JointKind::Cylindrical | JointKind::Generic => Vec::new(),
            JointKind::Stiff => vec![(up + side) * r, (up - side) * r, (side - up) * r, (up + side) * -r],
        }
    }

    /// Checks it for a scene with so many bodies.
    pub(crate) fn check(&self, body_count: usize) -> Check {
        let item = &format!("joint of bodies {} and {}", self.a.0, self.b.0);
        [self.a, self.b].iter().try_for_each(|id| present(item, "body", id.0 as usize, body_count))?;
        if self.a == self.b {
            return Err(SceneError::SelfJoint(self.a.0));
        }
        vector(item, "pivot", self.pivot)?;
        vector(item, "axis", self.axis)?;
        vector(item, "up", self.up)?;
        positive(item, "axis length", self.axis.length())?;
        positive(item, "radius", self.radius)?;
        not_negative(item, "friction", self.friction)?;
        not_negative(item, "damping", self.damping)?;
        not_negative(item, "cushion", self.cushion)?;
        if self.break_force.is_nan() || self.break_force <= 0.0 {
            return number(item, "break force", self.break_force, false, "above 0, or infinite");
        }
        self.limits.check(item)?;
        self.check_limits()?;
        self.check_travel(item)?;
        rotation(item, self.center)?;
        let turned = self.center.normalize().angle_between(Quat::IDENTITY);
        let ball = self.kind == JointKind::Ball;
        number(item, "center", turned, ball || turned < 1.0e-3, "no turn: only ball joints have one")?;
        self.motor.map_or(Ok(()), |motor| motor.check(item, self.kind))
    }

    /// Where its points may be, and that its limits are of turns that it has.
    fn check_travel(&self, item: &str) -> Check {
        let turns = !matches!(self.kind, JointKind::Distance | JointKind::Slider);
        if self.kind.travels() && !turns && self.limits != Limits::Free {
            return Err(SceneError::JointPart {
                kind: self.kind.name(),
                part: "limits of its turn",
                instead: "travel",
            });
        }
        let ranges = match self.kind {
            JointKind::Generic => 3,
            kind => usize::from(kind.travels()),
        };
        if self.travel[ranges..].iter().any(|travel| *travel != Travel::NONE) {
            let instead = if ranges == 0 { "limits" } else { "a generic joint" };
            return Err(SceneError::JointPart { kind: self.kind.name(), part: "such travel", instead });
        }
        if self.kind == JointKind::Distance {
            vector(item, "end", self.end)?;
            let [Travel { max, compliance, .. }, ..] = self.travel;
            let holds = max > 0.0 || (max == 0.0 && compliance > 0.0);
            let (field, allowed) = ("length, the most distance,", "above 0: a ball joint holds two points together");
            number(item, field, max.clamp(f32::MIN, f32::MAX), holds, allowed)?;
        }
        self.travel[..ranges].iter().try_for_each(|travel| travel.check(item))
    }

    /// Refuses limits of turns that its kind does not have.
    fn check_limits(&self) -> Check {
        let part = match (self.kind, self.limits) {
            (JointKind::Stiff, Limits::Hinge { .. } | Limits::SwingTwist { .. }) => "turn to limit",
            (JointKind::Universal, Limits::Hinge { .. }) => "turn about its axis",
            _ => return Ok(()),
        };
        let instead = if self.kind == JointKind::Stiff { "a hinge or a ball joint" } else { "Limits::SwingTwist" };
        Err(SceneError::JointPart { kind: self.kind.name(), part, instead })
    }
}

impl Travel {
    fn check(&self, item: &str) -> Check {
        not_negative(item, "compliance of a travel", self.compliance)?;
        let [least, most] = [self.min, self.max].map(|end| end.clamp(f32::MIN, f32::MAX));
        number(item, "most travel", most, self.max > f32::NEG_INFINITY, "a number, or infinite")?;
        let before = self.min < f32::INFINITY && self.min <= self.max;
        number(item, "least travel", least, before, "at most the most travel")
    }
}

impl Limits {
    fn check(&self, item: &str) -> Check {
        let pi = std::f32::consts::PI;
        match *self {
            Limits::Free => {}
            Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => {
                number(item, "swing", swing_y, (0.0..=pi).contains(&swing_y), "from 0 to π")?;
                number(item, "swing", swing_z, (0.0..=pi).contains(&swing_z), "from 0 to π")?;
                number(item, "least twist", twist_min, (-pi..=0.0).contains(&twist_min), "from -π to 0")?;
                number(item, "most twist", twist_max, (0.0..=pi).contains(&twist_max), "from 0 to π")?;
            }
            Limits::Hinge { min, max } => {
                number(item, "minimum angle", min, min >= -pi && min <= max, "from -π to the most angle")?;
                number(item, "maximum angle", max, max <= pi, "at most π")?;
            }
        }
        Ok(())
    }
}

/// Turns below this are none [rad].
const UNTURNED: f32 = 1e-2;

impl Motor {
    /// Refuses what joints of a kind have no part for, and targets of which they reach nothing. Muscles of stiff joints rest: a
    /// performer has one for each joint.
    fn check_kind(&self, kind: JointKind) -> Check {
        let misses = |part, instead| Err(SceneError::JointPart { kind: kind.name(), part, instead });
        match *self {
            Self::Target { .. } | Self::Muscle { .. } if matches!(kind, JointKind::Distance | JointKind::Slider) => {
                misses("turn to drive", "Motor::Position")
            }
            Self::Target { .. } if kind == JointKind::Stiff => misses("turn to drive", "a hinge or a ball joint"),
            Self::Target { target, .. } => {
                let turn = target.to_scaled_axis();
                let across = turn.length() > UNTURNED && turn.x.abs() < UNTURNED * turn.length();
                let along = turn.length() > UNTURNED && turn.yz().length() < UNTURNED * turn.length();
                match kind {
                    JointKind::Hinge | JointKind::Cylindrical if across => {
                        misses("turn about another axis than its own", "a target about X")
                    }
                    JointKind::Universal if along => misses("turn about its axis", "a target about Y or Z"),
                    _ => Ok(()),
                }
            }
            Self::Speed { .. } if kind.travels() => misses("speed of a turn", "Motor::Velocity, or a hinge"),
            Self::Speed { .. } if kind != JointKind::Hinge => misses("speed about one axis", "a hinge"),
            Self::Position { .. } | Self::Velocity { .. } if !kind.travels() => {
                misses("way to go", "Motor::Target, or a joint that travels")
            }
            _ => Ok(()),
        }
    }

    fn check(&self, item: &str, kind: JointKind) -> Check {
        self.check_kind(kind)?;
        let most = match *self {
            Self::Target { target, compliance, max_torque } => {
                rotation(item, target)?;
                not_negative(item, "motor compliance", compliance)?;
                max_torque
            }
            Self::Muscle { target, spin, response, max_torque } => {
                rotation(item, target)?;
                let turns = spin.length();
                number(item, "spin of a motor's target", turns, turns <= Self::FASTEST_GOAL, "at most 100 rad/s")?;
                not_negative(item, "response of a motor", response)?;
                max_torque
            }
            Self::Speed { speed, max_torque } => {
                number(item, "motor speed", speed, true, "finite")?;
                max_torque
            }
            Self::Position { position, compliance, max_force } => {
                number(item, "motor position", position, true, "finite")?;
                not_negative(item, "motor compliance", compliance)?;
                max_force
            }
            Self::Velocity { velocity, max_force } => {
                number(item, "motor velocity", velocity, true, "finite")?;
                max_force
            }
        };
        let pushes = matches!(self, Self::Position { .. } | Self::Velocity { .. });
        let what = if pushes { "motor force" } else { "motor torque" };
        // Infinite ones are as strong as it takes.
        if most >= 0.0 { Ok(()) } else { number(item, what, most, false, "0 or more") }
    }
}

/// Index of a joint in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JointId(pub u32);

/// A stop of a hinge, authored as two particles that meet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limiter {
    /// The hinge.
    pub joint: JointId,
    /// Limiter particle of body a, and of body b.
    pub particles: [ParticleId; 2],
    /// Angle about the joint's axis at which they touch [rad], -π/2..=π/2.
    pub angle: f32,
    /// Whether the stop is the largest angle; otherwise it is the least.
    pub above: bool,
}
