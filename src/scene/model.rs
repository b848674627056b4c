//! What is drawn: models made of primitives, and instances that attach them to bodies by bones.
//!
//! Everything moving is drawn one way: each vertex follows up to [`MAX_INFLUENCES`](super::MAX_INFLUENCES) bones. A rigid crate is a model
//! with one bone; a character has one for each limb with a body, and more for fingers, toes and what it holds.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::BodyId;
use super::check::{Check, SceneError, number, present, rotation, vector};
use super::primitive::Primitive;
use super::shape::Shape;

/// Pixels of a texture, 8 bits a channel, rows from the top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Image {
    /// Width [pixels].
    pub width: u32,
    /// Height [pixels].
    pub height: u32,
    /// RGBA, shape [height * width * 4].
    #[serde(with = "crate::pack")]
    pub rgba: Vec<u8>,
}

/// How alpha is used.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub enum AlphaMode {
    /// Alpha ignored.
    #[default]
    Opaque,
    /// Drawn where alpha is at least the cutoff.
    Mask(f32),
    /// Blended over what is behind.
    Blend,
}

/// What a picture shows beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Wrap {
    /// Itself again.
    #[default]
    Repeat,
    /// Itself again, every other time mirrored.
    Mirror,
    /// The pixels of its edge.
    Clamp,
}

/// How the pictures of a material are laid on surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// Beyond the left and right edge.
    pub across: Wrap,
    /// Beyond the upper and lower edge.
    pub down: Wrap,
    /// Pixels seen from near stay squares.
    pub squares: bool,
}

/// Metallic-roughness material; texture fields index [`Model::images`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Linear base color and alpha.
    pub base_color: Vec4,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 mirror, 1 matt.
    pub roughness: f32,
    /// Linear emitted color.
    pub emissive: Vec3,
    /// sRGB base color texture.
    pub base_color_texture: Option<usize>,
    /// Roughness in G, metallic in B.
    pub metallic_roughness_texture: Option<usize>,
    /// Tangent-space normals.
    pub normal_texture: Option<usize>,
    /// Occlusion in R.
    pub occlusion_texture: Option<usize>,
    /// sRGB emission.
    pub emissive_texture: Option<usize>,
    /// How far normals of the normal texture lean: their first two components are multiplied by it.
    #[serde(default = "whole")]
    pub normal_scale: f32,
    /// Part of the occlusion texture's darkness in 0..=1 [dimensionless].
    #[serde(default = "whole")]
    pub occlusion_strength: f32,
    /// How all its pictures are laid.
    #[serde(default)]
    pub sampling: Sampling,
    /// Use of alpha.
    pub alpha: AlphaMode,
    /// Drawn from both sides.
    pub double_sided: bool,
    /// Shown without lighting.
    pub unlit: bool,
}

fn whole() -> f32 {
    1.0
}

impl Default for Material {
    fn default() -> Self {
        Self {
            base_color: Vec4::ONE,
            metallic: 0.0,
            roughness: 0.7,
            emissive: Vec3::ZERO,
            base_color_texture: None,
            metallic_roughness_texture: None,
            normal_texture: None,
            occlusion_texture: None,
            emissive_texture: None,
            normal_scale: whole(),
            occlusion_strength: whole(),
            sampling: Sampling::default(),
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

/// Geometry and materials shared by any number of instances.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Name for messages.
    pub name: String,
    /// Parts.
    pub primitives: Vec<Primitive>,
    /// Materials of the parts.
    pub materials: Vec<Material>,
    /// Textures of the materials.
    pub images: Vec<Image>,
}

impl Model {
    /// Area of its triangles in the rest pose [m²].
    pub fn area(&self) -> f32 {
        let of = |part: &Primitive| {
            let corner = |i: u32| part.positions[i as usize];
            let area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(corner);
                0.5 * (b - a).cross(c - a).length()
            };
            part.indices.as_chunks::<3>().0.iter().map(area).sum::<f32>()
        };
        self.primitives.iter().map(of).sum()
    }
}

/// A model of `shape` in its own frame, one material of base color 1. Planes give an empty model.
pub fn primitive_model(shape: &Shape) -> Model {
    let primitives = vec![shape.surface()];
    Model { name: "primitive".into(), primitives, materials: vec![Material::default()], images: Vec::new() }
}

/// What a part of a model follows: `world = position + rotation · (rest − pivot)`.
///
/// A bone with a body turns as the body does; one without turns by `turn` against its parent. A root is where its body
/// is. Every other bone hangs by its pivot on its parent, so lengths stay those of the rest pose whatever gap is left
/// between the bodies; only where a joint gapes wider than the bodies' centers are apart at rest, it is torn, and the
/// bone becomes a root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bone {
    /// Its body, if it has one of its own.
    pub body: Option<BodyId>,
    /// Where the body's center is in the model's rest pose [m]; the body's frame is unrotated there.
    pub rest_center: Vec3,
    /// The bone it hangs on, an earlier one of the instance; none for roots.
    pub parent: Option<u16>,
    /// The point that it shares with its parent, in the rest pose [m].
    pub pivot: Vec3,
    /// Rotation against the parent from the rest pose, in the model's axes. For a bone with a body it is where the pose
    /// wants the body, which only matters to bones that bend.
    pub turn: Quat,
    /// Shares the turning of a joint beyond it; only without a body.
    pub bend: Option<Bend>,
}

