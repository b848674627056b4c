//! Joints authored as shared particles (paper 5, section 4), with limits, motors, friction and breaking.

use glam::{Mat3, Quat, Vec3};
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
    /// Four shared particles in a square across the axis: no freedom, bends a little under load.
    Stiff,
    /// One shared particle and two axes that stay square, Y of body a and Z of body b: swings both ways, does not twist.
    /// Paper 5 makes it of a middle body and two hinges; solved as one joint it needs no light body between heavy ones.
    /// Where shared particles are averaged it is a ball joint.
    Universal,
}

/// Range of the relative rotation, from the pose the joint is made in and its center.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
pub enum Motor {
    /// A compliant drive towards a relative rotation.
    Target {
        /// Target rotation of body b relative to body a, from the pose the joint is made in, in the joint frame: X is the axis.
        /// [`Joint::rotation`] tells the present one.
        target: Quat,
        /// Inverse stiffness [rad/(N m)], 0 or more.
        compliance: f32,
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
}

impl Motor {
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
pub struct JointDesc {
    /// First body.
    pub a: BodyId,
    /// Second body.
    pub b: BodyId,
    /// Kind.
    pub kind: JointKind,
    /// Where the bodies meet [m].
    pub pivot: Vec3,
    /// Hinge axis; for the others the twist axis, usually along the bone. Any length above 0.
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
    /// Drive.
    pub motor: Option<Motor>,
    /// Coulomb friction torque [N m], 0 or more.
    pub friction: f32,
    /// Fraction of relative angular velocity lost per second [1/s], 0 or more.
    pub damping: f32,
    /// Force that breaks it [N]; infinite never breaks.
    pub break_force: f32,
    /// Radius of the shared particles [m]; also half the spacing of a hinge's or stiff joint's particles.
    pub radius: f32,
}

impl JointDesc {
    /// The usual cushion: 8° [rad].
    pub const CUSHION: f32 = 8.0 * std::f32::consts::PI / 180.0;

    /// A free joint of this kind with no drive, friction or limits.
    pub fn new(kind: JointKind, a: BodyId, b: BodyId, pivot: Vec3, axis: Vec3, radius: f32) -> Self {
        Self {
            a,
            b,
            kind,
            pivot,
            axis,
            up: Vec3::ZERO,
            limits: Limits::Free,
            center: Quat::IDENTITY,
            cushion: Self::CUSHION,
            motor: None,
            friction: 0.0,
            damping: 0.0,
            break_force: f32::INFINITY,
            radius,
        }
    }
}

/// One shared particle of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
pub struct Joint {
    /// How it was authored.
    pub desc: JointDesc,
    /// Shared particles: 1, 2 or 4.
    pub points: Vec<JointPoint>,
    /// Joint frame in body a, turned to the middle of the limits: X is the axis there.
    pub frame_a: Quat,
    /// Joint frame in body b: X is the axis.
    pub frame_b: Quat,
}

impl Joint {
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
            JointKind::Stiff => vec![(up + side) * r, (up - side) * r, (side - up) * r, (up + side) * -r],
        }
    }

    /// Checks it for a scene with so many bodies.
    pub(crate) fn check(&self, body_count: usize) -> Check {
        let item = "joint";
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
        rotation(item, self.center)?;
        let turned = self.center.normalize().angle_between(Quat::IDENTITY);
        let ball = self.kind == JointKind::Ball;
        number(item, "center", turned, ball || turned < 1.0e-3, "no turn: only ball joints have one")?;
        self.motor.map_or(Ok(()), |motor| motor.check(item, self.kind))
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
                number(item, "least angle", min, min >= -pi && min <= max, "from -π to the most angle")?;
                number(item, "most angle", max, max <= pi, "at most π")?;
            }
        }
        Ok(())
    }
}

impl Motor {
    fn check(&self, item: &str, kind: JointKind) -> Check {
        let most = match *self {
            Self::Target { target, compliance, max_torque } => {
                rotation(item, target)?;
                not_negative(item, "motor compliance", compliance)?;
                max_torque
            }
            Self::Speed { speed, max_torque } => {
                let hinge = kind == JointKind::Hinge;
                number(item, "motor speed", speed, speed.is_finite() && hinge, "finite, and of a hinge")?;
                max_torque
            }
        };
        if most >= 0.0 { Ok(()) } else { number(item, "motor torque", most, false, "0 or more") }
    }
}

/// A stop of a hinge, authored as two particles that meet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limiter {
    /// The hinge: index into [`super::Scene::joints`].
    pub joint: usize,
    /// Limiter particle of body a, and of body b.
    pub particles: [ParticleId; 2],
    /// Angle about the joint's axis at which they touch [rad], -π/2..=π/2.
    pub angle: f32,
    /// Whether the stop is the largest angle; otherwise it is the least.
    pub above: bool,
}
