//! What is drawn: models made of primitives, and instances that hang them on bodies.
//!
//! Everything moving is drawn one way: each vertex follows up to [`MAX_INFLUENCES`] bodies. A rigid crate is a model
//! with one body; a character is a model with one body per limb.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use super::BodyId;

/// Bodies one vertex can follow.
pub const MAX_INFLUENCES: usize = 8;

/// A vertex follows body `body` of its instance with weight `weight`; weights of one vertex sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Influence {
    /// Index into [`Instance::bodies`].
    pub body: u16,
    /// Share in 0..=1 [dimensionless].
    pub weight: f32,
}

/// Pixels of a texture, 8 bits a channel, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Width [pixels].
    pub width: u32,
    /// Height [pixels].
    pub height: u32,
    /// RGBA, shape [height * width * 4].
    pub rgba: Vec<u8>,
}

/// How alpha is used.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum AlphaMode {
    /// Alpha ignored.
    #[default]
    Opaque,
    /// Drawn where alpha is at least the cutoff.
    Mask(f32),
    /// Blended over what is behind.
    Blend,
}

/// Metallic-roughness material; texture fields index [`Model::images`].
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Linear base colour and alpha.
    pub base_color: Vec4,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 mirror, 1 matt.
    pub roughness: f32,
    /// Linear emitted colour.
    pub emissive: Vec3,
    /// sRGB base colour texture.
    pub base_color_texture: Option<usize>,
    /// Roughness in G, metallic in B.
    pub metallic_roughness_texture: Option<usize>,
    /// Tangent-space normals.
    pub normal_texture: Option<usize>,
    /// Occlusion in R.
    pub occlusion_texture: Option<usize>,
    /// sRGB emission.
    pub emissive_texture: Option<usize>,
    /// Use of alpha.
    pub alpha: AlphaMode,
    /// Drawn from both sides.
    pub double_sided: bool,
    /// Shown without lighting.
    pub unlit: bool,
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
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

/// A triangle list with one material, in the model's rest pose.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Rest positions in model space [m], shape [vertex_count].
    pub positions: Vec<Vec3>,
    /// Unit normals, shape [vertex_count].
    pub normals: Vec<Vec3>,
    /// Texture coordinates, shape [vertex_count] or empty.
    pub uvs: Vec<Vec2>,
    /// Linear vertex colours, shape [vertex_count] or empty.
    pub colors: Vec<Vec4>,
    /// Vertex indices, three a triangle.
    pub indices: Vec<u32>,
    /// Bodies each vertex follows, shape [vertex_count]; unused slots have weight 0. Empty: all follow body 0.
    pub influences: Vec<[Influence; MAX_INFLUENCES]>,
    /// Index into [`Model::materials`].
    pub material: usize,
}

/// Geometry and materials shared by any number of instances.
#[derive(Clone, Debug, Default)]
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

/// A body that an instance follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The body.
    pub body: BodyId,
    /// Where the body's centre is in the model's rest pose [m]; the body's frame is unrotated there.
    pub rest_center: Vec3,
}

/// One drawn copy of a model: `world = Σ weight · (center + rotation · (rest − rest_center))`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// What to draw.
    pub model: Arc<Model>,
    /// The bodies that the model's influences index.
    pub bodies: Vec<Attachment>,
    /// Multiplies the base colour, linear.
    pub tint: Vec4,
}
