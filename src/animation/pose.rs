//! Where every node of an asset is at one time, sampled from clips and blended.

use glam::{Mat3, Mat4, Quat, Vec3};

use super::sample::{clip_time, value};
use crate::import::{Asset, AssetNode, ChannelPath, Clip};

/// Placement of a node in its parent, in the file's units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Local {
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
}

impl Local {
    /// The placement of a node; a shear, which no clip can hold, is lost.
    fn of(node: &AssetNode) -> Self {
        let m = Mat3::from_mat4(node.local);
        let mut scale = Vec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
        // Two axes that point backward look like half a turn in the matrix.
        scale *= node.scale.signum();
        if (m.determinant() < 0.0) != (node.scale.signum().element_product() < 0.0) {
            scale.x = -scale.x;
        }
        // A flattened axis follows from the other two.
        let x = (m.x_axis / scale.x).try_normalize();
        let y = (m.y_axis / scale.y).try_normalize();
        let z = (m.z_axis / scale.z).try_normalize();
        let axes = match (x, y, z) {
            (Some(x), Some(y), _) => Mat3::from_cols(x, y, x.cross(y)),
            (Some(x), None, Some(z)) => Mat3::from_cols(x, z.cross(x), z),
            (None, Some(y), Some(z)) => Mat3::from_cols(y.cross(z), y, z),
            _ => Mat3::IDENTITY,
        };
        Self { translation: node.local.w_axis.truncate(), rotation: Quat::from_mat3(&axes).normalize(), scale }
    }

    fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    fn blend(a: &Self, b: &Self, weight: f32) -> Self {
        Self {
            translation: a.translation.lerp(b.translation, weight),
            rotation: a.rotation.slerp(b.rotation, weight).normalize(),
            scale: a.scale.lerp(b.scale, weight),
        }
    }
}

/// Translation, rotation and scale of every node of an asset in its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Shape [node_count].
    locals: Vec<Local>,
}

impl Pose {
    /// The file's default pose.
    pub fn rest(asset: &Asset) -> Self {
        Self { locals: asset.nodes.iter().map(Local::of).collect() }
    }

    /// The pose of `clip` at `time` [s], counted as its keys are. Looping wraps the time into the clip's keys; otherwise
    /// the ends are held. Nodes and properties without a channel keep the file's default.
    pub fn sample(asset: &Asset, clip: &Clip, time: f32, looping: bool) -> Self {
        let mut pose = Self::rest(asset);
        let time = clip_time(clip, time, looping);
        for channel in &clip.channels {
            let (Some(local), Some(v)) = (pose.locals.get_mut(channel.node), value(channel, time)) else { continue };
            match channel.path {
                ChannelPath::Translation => local.translation = v.truncate(),
                ChannelPath::Rotation => local.rotation = Quat::from_vec4(v),
                ChannelPath::Scale => local.scale = v.truncate(),
                ChannelPath::MorphWeights => {}
            }
        }
        pose
    }

    /// `a` at weight 0, `b` at weight 1; rotations along the shorter arc. Both are poses of one asset.
    pub fn blend(a: &Self, b: &Self, weight: f32) -> Self {
        let weight = weight.clamp(0.0, 1.0);
        Self { locals: a.locals.iter().zip(&b.locals).map(|(a, b)| Local::blend(a, b, weight)).collect() }
    }

    /// Placement of every joint in model space, scale included, shape [joint_count]; `joints()[j] * rest⁻¹` is how joint
    /// `j` has moved from the bind pose. A joint whose numbers overflow stays in the bind pose.
    pub fn joints(&self, asset: &Asset) -> Vec<Mat4> {
        let mut worlds: Vec<Option<Mat4>> = vec![None; self.locals.len()];
        asset
            .joints
            .iter()
            .map(|joint| {
                let placed = asset.model_from_world * self.world(asset, joint.node, &mut worlds);
                if placed.is_finite() { placed } else { joint.rest }
            })
            .collect()
    }

    /// Placement of a node in the file's world; what was found on the way up is kept in `worlds`.
    fn world(&self, asset: &Asset, node: usize, worlds: &mut [Option<Mat4>]) -> Mat4 {
        let mut chain = vec![node];
        let mut known = Mat4::IDENTITY;
        while let Some(above) = asset.nodes[chain[chain.len() - 1]].parent {
            if let Some(world) = worlds[above] {
                known = world;
                break;
            }
            chain.push(above);
        }
        for node in chain.into_iter().rev() {
            known *= self.locals[node].matrix();
            worlds[node] = Some(known);
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(local: Mat4, scale: Vec3) -> AssetNode {
        AssetNode { name: "a".into(), parent: None, local, world: local, scale, visible: true }
    }

    #[test]
    fn nodes_keep_their_placement_through_a_pose() {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.4, -1.2, 2.0);
        let signs = [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, 2.0], [-1.0, -1.0, -3.0]];
        let sizes = [[1.0, 1.0, 1.0], [0.01, 2.0, 3.0], [0.0, 1.0, 2.0]];
        for scale in sizes.into_iter().chain(signs).map(Vec3::from) {
            let m = Mat4::from_scale_rotation_translation(scale, turn, Vec3::new(1.0, 2.0, 3.0));
            let local = Local::of(&node(m, scale));
            assert!(local.matrix().abs_diff_eq(m, 1e-5), "{scale}");
            assert!(local.rotation.dot(turn).abs() > 1.0 - 1e-5 && local.scale.abs_diff_eq(scale, 1e-5), "{scale}");
        }
        assert!(Local::of(&node(Mat4::ZERO, Vec3::ONE)).matrix().is_finite());
    }

    #[test]
    fn half_of_two_poses_is_between_them() {
        let local = |angle: f32, x: f32| Local {
            translation: Vec3::X * x,
            rotation: Quat::from_rotation_z(angle),
            scale: Vec3::splat(x),
        };
        let (a, b) = (Pose { locals: vec![local(0.0, 1.0)] }, Pose { locals: vec![local(1.0, 3.0)] });
        let half = Pose::blend(&a, &b, 0.5);
        assert_eq!(half.locals[0].translation, Vec3::X * 2.0);
        assert!(half.locals[0].rotation.angle_between(Quat::from_rotation_z(0.5)) < 1e-3);
        assert_eq!(half.locals[0].scale, Vec3::splat(2.0));
        assert_eq!(Pose::blend(&a, &b, 0.0).locals[0].translation, a.locals[0].translation);
        assert_eq!(Pose::blend(&a, &b, 7.0).locals[0].translation, b.locals[0].translation);
    }
}
