//! The humanoid map of a VRM avatar: which node is which human bone (VRM 0.x `VRM`, VRM 1.0 `VRMC_vrm`).

use gltf::Document;
use serde_json::Value;

use super::Fault;
use super::container::or_null;

/// Human bones and their nodes; empty if the file has no map.
pub(super) fn read(document: &Document) -> Result<Vec<(String, usize)>, Fault> {
    let mut bones = Vec::new();
    let count = document.nodes().len();
    let map = |extension| &or_null(document.extension_value(extension))["humanoid"]["humanBones"];
    if let Value::Object(map) = map("VRMC_vrm") {
        for (bone, entry) in map {
            bones.push((bone.clone(), node("VRMC_vrm", bone, &entry["node"], count)?));
        }
    } else if let Value::Array(list) = map("VRM") {
        for entry in list {
            let bone =
                entry["bone"].as_str().ok_or_else(|| Fault::invalid("extension VRM", "a human bone has no name"))?;
            // Exporters write -1 for bones that are not there.
            if entry["node"].as_i64() != Some(-1) {
                bones.push((bone.to_owned(), node("VRM", bone, &entry["node"], count)?));
            }
        }
    }
    Ok(bones)
}

fn node(extension: &str, bone: &str, value: &Value, count: usize) -> Result<usize, Fault> {
    let element = format!("extension {extension}, human bone `{bone}`");
    let Some(node) = value.as_u64() else { return Err(Fault::invalid(element, "names no node")) };
    let node = usize::try_from(node).unwrap_or(usize::MAX);
    if node < count { Ok(node) } else { Err(Fault::missing(&element, "node", node, count)) }
}
