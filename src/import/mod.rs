//! Files into scene parts: glTF models, voxels, signed distance, solids, tetrahedra.
//!
//! [`load`] reads a .glb, .gltf or .vrm into an [`Asset`], by the `gltf` crate. A model comes from anywhere: every index, size and
//! number is checked before the crate or we use it, and broken files end in an error message.

mod accessor;
mod apart;
mod bind;
mod clip;
pub mod cloth;
mod coarsen;
mod container;
mod copies;
pub mod distance;
mod error;
mod extensions;
mod fill;
mod foreign;
mod garment;
mod geometry;
mod guard;
mod implicit;
mod ktx2;
pub(crate) mod labels;
mod lay;
mod limbs;
mod material;
mod outward;
mod physics;
mod picture;
pub(crate) mod pins;
mod place;
mod refine;
mod skin;
mod solid;
#[cfg(test)]
pub(crate) mod test_shapes;
pub mod tets;
mod tree;
mod triangles;
mod unheeded;
mod unpack;
pub mod voxels;
mod vrm;

use std::path::Path;

use glam::Mat4;

pub use clip::{Channel, ChannelPath, Clip, Interpolation};
pub use error::{Fault, ImportError};
pub use fill::fill;
pub use foreign::is_model_file;
pub use garment::Garment;
pub use geometry::{Hold, JointWeights};
pub use physics::{AuthoredBody, AuthoredJoint, AuthoredPhysics};
pub use picture::read_image;
pub(crate) use picture::{Red, read_red};
pub use skin::AssetJoint;
pub use solid::{SolidError, solid_body};
pub use tree::AssetNode;
pub use triangles::{INSIDE, Nearest, TriangleTree};

pub(crate) use outward::face_outward;
pub(crate) use place::bounds;
pub(crate) use solid::cube_mass;

use crate::files;
use crate::scene::{Collider, Model};
use accessor::Reader;
use container::{Container, MAX_BYTES};
use error::limit;
use geometry::Placed;
use limbs::Limbs;
use material::Palette;
use skin::Skeleton;
use tree::Tree;

/// A model file: geometry in its rest pose, skeleton and clips. Meters, Y up, feet at y = 0 under the middle. Avatars of VRM 0,
/// which look along -Z in their files, are turned about to +Z, as all others look.
#[derive(Clone, Debug, Default)]
pub struct Asset {
    /// Stem of the file's name.
    pub name: String,
    /// Geometry in the rest pose; its influences are empty, see `weights`.
    pub model: Model,
    /// Joints that move each primitive, shape [primitive_count].
    pub weights: Vec<JointWeights>,
    /// What holds each primitive, shape [primitive_count].
    pub holds: Vec<Hold>,
    /// Clothes, which are no part of `model`.
    pub garments: Vec<Garment>,
    /// Joints of all skins, each node once.
    pub joints: Vec<AssetJoint>,
    /// The node tree in file order.
    pub nodes: Vec<AssetNode>,
    /// Bones named by the file's VRM humanoid map, with their nodes; empty without one.
    pub humanoid: Vec<(String, usize)>,
    /// Nodes that swing in a player of VRM avatars, with all below them: hair, ears, skirts. Here they do not.
    pub swinging: Vec<usize>,
    /// Bodies and joints that the file describes itself.
    pub physics: AuthoredPhysics,
    /// Static shapes that the file describes itself, in model space.
    pub colliders: Vec<Collider>,
    /// Motions.
    pub clips: Vec<Clip>,
    /// From the file's world (where [`AssetNode::world`] places nodes) to model space.
    pub model_from_world: Mat4,
    /// What was changed, left out or scaled, one sentence each.
    pub warnings: Vec<String>,
}

/// Loads a .glb, .gltf or .vrm file. Files it refers to must lie in its folder.
///
/// # Errors
/// [`ImportError`] naming the file and the element: unreadable, cut off, not a glTF 2.0 (with a converter, if it is another
/// known kind of model), an index or number out of range, compressed data that is broken, no triangles, or a required
/// extension that is not supported.
pub fn load(path: &Path) -> Result<Asset, ImportError> {
    load_scaled(path, None)
}

/// Loads as [`load`], with `scale` meters to the unit of the file instead of what its size suggests.
///
/// # Errors
/// As [`load`], and for a scale that is not above 0.
pub fn load_scaled(path: &Path, scale: Option<f32>) -> Result<Asset, ImportError> {
    let error = |fault| ImportError { file: path.to_owned(), fault };
    if let Some(fault) = foreign::by_name(path) {
        return Err(error(fault));
    }
    let unreadable = |e: std::io::Error| {
        let reason =
            if e.kind() == std::io::ErrorKind::NotFound { "there is no such file".into() } else { e.to_string() };
        error(Fault::Unreadable { element: "the file".into(), reason })
    };
    if path.is_dir() {
        return Err(error(Fault::Unreadable { element: "the file".into(), reason: "it is a folder".into() }));
    }
    let size = files::size(path).map_err(unreadable)?;
    limit("the file", size, MAX_BYTES).map_err(error)?;
    let bytes = files::read(path).map_err(unreadable)?;
    let folder = path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    read(path, &bytes, folder, scale)
}

/// Loads a model from bytes; `path` names it in messages, and files it refers to are read from `folder`, if given.
///
/// # Errors
/// As [`load`].
pub fn from_bytes(path: &Path, bytes: &[u8], folder: Option<&Path>) -> Result<Asset, ImportError> {
    read(path, bytes, folder, None)
}

