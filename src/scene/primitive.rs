//! Triangles of one material, as they are drawn.

use glam::{Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

/// Bones one vertex can follow.
pub const MAX_INFLUENCES: usize = 8;

/// A vertex follows bone `bone` of its instance with weight `weight`; weights of one vertex sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Influence {
    /// Index into [`Instance::bones`].
    pub bone: u16,
    /// Share in 0..=1 [dimensionless].
    pub weight: f32,
}

/// A triangle list with one material, in the model's rest pose.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Primitive {
    /// Where it is from: the name of a node in a file, or nothing.
    pub name: String,
    /// Rest positions in model space [m], shape [vertex_count].
    #[serde(with = "crate::pack")]
    pub positions: Vec<Vec3>,
    /// Unit normals, shape [vertex_count].
    #[serde(with = "crate::pack")]
    pub normals: Vec<Vec3>,
    /// Texture coordinates, shape [vertex_count] or empty.
    #[serde(with = "crate::pack")]
    pub uvs: Vec<Vec2>,
    /// Linear vertex colors, shape [vertex_count] or empty.
    #[serde(with = "crate::pack")]
    pub colors: Vec<Vec4>,
    /// Vertex indices, three a triangle.
    #[serde(with = "crate::pack")]
    pub indices: Vec<u32>,
    /// Bones each vertex follows, shape [vertex_count]; unused slots have weight 0. Empty: all follow bone 0.
    #[serde(with = "crate::pack")]
    pub influences: Vec<[Influence; MAX_INFLUENCES]>,
    /// Index into [`Model::materials`].
    pub material: usize,
}
