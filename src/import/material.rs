//! Materials and their pictures. A picture that cannot be read costs a warning, not the model.

use glam::{Mat3, Vec3, Vec4};
use gltf::json::material::AlphaMode as Alpha;
use gltf::json::validation::Checked;
use gltf::json::{Material as Source, Texture};

use super::Fault;
use super::accessor::Reader;
use super::container::NONE;
use super::lay::{self, Used};
use super::picture::decoded;
use crate::scene::{AlphaMode, Image, Material, Primitive};

/// Most pixels of all pictures of one file.
const MAX_PIXELS: u64 = 1 << 27;

/// Materials read so far, with the pictures they use.
#[derive(Default)]
pub(super) struct Palette {
    pub(super) materials: Vec<Material>,
    pub(super) images: Vec<Image>,
    /// Turn and shift of the texture coordinates of each material.
    uv: Vec<Option<Mat3>>,
    /// Place of each of the file's images in `images`; none if it could not be read.
    loaded: Vec<(usize, Option<usize>)>,
    pixels: u64,
}

impl Palette {
    /// All materials of the file, and after them the one for primitives that name none.
    pub(super) fn read(reader: &Reader<'_>, warnings: &mut Vec<String>) -> Result<Self, Fault> {
        let mut palette = Self::default();
        for (index, source) in reader.container.root().materials.iter().enumerate() {
            let (material, uv) = palette.material(reader, index, source, warnings)?;
            palette.materials.push(material);
            palette.uv.push(uv);
        }
        palette.materials.push(Material::default());
        palette.uv.push(None);
        Ok(palette)
    }

    /// Gives `primitive` the file's material `index`.
    pub(super) fn apply(&self, primitive: &mut Primitive, element: &str, index: Option<usize>) -> Result<(), Fault> {
        let last = self.materials.len() - 1;
        primitive.material = index.unwrap_or(last);
        if index.is_some_and(|i| i >= last) {
            return Err(Fault::missing(element, "material", primitive.material, last));
        }
        if let Some(matrix) = self.uv[primitive.material] {
            primitive.uvs.iter_mut().for_each(|uv| *uv = matrix.transform_point2(*uv));
        }
        Ok(())
    }

    /// A material, and what it does to texture coordinates.
    fn material(
        &mut self,
        reader: &Reader<'_>,
        index: usize,
        source: &Source,
        warnings: &mut Vec<String>,
    ) -> Result<(Material, Option<Mat3>), Fault> {
        let pbr = &source.pbr_metallic_roughness;
        let used = lay::used(source);
        let lay = lay::common(reader, index, used.as_slice(), warnings);
        let mut picture = |used: &Option<Used>| self.texture(reader, index, used.as_ref(), warnings);
        let [base_color, normal, metallic_roughness, occlusion, emission] = &used;
        let base_color_texture = picture(base_color)?;
        let normal_texture = picture(normal)?;
        let metallic_roughness_texture = picture(metallic_roughness)?;
        let occlusion_texture = picture(occlusion)?;
        let emissive_texture = picture(emission)?;
        let normal_scale = source.normal_texture.as_ref().map_or(1.0, |t| t.scale);
        let occlusion_strength = source.occlusion_texture.as_ref().map_or(1.0, |t| t.strength.0);
        let extensions = source.extensions.as_ref();
        let strength = extensions.and_then(|e| e.emissive_strength.as_ref()).map_or(1.0, |s| s.emissive_strength.0);
        let unit = |v: f32| if v.is_finite() { v.clamp(0.0, 1.0) } else { 1.0 };
        let base = Vec4::from(pbr.base_color_factor.0);
        let emissive = Vec3::from(source.emissive_factor.0) * strength;
        let alpha = match source.alpha_mode {
            Checked::Valid(Alpha::Mask) => AlphaMode::Mask(unit(source.alpha_cutoff.unwrap_or_default().0)),
            Checked::Valid(Alpha::Blend) => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        };
        let material = Material {
            base_color: if base.is_finite() { base } else { Vec4::ONE },
            metallic: unit(pbr.metallic_factor.0),
            roughness: unit(pbr.roughness_factor.0),
            emissive: if emissive.is_finite() { emissive.max(Vec3::ZERO) } else { Vec3::ZERO },
            base_color_texture,
            metallic_roughness_texture,
            normal_texture,
            occlusion_texture,
            emissive_texture,
            normal_scale: if normal_scale.is_finite() { normal_scale } else { 1.0 },
            occlusion_strength: unit(occlusion_strength),
            sampling: lay.sampling,
            alpha,
            double_sided: source.double_sided,
            unlit: extensions.is_some_and(|e| e.unlit.is_some()),
        };
        Ok((material, lay.uv))
    }

    /// Place in `images` of the picture behind a texture.
    fn texture(
        &mut self,
        reader: &Reader<'_>,
        material: usize,
        used: Option<&Used>,
        warnings: &mut Vec<String>,
    ) -> Result<Option<usize>, Fault> {
        let Some(Used { index, set, .. }) = used else { return Ok(None) };
        let root = reader.container.root();
        let element = format!("material {material}");
        let count = root.textures.len();
        let texture = root.textures.get(*index).ok_or_else(|| Fault::missing(&element, "texture", *index, count))?;
        if *set != 0 {
            warnings.push(format!("{element} uses TEXCOORD_{set}; it is drawn with TEXCOORD_0"));
        }
        let sources = sources(texture);
        if sources.is_empty() {
            warnings.push(format!("{element} has a texture without a readable picture and is drawn without it"));
        }
        // The one that the file would rather have drawn comes first.
        for source in sources {
            if source >= root.images.len() {
                return Err(Fault::missing(&format!("texture {index}"), "image", source, root.images.len()));
            }
            if let Some(place) = self.image(reader, source, warnings) {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Place in `images` of the file's image `source`; none, with a warning once, if it cannot be read.
    fn image(&mut self, reader: &Reader<'_>, source: usize, warnings: &mut Vec<String>) -> Option<usize> {
        if let Some((_, place)) = self.loaded.iter().find(|(image, _)| *image == source) {
            return *place;
        }
        let place = match self.picture(reader, source) {
            Ok(image) => {
                self.images.push(image);
                Some(self.images.len() - 1)
            }
            Err(reason) => {
                warnings.push(format!("image {source} is not drawn: {reason}"));
                None
            }
        };
        self.loaded.push((source, place));
        place
    }

    fn picture(&mut self, reader: &Reader<'_>, index: usize) -> Result<Image, String> {
        let element = format!("image {index}");
        let source = &reader.container.root().images[index];
        let bytes = match (&source.uri, source.buffer_view) {
            (Some(uri), _) => reader.container.resource(&element, uri).map_err(|e| e.to_string())?,
            (None, Some(view)) => reader.view(&element, view.value()).map_err(|e| e.to_string())?.to_vec(),
            _ => return Err("it has neither a uri nor a buffer view".into()),
        };
        decoded(&bytes, &mut self.pixels, MAX_PIXELS)
    }
}

/// Images of a texture, the smaller ones of its extensions before the one for programs that do not know them.
fn sources(texture: &Texture) -> Vec<usize> {
    let others = texture.extensions.as_ref().map(|e| &e.others);
    let own =
        ["KHR_texture_basisu", "EXT_texture_webp"].into_iter().filter_map(|name| others?.get(name)?["source"].as_u64());
    let plain = Some(texture.source.value()).filter(|source| *source != NONE);
    own.map(|source| usize::try_from(source).unwrap_or(usize::MAX)).chain(plain).collect()
}
