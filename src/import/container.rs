//! Bytes of a .glb or .gltf into its JSON and its buffers: embedded, in `data:` URIs, or in files beside it.
//!
//! The `gltf` crate parses and iterates. Its own validation refuses files that others read, and panics on some that are
//! broken, so everything is checked here and where it is used.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use data_url::DataUrl;
use gltf::binary::Error as Broken;
use gltf::json::Root;
use gltf::{Document, Glb};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::error::limit;
use super::{Fault, extensions, foreign, unpack};
use crate::files;
use crate::nesting::way_to;

/// Most bytes of JSON [bytes].
const MAX_JSON: u64 = 64 << 20;
/// Most lists, objects and values in the JSON, so that a small file does not fill the memory.
const MAX_ITEMS: u64 = 2 << 20;
/// Most bytes in a file and in all buffers together [bytes].
pub(super) const MAX_BYTES: u64 = 2 << 30;

/// The index that stands for none where the crate's model demands one.
pub(super) const NONE: usize = u32::MAX as usize;

/// A parsed file: its JSON and the bytes that the JSON points into.
pub(super) struct Container {
    pub(super) document: Document,
    pub(super) buffers: Vec<Vec<u8>>,
    json: Vec<u8>,
    folder: Option<PathBuf>,
}

impl Container {
    /// Parses `bytes`; files it refers to are read from `folder` and nowhere else. What is compressed is written out.
    pub(super) fn parse(bytes: &[u8], folder: Option<&Path>, warnings: &mut Vec<String>) -> Result<Self, Fault> {
        if let Some(fault) = foreign::by_content(bytes) {
            return Err(fault);
        }
        let (json, binary) = if bytes.starts_with(b"glTF") {
            let glb = split_glb(bytes)?;
            (glb.json, glb.bin)
        } else {
            (bytes.into(), None)
        };
        limit("the JSON part", json.len() as u64, MAX_JSON)?;
        let items = json.iter().filter(|b| matches!(b, b'{' | b'[' | b',')).count();
        limit("the list of all values in the JSON part", items as u64, MAX_ITEMS)?;
        if json.iter().all(u8::is_ascii_whitespace) {
            return Err(Fault::NotGltf("it is empty".into()));
        }
        let root = match serde_json::from_slice(&json) {
            Ok(root) if !has_wide_integers(&json) => root,
            _ => mended(&json)?,
        };
        let version = &root.asset.version;
        if !version.starts_with("2.") {
            return Err(Fault::NotGltf(format!("its version is `{version}`")));
        }
        extensions::check(&root.extensions_required, warnings)?;
        let document = Document::from_json_without_validation(root);
        let (json, folder) = (json.into_owned(), folder.map(Path::to_owned));
        let mut container = Self { document, buffers: Vec::new(), json, folder };
        container.load_buffers(binary.as_deref())?;
        let mut root = container.document.into_json();
        unpack::unpack(&mut root, &mut container.buffers)?;
        container.document = Document::from_json_without_validation(root);
        Ok(container)
    }

    /// The JSON in the crate's model: no index in it has been checked.
    pub(super) fn root(&self) -> &Root {
        self.document.as_json()
    }

    /// What the file has at a JSON pointer: the crate's model drops values that it does not know.
    pub(super) fn written(&self, pointer: &str) -> Value {
        let json: Value = serde_json::from_slice(&self.json).unwrap_or_default();
        json.pointer(pointer).cloned().unwrap_or_default()
    }

