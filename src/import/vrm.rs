//! What a VRM avatar declares (VRM 0.x `VRM`, VRM 1.0 `VRMC_vrm`): which node is which human bone, which way it faces, and
//! what swings.

use gltf::Document;
use serde_json::Value;

use super::Fault;
use super::container::or_null;

/// What an avatar says of itself; nothing for other models.
#[derive(Default)]
pub(super) struct Vrm {
    /// Human bones and their nodes.
    pub(super) bones: Vec<(String, usize)>,
    /// Whether it looks along -Z, as avatars of VRM 0 do.
    pub(super) looks_back: bool,
    /// Nodes that swing, and all below them.
    pub(super) swinging: Vec<usize>,
}

/// Reads the extensions; a warning tells what is left out.
pub(super) fn read(document: &Document, warnings: &mut Vec<String>) -> Result<Vrm, Fault> {
    let count = document.nodes().len();
    let own = |extension| or_null(document.extension_value(extension));
    let mut vrm = Vrm::default();
    let springs;
    if own("VRMC_vrm").is_object() {
        for (bone, entry) in own("VRMC_vrm")["humanoid"]["humanBones"].as_object().into_iter().flatten() {
            vrm.bones.push((bone.clone(), node("VRMC_vrm", bone, &entry["node"], count)?));
        }
        let list = own("VRMC_springBone")["springs"].as_array();
        springs = list.map_or(0, Vec::len);
        let joints = list.into_iter().flatten().flat_map(|spring| spring["joints"].as_array().into_iter().flatten());
        vrm.swinging = swinging("VRMC_springBone", joints.map(|joint| &joint["node"]), count)?;
    } else {
        vrm.looks_back = own("VRM").is_object();
        for entry in own("VRM")["humanoid"]["humanBones"].as_array().into_iter().flatten() {
            let bone =
                entry["bone"].as_str().ok_or_else(|| Fault::invalid("extension VRM", "a human bone has no name"))?;
            // Exporters write -1 for bones that are not there.
            if entry["node"].as_i64() != Some(-1) {
                vrm.bones.push((bone.to_owned(), node("VRM", bone, &entry["node"], count)?));
            }
        }
        let groups = own("VRM")["secondaryAnimation"]["boneGroups"].as_array();
        let roots = groups.into_iter().flatten().flat_map(|group| group["bones"].as_array().into_iter().flatten());
        vrm.swinging = swinging("VRM", roots, count)?;
        springs = vrm.swinging.len();
    }
    if springs > 0 {
        warnings.push(format!(
            "its {springs} spring bones do not swing: hair and clothes on them move with the body; as cloth they do (a node \
             called `cloth`)"
        ));
    }
    Ok(vrm)
}

fn node(extension: &str, bone: &str, value: &Value, count: usize) -> Result<usize, Fault> {
    index(&format!("extension {extension}, human bone `{bone}`"), value, count)
}

fn index(element: &str, value: &Value, count: usize) -> Result<usize, Fault> {
    let Some(node) = value.as_u64() else { return Err(Fault::invalid(element, "names no node")) };
    let node = usize::try_from(node).unwrap_or(usize::MAX);
    if node < count { Ok(node) } else { Err(Fault::missing(element, "node", node, count)) }
}

/// Nodes of springs; -1 stands for none.
fn swinging<'a>(extension: &str, nodes: impl Iterator<Item = &'a Value>, count: usize) -> Result<Vec<usize>, Fault> {
    let present = nodes.filter(|value| value.as_i64() != Some(-1));
    present.map(|value| index(&format!("extension {extension}, a spring bone"), value, count)).collect()
}
