//! Models in other formats, recognized by name or first bytes, and what converts them.

use std::path::Path;

use super::Fault;

/// Endings that are read.
const OWN: [&str; 3] = ["glb", "gltf", "vrm"];

const BLENDER: &str = "with Blender (File > Import, then File > Export > glTF 2.0)";
const FBX: &str =
    "with `FBX2glTF -b -i in.fbx -o out.glb`, or with Blender (File > Import > FBX, then File > Export > glTF 2.0)";
const OBJ: &str =
    "with `obj2gltf -i in.obj -o out.glb`, or with Blender (File > Import > Wavefront, then File > Export > glTF 2.0)";
const DAE: &str = "with `assimp export in.dae out.glb`, or with `COLLADA2GLTF-bin -b -i in.dae -o out.glb`";
const USD: &str = "with Blender (File > Import > Universal Scene Description, then File > Export > glTF 2.0), or with `guc in.usd out.glb`";
const BLEND: &str =
    "with `blender in.blend -b --python-expr \"import bpy; bpy.ops.export_scene.gltf(filepath='out.glb')\"`";
const OWNER: &str = "export FBX from the program that made it, then `FBX2glTF -b -i in.fbx -o out.glb`";
const MMD: &str = "with Blender and its add-on MMD Tools (File > Import, then File > Export > glTF 2.0)";
const ASSIMP: &str = "with `assimp export in.3ds out.glb`";
const SCAN: &str =
    "with Blender (File > Import, then File > Export > glTF 2.0), or with `assimp export in.stl out.glb`";
const VRMA: &str = "it holds a motion alone; with Blender and its VRM add-on put it on an avatar and export both";

/// Endings, kinds and converters.
const OTHERS: &[(&str, &str, &str)] = &[
    ("fbx", "FBX", FBX),
    ("obj", "Wavefront OBJ", OBJ),
    ("dae", "COLLADA", DAE),
    ("usd", "USD", USD),
    ("usda", "USD", USD),
    ("usdc", "USD", USD),
    ("usdz", "USD", USD),
    ("blend", "Blender", BLEND),
    ("abc", "Alembic", BLENDER),
    ("ply", "PLY", SCAN),
    ("stl", "STL", SCAN),
    ("3ds", "3ds", ASSIMP),
    ("x", "DirectX", ASSIMP),
    ("bvh", "BVH", BLENDER),
    ("max", "3ds Max", OWNER),
    ("ma", "Maya", OWNER),
    ("mb", "Maya", OWNER),
    ("c4d", "Cinema 4D", OWNER),
    ("pmx", "MikuMikuDance", MMD),
    ("pmd", "MikuMikuDance", MMD),
    ("vrma", "VRM animation", VRMA),
];

/// First bytes, and the ending whose kind they are.
const STARTS: &[(&[u8], &str)] = &[
    (b"Kaydara FBX Binary", "fbx"),
    (b"; FBX", "fbx"),
    (b"#usda", "usda"),
    (b"PXR-USDC", "usdc"),
    (b"BLENDER", "blend"),
    (b"Ogawa", "abc"),
    (b"ply\n", "ply"),
    (b"ply\r", "ply"),
    (b"PMX ", "pmx"),
];

/// Whether a name is that of a model, of a kind that is read or of one for which [`super::load`] names a converter.
pub fn is_model_file(path: &Path) -> bool {
    let known = |end: &str| OWN.contains(&end) || OTHERS.iter().any(|(other, ..)| *other == end);
    ending(path).is_some_and(|end| known(&end))
}

fn ending(path: &Path) -> Option<String> {
    path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase())
}

fn fault(end: &str) -> Option<Fault> {
    let (_, kind, converter) = OTHERS.iter().find(|(other, ..)| *other == end)?;
    Some(Fault::Foreign { kind, converter })
}

/// What is wrong with a file of this name.
pub(super) fn by_name(path: &Path) -> Option<Fault> {
    fault(&ending(path)?)
}

/// What is wrong with a file of this content, whatever its name.
pub(super) fn by_content(bytes: &[u8]) -> Option<Fault> {
    let (_, end) = STARTS.iter().find(|(start, _)| bytes.starts_with(start))?;
    fault(end)
}