    fn load_buffers(&mut self, binary: Option<&[u8]>) -> Result<(), Fault> {
        let mut total = 0_u64;
        let mut buffers = Vec::new();
        let placeholders = unpack::placeholders(self.root());
        for (index, buffer) in self.root().buffers.iter().enumerate() {
            if placeholders[index] {
                buffers.push(Vec::new());
                continue;
            }
            let need = buffer.byte_length.0;
            total = total.saturating_add(need);
            limit("the sum of all buffers", total, MAX_BYTES)?;
            let element = format!("buffer {index}");
            let bytes = match (&buffer.uri, binary) {
                (Some(uri), _) => self.resource(&element, uri)?,
                (None, Some(bytes)) if index == 0 => bytes.to_vec(),
                _ => return Err(Fault::invalid(element, "has no uri and the file embeds no binary part")),
            };
            if (bytes.len() as u64) < need {
                return Err(Fault::Truncated { element, need, have: bytes.len() as u64 });
            }
            buffers.push(bytes);
        }
        self.buffers = buffers;
        Ok(())
    }

    /// Bytes behind a `data:` URI or a file name relative to the asset's folder.
    pub(super) fn resource(&self, element: &str, uri: &str) -> Result<Vec<u8>, Fault> {
        if uri.starts_with("data:") {
            let data = DataUrl::process(uri).map_err(|_| Fault::invalid(element, "its data URI has no comma"))?;
            let (bytes, _) = data.decode_to_vec().map_err(|_| Fault::invalid(element, "its data URI is not base64"))?;
            return Ok(bytes);
        }
        let name = percent_decode_str(uri).decode_utf8_lossy();
        let element = format!("{element} ({name:.100})");
        let path = Path::new(name.as_ref());
        let inside = path.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if !inside || name.contains(':') || name.contains('\\') {
            return Err(Fault::invalid(element, "is not a file inside the asset's folder"));
        }
        let Some(folder) = &self.folder else {
            return Err(Fault::invalid(element, "is a separate file, and only bytes were given; embed it"));
        };
        read_inside(folder, path, &element)
    }
}

/// Reads `folder/path`, refusing links that lead outside and files over the limit.
fn read_inside(folder: &Path, path: &Path, element: &str) -> Result<Vec<u8>, Fault> {
    let unreadable = |e: std::io::Error| Fault::Unreadable { element: element.to_owned(), reason: e.to_string() };
    let full = files::inside(folder, path).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput => Fault::invalid(element, "is not a file inside the asset's folder"),
        _ => unreadable(error),
    })?;
    limit(element, files::size(&full).map_err(unreadable)?, MAX_BYTES)?;
    files::read(&full).map_err(unreadable)
}

/// The value of an extension; null where there is none.
pub(super) fn or_null(extension: Option<&Value>) -> &Value {
    static NULL: Value = Value::Null;
    extension.unwrap_or(&NULL)
}

/// The JSON chunk and the optional binary chunk of a binary glTF.
fn split_glb(bytes: &[u8]) -> Result<Glb<'_>, Fault> {
    let cut = |element: &str, need: usize, have: usize| Fault::Truncated {
        element: element.into(),
        need: need as u64,
        have: have as u64,
    };
    // The crate subtracts the header from this length unseen, and takes what follows the end for chunks.
    let length = bytes.get(8..12).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    if length < 20 || length > bytes.len() {
        return Err(cut("the file", length.max(20), bytes.len()));
    }
    Glb::from_slice(&bytes[..length]).map_err(|error| match error {
        gltf::Error::Binary(Broken::Version(version)) => Fault::NotGltf(format!("its container version is {version}")),
        gltf::Error::Binary(Broken::ChunkLength { length, length_read, .. }) => {
            cut("the JSON or the binary part", length as usize, length_read)
        }
        other => Fault::NotGltf(other.to_string()),
    })
}

