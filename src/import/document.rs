//! The JSON of a glTF 2.0 file, as far as it is read (Khronos glTF 2.0 specification, chapter 5).
//!
//! Every index is checked where it is used: parsing alone promises nothing about them.

use serde::Deserialize;
use serde_json::Value;

/// Top level of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Root {
    pub(super) asset: Option<Version>,
    pub(super) scene: Option<usize>,
    pub(super) scenes: Vec<SceneRoots>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    pub(super) images: Vec<Image>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<View>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) extensions_required: Vec<String>,
    pub(super) extensions: Value,
}

#[derive(Debug, Deserialize)]
pub(super) struct Version {
    pub(super) version: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SceneRoots {
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    pub(super) children: Vec<usize>,
    pub(super) matrix: Option<[f32; 16]>,
    pub(super) translation: Option<[f32; 3]>,
    pub(super) rotation: Option<[f32; 4]>,
    pub(super) scale: Option<[f32; 3]>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) weights: Vec<f32>,
    pub(super) extensions: Value,
    pub(super) extras: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Part>,
    pub(super) weights: Vec<f32>,
}

/// One primitive of a mesh: attribute name to accessor.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part {
    pub(super) attributes: std::collections::BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    pub(super) material: Option<usize>,
    pub(super) mode: Option<u32>,
    pub(super) targets: Vec<std::collections::BTreeMap<String, usize>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Material {
    pub(super) pbr_metallic_roughness: Pbr,
    pub(super) normal_texture: Option<TextureUse>,
    pub(super) occlusion_texture: Option<TextureUse>,
    pub(super) emissive_texture: Option<TextureUse>,
    pub(super) emissive_factor: [f32; 3],
    pub(super) alpha_mode: Option<String>,
    pub(super) alpha_cutoff: Option<f32>,
    pub(super) double_sided: bool,
    pub(super) extensions: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Pbr {
    pub(super) base_color_factor: Option<[f32; 4]>,
    pub(super) base_color_texture: Option<TextureUse>,
    pub(super) metallic_factor: Option<f32>,
    pub(super) roughness_factor: Option<f32>,
    pub(super) metallic_roughness_texture: Option<TextureUse>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureUse {
    pub(super) index: usize,
    #[serde(default)]
    pub(super) tex_coord: u32,
    #[serde(default)]
    pub(super) extensions: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Texture {
    pub(super) source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Image {
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Sparse>,
}

/// Elements that replace those of the accessor's own view.
#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}
