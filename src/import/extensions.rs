//! Extensions that a file requires: which are read, which only change looks, and which hide what is stored.

use super::Fault;

/// Refuses extensions that change how data is stored; those that only change looks cost a warning.
pub(super) fn check(required: &[String], warnings: &mut Vec<String>) -> Result<(), Fault> {
    for extension in required {
        let advice = match extension.as_str() {
            "KHR_materials_unlit"
            | "KHR_materials_emissive_strength"
            | "KHR_texture_transform"
            | "KHR_mesh_quantization"
            | "KHR_draco_mesh_compression"
            | "EXT_meshopt_compression"
            | "KHR_meshopt_compression"
            | "KHR_texture_basisu"
            | "EXT_texture_webp"
            | "KHR_physics_rigid_bodies"
            | "KHR_implicit_shapes"
            | "VRM"
            | "VRMC_vrm"
            | "VRMC_springBone" => continue,
            "EXT_texture_avif" | "MSFT_texture_dds" => "store its pictures as PNG, JPEG, WebP or KTX2",
            name if name.starts_with("KHR_materials_") || name.starts_with("KHR_lights") || name.starts_with("VRM") => {
                warnings.push(format!("the extension {name} is not drawn"));
                continue;
            }
            _ => "export without it",
        };
        return Err(Fault::Extension { extension: extension.clone(), advice });
    }
    Ok(())
}