/// Whether there may be integers that the crate's model would cut to 32 bits.
fn has_wide_integers(json: &[u8]) -> bool {
    let ends = |b: &u8| !(b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-'));
    json.split(ends).any(|word| word.len() > 9 && word.iter().all(u8::is_ascii_digit))
}

/// Parses JSON that the crate's model does not take as it stands, or says where it is wrong.
fn mended(json: &[u8]) -> Result<Root, Fault> {
    let mut value = serde_json::from_slice(json).map_err(|e| Fault::NotGltf(e.to_string()))?;
    keep_wide_indices_wrong(&mut value);
    fill_in(&mut value);
    // On one line, so that the column is the byte.
    let text = value.to_string();
    Root::from_str(&text).map_err(|error| {
        let told = error.to_string();
        let problem = told.split(" at line ").next().unwrap_or_default();
        let path = way_to(&text, error.column(), false);
        let problem = format!("{problem:.200}");
        if path.is_empty() {
            Fault::NotGltf(problem)
        } else {
            Fault::invalid(path, format!("{problem}; export it again"))
        }
    })
}

/// Gives integers that the crate's model would cut to 32 bits, and so to another index, an index that no list has.
fn keep_wide_indices_wrong(value: &mut Value) {
    match value {
        Value::Object(map) => map
            .iter_mut()
            .filter(|(name, _)| !matches!(name.as_str(), "byteLength" | "byteOffset" | "count"))
            .for_each(|(_, v)| keep_wide_indices_wrong(v)),
        Value::Array(list) => list.iter_mut().for_each(keep_wide_indices_wrong),
        Value::Number(n) if n.as_u64().is_some_and(|n| n >= NONE as u64) => *value = (NONE - 1).into(),
        _ => {}
    }
}

/// Fills in what a file may leave out and the crate's model demands: nodes of a scene and the node of a channel.
fn fill_in(root: &mut Value) {
    for scene in objects(root.get_mut("scenes")) {
        scene.entry("nodes").or_insert(Value::Array(Vec::new()));
    }
    for animation in objects(root.get_mut("animations")) {
        for channel in objects(animation.get_mut("channels")) {
            if let Some(Value::Object(target)) = channel.get_mut("target") {
                target.entry("node").or_insert(NONE.into());
            }
        }
    }
}

fn objects(list: Option<&mut Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    list.and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn container() -> Container {
        let document = Document::from_json_without_validation(Root::default());
        Container { document, buffers: Vec::new(), json: Vec::new(), folder: Some(std::env::temp_dir()) }
    }

    #[test]
    fn base64_and_percent_codes() {
        let data = |uri: &str| container().resource("buffer 0", uri);
        assert_eq!(data("data:;base64,U2luZXc=").unwrap(), b"Sinew");
        assert_eq!(data("data:application/octet-stream;base64,AAEC/w").unwrap(), [0, 1, 2, 255]);
        assert!(data("data:;base64,a*b").unwrap_err().to_string().contains("not base64"));
        assert!(data("data:;base64").unwrap_err().to_string().contains("no comma"));
        assert_eq!(data("data:,a%20b%zz%").unwrap(), b"a b%zz%");
        assert!(data("a%20b%zz%").unwrap_err().to_string().contains("(a b%zz%)"));
    }

    #[test]
    fn files_outside_the_folder_are_refused() {
        for uri in ["../secret.bin", "/etc/hostname", "a/../../b", "file:///etc/hostname", "..%2Fsecret.bin"] {
            let error = container().resource("buffer 0", uri).unwrap_err().to_string();
            assert!(error.contains("inside the asset's folder"), "{uri}: {error}");
        }
    }

    #[test]
    fn wide_indices_stay_wrong_and_gaps_are_filled() {
        let mut raw = json!({"scene": 1_u64 << 32, "scenes": [{}], "accessors": [{"count": 1_u64 << 32}],
            "animations": [{"channels": [{"target": {}}, {"target": {"node": 3}}]}]});
        keep_wide_indices_wrong(&mut raw);
        fill_in(&mut raw);
        let filled = json!({"scene": NONE - 1, "scenes": [{"nodes": []}], "accessors": [{"count": 1_u64 << 32}],
            "animations": [{"channels": [{"target": {"node": NONE}}, {"target": {"node": 3}}]}]});
        assert_eq!(raw, filled);
    }
}