/// A bone between two bodies takes a part of what the farther one turns beyond its `turn`, so that the skin between them
/// bends as an arc and not in one crease.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bend {
    /// The farther bone, which has a body and a parent.
    pub toward: u16,
    /// Part of its rotation in 0..=1 [dimensionless].
    pub share: f32,
    /// The point that stays in place, in the rest pose [m].
    pub about: Vec3,
    /// Only turning about this axis is shared, of unit length in the rest pose; none for all turning.
    pub axis: Option<Vec3>,
}

impl Bone {
    /// A root: all of what a rigid thing needs.
    pub fn root(body: BodyId, rest_center: Vec3) -> Self {
        Self { body: Some(body), rest_center, parent: None, pivot: rest_center, turn: Quat::IDENTITY, bend: None }
    }
}

/// A drawn copy of a model.
#[derive(Clone, Debug)]
pub struct Instance {
    /// What to draw.
    pub model: Arc<Model>,
    /// The bones that the model's influences index, parents before children.
    pub bones: Vec<Bone>,
    /// Multiplies the base color, linear.
    pub tint: Vec4,
}

impl Instance {
    /// Checks it for a scene with so many bodies.
    pub(super) fn check(&self, body_count: usize) -> Check {
        let item = &format!("model `{}`", self.model.name);
        self.check_bones(body_count, item)?;
        for part in &self.model.primitives {
            let count = part.positions.len();
            present(item, "material", part.material, self.model.materials.len())?;
            let most = part.indices.iter().max().map_or(0, |i| *i as usize);
            if !part.indices.is_empty() {
                present(item, "vertex", most, count)?;
            }
            if part.normals.len() != count {
                return Err(SceneError::Missing {
                    item: item.clone(),
                    field: "normal",
                    index: count,
                    count: part.normals.len(),
                });
            }
            for influence in part.influences.iter().flatten().filter(|i| i.weight != 0.0) {
                present(item, "bone", influence.bone as usize, self.bones.len())?;
            }
        }
        Ok(())
    }

    fn check_bones(&self, body_count: usize, model: &str) -> Check {
        if self.bones.is_empty() {
            return Err(SceneError::Empty { item: model.to_owned(), field: "bones" });
        }
        for (index, bone) in self.bones.iter().enumerate() {
            let item = &format!("{model}, bone {index}");
            bone.body.map_or(Ok(()), |body| present(item, "body", body.0 as usize, body_count))?;
            vector(item, "center of its body", bone.rest_center)?;
            vector(item, "pivot", bone.pivot)?;
            rotation(item, bone.turn)?;
            match bone.parent {
                Some(parent) => {
                    number(item, "parent", f32::from(parent), usize::from(parent) < index, "an earlier bone")?
                }
                None if bone.body.is_none() => {
                    return Err(SceneError::Empty { item: item.clone(), field: "body and no parent" });
                }
                None => {}
            }
            bone.bend.map_or(Ok(()), |bend| self.check_bend(item, bone, bend))?;
        }
        Ok(())
    }

    fn check_bend(&self, item: &str, bone: &Bone, bend: Bend) -> Check {
        present(item, "bone to bend toward", bend.toward as usize, self.bones.len())?;
        let end = &self.bones[bend.toward as usize];
        let fits = bone.body.is_none() && end.body.is_some() && end.parent.is_some();
        let allowed = "a bone with body and parent, for one without body";
        number(item, "bend toward", f32::from(bend.toward), fits, allowed)?;
        number(item, "bend share", bend.share, (0.0..=1.0).contains(&bend.share), "from 0 to 1")?;
        vector(item, "bend center", bend.about)?;
        let length = bend.axis.map_or(1.0, Vec3::length);
        number(item, "bend axis length", length, (length - 1.0).abs() < 0.01, "1")?;
        Ok(())
    }
}
