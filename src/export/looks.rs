//! Materials and pictures of a file, each once.

use std::collections::HashMap;
use std::io::Cursor;

use glam::Vec4;
use gltf::json;
use json::Index;
use json::material::{
    AlphaCutoff, AlphaMode as Mode, EmissiveFactor, NormalTexture, OcclusionTexture, PbrBaseColorFactor,
    PbrMetallicRoughness, StrengthFactor,
};
use json::texture::{Info, MagFilter, Sampler, Texture, WrappingMode};
use json::validation::Checked;

use super::binary::Binary;
use super::recording::ExportError;
use crate::scene::{AlphaMode, Image, Material, Model, Sampling, Wrap};

/// What is in the file already.
#[derive(Default)]
pub(super) struct Looks {
    /// By the address of the pixels, copies of a model share none but each model keeps its own to the end, and by how they are laid.
    textures: HashMap<(*const u8, Sampling), Index<Texture>>,
    samplers: HashMap<Sampling, Index<Sampler>>,
    materials: Vec<(Material, Vec4, Option<*const Model>, Index<json::Material>)>,
}

impl Looks {
    /// A material of `model` with a tint.
    ///
    /// # Errors
    /// [`ExportError::Image`] for a picture that cannot be written.
    pub(super) fn material(
        &mut self,
        file: &mut Binary,
        model: Option<&Model>,
        material: &Material,
        tint: Vec4,
    ) -> Result<Index<json::Material>, ExportError> {
        let of = model.filter(|model| !model.images.is_empty()).map(std::ptr::from_ref);
        let same = |(other, color, owner, _): &&(Material, Vec4, Option<*const Model>, Index<json::Material>)| {
            other == material && *color == tint && *owner == of
        };
        if let Some((.., known)) = self.materials.iter().find(same) {
            return Ok(*known);
        }
        let made = self.describe(file, model, material, tint)?;
        let index = file.root.push(made);
        self.materials.push((material.clone(), tint, of, index));
        Ok(index)
    }

