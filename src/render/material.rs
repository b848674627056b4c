//! Materials on the GPU: a row of factors and five textures, white or flat where the model has none.

use std::collections::HashMap;

use super::error::RenderError;
use super::geometry::buffer;
use super::texture::{self, Coding};
use crate::gpu::wgsl::render::material::Material as MaterialRow;
use crate::gpu::{Context, GpuError, Group, Pipeline};
use crate::scene::{AlphaMode, Image, Material, Model, Sampling, Wrap};

/// A material ready to draw with.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) group: Group,
    pub(super) blended: bool,
    pub(super) double_sided: bool,
    /// Its shadow has holes.
    pub(super) holes: bool,
}

/// What all materials share: the pipeline whose group they are, samplers and stand-in textures.
#[derive(Debug)]
pub(super) struct Looks {
    pipeline: Pipeline,
    samplers: Vec<(Sampling, wgpu::Sampler)>,
    white: wgpu::TextureView,
    flat: wgpu::TextureView,
}

impl Looks {
    /// For `pipeline`, whose shader imports `render/material`, and all others that do.
    pub(super) fn new(context: &Context, pipeline: &Pipeline) -> Self {
        let pixel = |rgba: [u8; 4]| Image { width: 1, height: 1, rgba: rgba.to_vec() };
        Self {
            pipeline: pipeline.clone(),
            samplers: samplings().map(|sampling| (sampling, sampler(context, sampling))).collect(),
            white: texture::upload(context, &pixel([255; 4]), Coding::Linear),
            flat: texture::upload(context, &pixel([128, 128, 255, 255]), Coding::Linear),
        }
    }

    /// All materials of a model, and one plain one more for primitives without.
    pub(super) fn of(&self, context: &Context, model: &Model) -> Result<Vec<Look>, RenderError> {
        for (index, image) in model.images.iter().enumerate() {
            let needed = 4 * image.width as usize * image.height as usize;
            if needed == 0 || image.rgba.len() != needed {
                let (width, height, bytes) = (image.width, image.height, image.rgba.len());
                return Err(RenderError::Image { model: model.name.clone(), image: index, width, height, bytes });
            }
        }
        let mut textures: HashMap<(usize, Coding), wgpu::TextureView> = HashMap::new();
        let mut load = |index: Option<usize>, coding: Coding, otherwise: &wgpu::TextureView| {
            let Some((i, image)) = index.and_then(|i| Some((i, model.images.get(i)?))) else {
                return otherwise.clone();
            };
            textures.entry((i, coding)).or_insert_with(|| texture::upload(context, image, coding)).clone()
        };
        let mut look = |material: &Material| {
            let views = [
                load(material.base_color_texture, Coding::Srgb, &self.white),
                load(material.metallic_roughness_texture, Coding::Linear, &self.white),
                load(material.normal_texture, Coding::Linear, &self.flat),
                load(material.occlusion_texture, Coding::Linear, &self.white),
                load(material.emissive_texture, Coding::Srgb, &self.white),
            ];
            self.look(context, material, &views)
        };
        let plain = Material::default();
        Ok(model.materials.iter().chain([&plain]).map(&mut look).collect::<Result<_, _>>()?)
    }

    fn look(&self, context: &Context, material: &Material, views: &[wgpu::TextureView; 5]) -> Result<Look, GpuError> {
        let row = row(material);
        let uniform = buffer(context, "material", bytemuck::bytes_of(&row), wgpu::BufferUsages::UNIFORM);
        let [base_color, metallic_roughness, normal, occlusion, emissive] = views;
        let known = self.samplers.iter().find(|(sampling, _)| *sampling == material.sampling);
        let (_, sampler) = known.expect("samplers of all samplings");
        let given = [
            ("material", (&uniform).into()),
            ("material_sampler", sampler.into()),
            ("base_color_texture", base_color.into()),
            ("metallic_roughness_texture", metallic_roughness.into()),
            ("normal_texture", normal.into()),
            ("occlusion_texture", occlusion.into()),
            ("emissive_texture", emissive.into()),
        ];
        Ok(Look {
            group: self.pipeline.bind(context, &given)?,
            blended: material.alpha == AlphaMode::Blend,
            double_sided: material.double_sided,
            holes: material.alpha != AlphaMode::Opaque,
        })
    }
}

/// All there are, most plain first.
fn samplings() -> impl Iterator<Item = Sampling> {
    let wraps = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp];
    let pairs = wraps.into_iter().flat_map(move |across| wraps.map(|down| (across, down)));
    pairs.flat_map(|(across, down)| [false, true].map(|squares| Sampling { across, down, squares }))
}

fn sampler(context: &Context, sampling: Sampling) -> wgpu::Sampler {
    let beyond = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let smooth = !sampling.squares;
    context.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("material"),
        address_mode_u: beyond(sampling.across),
        address_mode_v: beyond(sampling.down),
        mag_filter: if smooth { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest },
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        anisotropy_clamp: if smooth && context.info().kind != "software" { 8 } else { 1 },
        ..Default::default()
    })
}

fn row(material: &Material) -> MaterialRow {
    let flag = |on: bool| f32::from(u8::from(on));
    let cutoff = match material.alpha {
        AlphaMode::Mask(cutoff) => cutoff.max(0.0),
        AlphaMode::Opaque | AlphaMode::Blend => -1.0,
    };
    let textures = [
        material.base_color_texture,
        material.metallic_roughness_texture,
        material.normal_texture,
        material.occlusion_texture,
        material.emissive_texture,
    ];
    MaterialRow {
        base_color: material.base_color.to_array(),
        emissive: material.emissive.extend(cutoff).to_array(),
        metallic: material.metallic,
        roughness: material.roughness,
        unlit: flag(material.unlit),
        blended: flag(material.alpha == AlphaMode::Blend),
        bumps: material.normal_texture.map_or(0.0, |_| material.normal_scale),
        textured: flag(textures.iter().any(Option::is_some)),
        sheet: flag(material.double_sided),
        occlusion: material.occlusion_strength,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_masks_cut() {
        let cutoff = |alpha| row(&Material { alpha, ..Material::default() }).emissive[3];
        assert_eq!([AlphaMode::Opaque, AlphaMode::Mask(0.3), AlphaMode::Blend].map(cutoff), [-1.0, 0.3, -1.0]);
    }
}