fn read(path: &Path, bytes: &[u8], folder: Option<&Path>, scale: Option<f32>) -> Result<Asset, ImportError> {
    let name = path.file_stem().map_or("model".into(), |s| s.to_string_lossy().into_owned());
    let result = guard::caught(|| parse(name, bytes, folder, scale)).unwrap_or(Err(Fault::Defect));
    result.map_err(|fault| ImportError { file: path.to_owned(), fault })
}

fn parse(name: String, bytes: &[u8], folder: Option<&Path>, scale: Option<f32>) -> Result<Asset, Fault> {
    if let Some(scale) = scale.filter(|s| !(1.0e-6..=1.0e6).contains(s)) {
        return Err(Fault::invalid("the scale", format!("{scale} is not from 1e-6 to 1e6 meters per unit")));
    }
    let mut warnings = Vec::new();
    let container = Container::parse(bytes, folder, &mut warnings)?;
    let tree = Tree::new(container.root())?;
    let reader = Reader::new(&container);
    let clips = clip::read(&reader, &mut warnings)?;
    let bending = limbs::bending(container.root(), &tree, &clips);
    let limbs = Limbs::new(container.root(), &tree, &bending, &mut warnings);
    let mut skeleton = Skeleton::new(&reader, &tree, &limbs.joints, &mut warnings)?;
    skeleton.follow(copies::originals(&skeleton.joints), &mut warnings);
    let palette = Palette::read(&reader, &mut warnings)?;
    let (mut parts, mut cloth) = place_all(&reader, &tree, &skeleton, &palette, &mut warnings)?;
    let vrm = vrm::read(&container.document, &mut warnings)?;
    let physics = physics::read(&container.document)?;
    limbs.weigh(&mut parts, &skeleton.joints, &bending);
    warnings.extend(unheeded::sentences(container.root(), &tree, &parts, &skeleton.joints, &clips));
    let model_from_world = place::settle(&mut parts, &mut skeleton.joints, scale, vrm.looks_back, &mut warnings);
    warnings.extend(apart::several(&parts, &skeleton.joints));
    warnings.extend(limbs::stiff(&parts, &skeleton.joints));
    let mut garments = garment::taken(&mut parts, &mut cloth, &palette.materials);
    garments.iter_mut().for_each(|g| g.model.images.clone_from(&palette.images));
    let (mut weights, mut holds, mut primitives) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        weights.push(part.weights);
        holds.push(part.hold);
        primitives.push(part.primitive);
    }
    let model = Model { name: name.clone(), primitives, materials: palette.materials, images: palette.images };
    let (nodes, joints) = (tree.nodes, skeleton.joints);
    let colliders = implicit::read(&container.document, &nodes, &physics, model_from_world, &mut warnings)?;
    warnings.extend(crowded(&model));
    Ok(Asset {
        name,
        model,
        weights,
        holds,
        garments,
        joints,
        nodes,
        humanoid: vrm.bones,
        swinging: vrm.swinging,
        physics,
        colliders,
        clips,
        model_from_world,
        warnings,
    })
}

/// All that is drawn, with its materials, and for each part the name of the garment that it is.
fn place_all(
    reader: &Reader<'_>,
    tree: &Tree,
    skeleton: &Skeleton,
    palette: &Palette,
    warnings: &mut Vec<String>,
) -> Result<(Vec<Placed>, Vec<Option<String>>), Fault> {
    let (mut parts, mut cloth): (Vec<Placed>, Vec<Option<String>>) = (Vec::new(), Vec::new());
    for node in (0..tree.nodes.len()).filter(|n| tree.nodes[*n].visible) {
        let first = parts.len();
        parts.extend(geometry::place_mesh(reader, tree, skeleton, node, warnings)?);
        if parts.len() > first {
            paint(reader, palette, node, &mut parts[first..])?;
            parts[first..].iter_mut().for_each(|p| p.primitive.name.clone_from(&tree.nodes[node].name));
        }
        let name = garment::is_cloth(&reader.container.root().nodes[node]).then(|| tree.nodes[node].name.clone());
        cloth.resize(parts.len(), name);
    }
    let mut drawn = parts.iter().map(|p| !p.primitive.indices.is_empty());
    cloth.retain(|_| drawn.next().unwrap_or(false));
    parts.retain(|p| !p.primitive.indices.is_empty());
    if parts.is_empty() { Err(Fault::NoMesh) } else { Ok((parts, cloth)) }
}

/// Triangles from which a model takes long to load and to draw.
const CROWDED: usize = 300_000;

/// What to say of a model of unusually many triangles.
fn crowded(model: &Model) -> Option<String> {
    let triangles = model.primitives.iter().map(|p| p.indices.len() / 3).sum::<usize>();
    (triangles > CROWDED).then(|| {
        format!(
            "{triangles} triangles are unusually many: it loads and draws slowly; reduce it, for example with \
             `gltf-transform simplify in.glb out.glb`"
        )
    })
}

/// Gives the primitives placed for `node` their materials.
fn paint(reader: &Reader<'_>, palette: &Palette, node: usize, parts: &mut [Placed]) -> Result<(), Fault> {
    let root = reader.container.root();
    let mesh = root.nodes[node].mesh.map_or(0, |m| m.value());
    let drawn = root.meshes[mesh].primitives.iter().filter(|p| geometry::has_faces(p));
    for (part, source) in parts.iter_mut().zip(drawn) {
        palette.apply(&mut part.primitive, &format!("mesh {mesh}"), source.material.map(|m| m.value()))?;
    }
    Ok(())
}