    fn describe(
        &mut self,
        file: &mut Binary,
        model: Option<&Model>,
        material: &Material,
        tint: Vec4,
    ) -> Result<json::Material, ExportError> {
        let mut picture = |index: Option<usize>| {
            let found = index.and_then(|i| Some((i, model?, model?.images.get(i)?)));
            let sampling = material.sampling;
            found.map(|(i, model, image)| self.texture(file, (&model.name, i), image, sampling)).transpose()
        };
        let info = |index| Info { index, tex_coord: 0, extensions: None, extras: Default::default() };
        let base = picture(material.base_color_texture)?.map(info);
        let rough = picture(material.metallic_roughness_texture)?.map(info);
        let emissive = picture(material.emissive_texture)?.map(info);
        let normal = picture(material.normal_texture)?.map(|index| NormalTexture {
            index,
            scale: material.normal_scale,
            tex_coord: 0,
            extensions: None,
            extras: Default::default(),
        });
        let occlusion = picture(material.occlusion_texture)?.map(|index| OcclusionTexture {
            index,
            strength: StrengthFactor(material.occlusion_strength),
            tex_coord: 0,
            extensions: None,
            extras: Default::default(),
        });
        let color = (material.base_color * tint).clamp(Vec4::ZERO, Vec4::ONE);
        let (mode, cutoff) = match material.alpha {
            AlphaMode::Mask(cutoff) => (Mode::Mask, Some(AlphaCutoff(cutoff))),
            AlphaMode::Blend => (Mode::Blend, None),
            AlphaMode::Opaque if tint.w < 1.0 => (Mode::Blend, None),
            AlphaMode::Opaque => (Mode::Opaque, None),
        };
        let strength = material.emissive.max_element().max(1.0);
        Ok(json::Material {
            alpha_cutoff: cutoff,
            alpha_mode: Checked::Valid(mode),
            double_sided: material.double_sided,
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor(color.to_array()),
                base_color_texture: base,
                metallic_factor: StrengthFactor(material.metallic),
                roughness_factor: StrengthFactor(material.roughness),
                metallic_roughness_texture: rough,
                ..Default::default()
            },
            normal_texture: normal,
            occlusion_texture: occlusion,
            emissive_texture: emissive,
            emissive_factor: EmissiveFactor((material.emissive / strength).to_array()),
            extensions: extended(file, material.unlit, strength),
            ..Default::default()
        })
    }

    fn texture(
        &mut self,
        file: &mut Binary,
        (model, index): (&str, usize),
        image: &Image,
        sampling: Sampling,
    ) -> Result<Index<Texture>, ExportError> {
        let key = (image.rgba.as_ptr(), sampling);
        if let Some(known) = self.textures.get(&key) {
            return Ok(*known);
        }
        let mut png = Cursor::new(Vec::new());
        let fault = |told: String| ExportError::Image(index, model.to_owned(), told);
        let pixels = image::RgbaImage::from_raw(image.width, image.height, image.rgba.clone());
        let pixels = pixels.ok_or_else(|| fault("it has too few pixels".into()))?;
        pixels.write_to(&mut png, image::ImageFormat::Png).map_err(|error| fault(error.to_string()))?;
        let view = file.view(png.get_ref(), None);
        let source = file.root.push(json::Image {
            buffer_view: Some(view),
            mime_type: Some(json::image::MimeType("image/png".into())),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        let plain = sampling == Sampling::default();
        let sampler =
            (!plain).then(|| *self.samplers.entry(sampling).or_insert_with(|| file.root.push(sampler(sampling))));
        let texture =
            file.root.push(Texture { name: None, sampler, source, extensions: None, extras: Default::default() });
        self.textures.insert(key, texture);
        Ok(texture)
    }
}

fn sampler(sampling: Sampling) -> Sampler {
    let wrap = |wrap| {
        Checked::Valid(match wrap {
            Wrap::Repeat => WrappingMode::Repeat,
            Wrap::Mirror => WrappingMode::MirroredRepeat,
            Wrap::Clamp => WrappingMode::ClampToEdge,
        })
    };
    Sampler {
        mag_filter: sampling.squares.then_some(Checked::Valid(MagFilter::Nearest)),
        wrap_s: wrap(sampling.across),
        wrap_t: wrap(sampling.down),
        ..Sampler::default()
    }
}

/// What a material has that is an extension of glTF; none of what has nothing such. `strength` is that of its light, 1 or more.
fn extended(file: &mut Binary, unlit: bool, strength: f32) -> Option<json::extensions::material::Material> {
    let mut extensions = json::extensions::material::Material::default();
    if unlit {
        extensions.unlit = Some(json::extensions::material::Unlit {});
        used(file, "KHR_materials_unlit");
    }
    if strength > 1.0 {
        let emissive_strength = json::extensions::material::EmissiveStrengthFactor(strength);
        extensions.emissive_strength = Some(json::extensions::material::EmissiveStrength { emissive_strength });
        used(file, "KHR_materials_emissive_strength");
    }
    (unlit || strength > 1.0).then_some(extensions)
}

fn used(file: &mut Binary, extension: &str) {
    if !file.root.extensions_used.iter().any(|known| known == extension) {
        file.root.extensions_used.push(extension.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_written_once_for_each_way_to_lay_it() {
        let clamped = Sampling { across: Wrap::Clamp, squares: true, ..Sampling::default() };
        let plain = Material {
            base_color_texture: Some(0),
            normal_texture: Some(0),
            occlusion_texture: Some(0),
            normal_scale: 0.5,
            occlusion_strength: 0.25,
            ..Material::default()
        };
        let model = Model {
            materials: vec![plain.clone(), Material { sampling: clamped, ..plain.clone() }, plain],
            images: vec![Image { width: 1, height: 1, rgba: vec![255; 4] }],
            ..Model::default()
        };
        let (mut file, mut looks) = (Binary::new(), Looks::default());
        for material in &model.materials {
            looks.material(&mut file, Some(&model), material, Vec4::ONE).expect("a material");
        }
        let root = &file.root;
        assert_eq!((root.materials.len(), root.textures.len(), root.samplers.len()), (2, 2, 1));
        assert_eq!([0, 1].map(|i| root.textures[i].sampler.map(|s| s.value())), [None, Some(0)]);
        let second = &root.materials[1];
        assert_eq!(second.normal_texture.as_ref().map(|t| t.scale), Some(0.5));
        assert_eq!(second.occlusion_texture.as_ref().map(|t| t.strength.0), Some(0.25));
        assert_eq!(root.samplers[0].wrap_s, Checked::Valid(WrappingMode::ClampToEdge));
        assert_eq!(root.samplers[0].mag_filter, Some(Checked::Valid(MagFilter::Nearest)));
    }
}
