//! The joints: names of the VRM 1.0 humanoid, parents, and where they are at rest.
//!
//! At rest every joint is unrotated, so a bind matrix is one translation and a local rotation of a clip is the turn
//! from the A-pose. The body stands on y = 0, looks along +Z and has its left side on +X.

use glam::Vec3;

/// A joint, in the order of [`JOINTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Joint {
    Hips,
    Spine,
    Chest,
    UpperChest,
    Neck,
    Head,
    LeftShoulder,
    LeftUpperArm,
    LeftLowerArm,
    LeftHand,
    RightShoulder,
    RightUpperArm,
    RightLowerArm,
    RightHand,
    LeftUpperLeg,
    LeftLowerLeg,
    LeftFoot,
    LeftToes,
    RightUpperLeg,
    RightLowerLeg,
    RightFoot,
    RightToes,
}

/// Name, parent and place of a joint.
#[derive(Clone, Copy, Debug)]
pub struct JointRow {
    /// Name in the VRM 1.0 humanoid.
    pub name: &'static str,
    /// The joint that carries it; itself for the root.
    pub parent: Joint,
    /// Where it is at rest [m].
    pub rest: Vec3,
}

/// Number of joints.
pub const COUNT: usize = 22;

/// Left shoulder, elbow and wrist, tip of the middle finger at rest [m]. Right ones are mirrored in x.
pub const SHOULDER: Vec3 = Vec3::new(0.163, 1.415, -0.022);
/// See [`SHOULDER`].
pub const ELBOW: Vec3 = Vec3::new(0.378, 1.235, -0.026);
/// See [`SHOULDER`].
pub const WRIST: Vec3 = Vec3::new(0.564, 1.076, 0.002);
/// See [`SHOULDER`].
pub const FINGERTIP: Vec3 = Vec3::new(0.700, 0.956, 0.016);

/// Left hip, knee, ankle, ball of the foot and tip of the toes at rest [m].
pub const HIP: Vec3 = Vec3::new(0.088, 0.925, 0.0);
/// See [`HIP`].
pub const KNEE: Vec3 = Vec3::new(0.099, 0.505, 0.012);
/// See [`HIP`].
pub const ANKLE: Vec3 = Vec3::new(0.107, 0.085, -0.025);
/// See [`HIP`].
pub const BALL: Vec3 = Vec3::new(0.123, 0.022, 0.098);
/// See [`HIP`].
pub const TOE_TIP: Vec3 = Vec3::new(0.130, 0.018, 0.168);

/// The same point on the other side of the body.
pub const fn mirrored(p: Vec3) -> Vec3 {
    Vec3::new(-p.x, p.y, p.z)
}

const fn row(name: &'static str, parent: Joint, rest: Vec3) -> JointRow {
    JointRow { name, parent, rest }
}

const CLAVICLE: Vec3 = Vec3::new(0.028, 1.425, -0.012);

/// Every joint; parents come before their children.
pub const JOINTS: [JointRow; COUNT] = {
    use Joint::*;
    [
        row("hips", Hips, Vec3::new(0.0, 0.955, 0.0)),
        row("spine", Hips, Vec3::new(0.0, 1.045, -0.006)),
        row("chest", Spine, Vec3::new(0.0, 1.155, -0.010)),
        row("upperChest", Chest, Vec3::new(0.0, 1.270, -0.018)),
        row("neck", UpperChest, Vec3::new(0.0, 1.462, -0.026)),
        row("head", Neck, Vec3::new(0.0, 1.550, -0.008)),
        row("leftShoulder", UpperChest, CLAVICLE),
        row("leftUpperArm", LeftShoulder, SHOULDER),
        row("leftLowerArm", LeftUpperArm, ELBOW),
        row("leftHand", LeftLowerArm, WRIST),
        row("rightShoulder", UpperChest, mirrored(CLAVICLE)),
        row("rightUpperArm", RightShoulder, mirrored(SHOULDER)),
        row("rightLowerArm", RightUpperArm, mirrored(ELBOW)),
        row("rightHand", RightLowerArm, mirrored(WRIST)),
        row("leftUpperLeg", Hips, HIP),
        row("leftLowerLeg", LeftUpperLeg, KNEE),
        row("leftFoot", LeftLowerLeg, ANKLE),
        row("leftToes", LeftFoot, BALL),
        row("rightUpperLeg", Hips, mirrored(HIP)),
        row("rightLowerLeg", RightUpperLeg, mirrored(KNEE)),
        row("rightFoot", RightLowerLeg, mirrored(ANKLE)),
        row("rightToes", RightFoot, mirrored(BALL)),
    ]
};

impl Joint {
    /// Place in [`JOINTS`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Where it is at rest [m].
    pub const fn rest(self) -> Vec3 {
        JOINTS[self as usize].rest
    }
}
