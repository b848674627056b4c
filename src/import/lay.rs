//! How textures are mapped: what they show beyond their edges, how their pixels are filtered, and where
//! `KHR_texture_transform` moves them.

use glam::{Mat3, Vec2};
use gltf::json::Material as Source;
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::texture::{Info, MagFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use super::accessor::Reader;
use crate::scene::{Sampling, Wrap};

/// A picture that a material uses.
pub(super) struct Used {
    /// The file's texture.
    pub(super) index: usize,
    /// Which of the texture coordinates.
    pub(super) set: u32,
    /// Turn and shift of these.
    uv: Option<Mat3>,
}

/// How the pictures of a material are laid.
#[derive(Default, PartialEq)]
pub(super) struct Lay {
    pub(super) sampling: Sampling,
    /// Turn and shift of texture coordinates.
    pub(super) uv: Option<Mat3>,
}

/// Textures of a material: base color, normals, metallic and roughness, occlusion, emission.
pub(super) fn used(material: &Source) -> [Option<Used>; 5] {
    let pbr = &material.pbr_metallic_roughness;
    let plain = |info: &Info| {
        let moved = info.extensions.as_ref().and_then(|e| e.texture_transform.clone());
        Used::new(info.index.value(), info.tex_coord, moved)
    };
    let normal = material.normal_texture.as_ref().map(|t| {
        let others = t.extensions.as_ref().map(|e| &e.others);
        Used::new(t.index.value(), t.tex_coord, others.and_then(transform))
    });
    let occlusion = material.occlusion_texture.as_ref().map(|t| {
        let others = t.extensions.as_ref().map(|e| &e.others);
        Used::new(t.index.value(), t.tex_coord, others.and_then(transform))
    });
    [
        pbr.base_color_texture.as_ref().map(plain),
        normal,
        pbr.metallic_roughness_texture.as_ref().map(plain),
        occlusion,
        material.emissive_texture.as_ref().map(plain),
    ]
}

/// How all pictures of a material are laid: as the first is; those that the file lays otherwise are told.
pub(super) fn common(reader: &Reader<'_>, material: usize, used: &[Option<Used>], warnings: &mut Vec<String>) -> Lay {
    let mut lays = used.iter().flatten().map(|used| Lay { sampling: sampling(reader, used.index), uv: used.uv });
    let Some(first) = lays.next() else { return Lay::default() };
    if lays.any(|lay| lay != first) {
        warnings.push(format!(
            "material {material} repeats, clamps, moves or turns its textures each in its own way; all are laid as the \
             first of base color, normals, roughness, occlusion and emission"
        ));
    }
    first
}

impl Used {
    fn new(index: usize, set: u32, transform: Option<TextureTransform>) -> Self {
        let set = transform.as_ref().and_then(|t| t.tex_coord).unwrap_or(set);
        Self { index, set, uv: transform.and_then(|t| matrix(&t)) }
    }
}

/// The transform among extensions that the crate leaves as they are written.
fn transform(others: &Map<String, Value>) -> Option<TextureTransform> {
    serde_json::from_value(others.get("KHR_texture_transform")?.clone()).ok()
}

/// A transform as a matrix on texture coordinates; none if it does nothing, or has numbers that are none.
fn matrix(transform: &TextureTransform) -> Option<Mat3> {
    // Texture space has V down, so a positive rotation in the file turns the other way here.
    let matrix = Mat3::from_translation(Vec2::from(transform.offset.0))
        * Mat3::from_angle(-transform.rotation.0)
        * Mat3::from_scale(Vec2::from(transform.scale.0));
    (matrix.is_finite() && matrix != Mat3::IDENTITY).then_some(matrix)
}

fn sampling(reader: &Reader<'_>, texture: usize) -> Sampling {
    let root = reader.container.root();
    let sampler = root.textures.get(texture).and_then(|t| root.samplers.get(t.sampler?.value()));
    let wrap = |mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    sampler.map_or(Sampling::default(), |s| Sampling {
        across: wrap(s.wrap_s),
        down: wrap(s.wrap_t),
        squares: s.mag_filter == Some(Checked::Valid(MagFilter::Nearest)),
    })
}
