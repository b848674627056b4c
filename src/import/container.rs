//! Bytes of a .glb or .gltf into its JSON and its buffers: embedded, in `data:` URIs, or in files beside it.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::Fault;
use super::document::Root;

/// Most bytes of JSON [bytes].
const MAX_JSON: u64 = 64 << 20;
/// Most bytes in a file and in all buffers together [bytes].
pub(super) const MAX_BYTES: u64 = 2 << 30;

/// A parsed file: its JSON and the bytes that the JSON points into.
pub(super) struct Container {
    pub(super) root: Root,
    pub(super) buffers: Vec<Vec<u8>>,
    folder: Option<PathBuf>,
}

impl Container {
    /// Parses `bytes`; files it refers to are read from `folder` and nowhere else.
    pub(super) fn parse(bytes: &[u8], folder: Option<&Path>) -> Result<Self, Fault> {
        let (json, binary) = if bytes.starts_with(b"glTF") { split_glb(bytes)? } else { (bytes, None) };
        limit("the JSON part", json.len() as u64, MAX_JSON)?;
        if json.iter().all(u8::is_ascii_whitespace) {
            return Err(Fault::NotGltf("it is empty".into()));
        }
        let root: Root = serde_json::from_slice(json).map_err(|e| Fault::NotGltf(e.to_string()))?;
        match &root.asset {
            Some(asset) if asset.version.starts_with("2.") => {}
            Some(asset) => return Err(Fault::NotGltf(format!("its version is `{}`", asset.version))),
            None => return Err(Fault::NotGltf("it has no `asset` with a version".into())),
        }
        let mut container = Self { root, buffers: Vec::new(), folder: folder.map(Path::to_owned) };
        container.load_buffers(binary)?;
        Ok(container)
    }

    fn load_buffers(&mut self, binary: Option<&[u8]>) -> Result<(), Fault> {
        let mut total = 0_u64;
        for (index, buffer) in self.root.buffers.iter().enumerate() {
            let need = buffer.byte_length as u64;
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
            self.buffers.push(bytes);
        }
        Ok(())
    }

    /// Bytes behind a `data:` URI or a file name relative to the asset's folder.
    pub(super) fn resource(&self, element: &str, uri: &str) -> Result<Vec<u8>, Fault> {
        if let Some(data) = uri.strip_prefix("data:") {
            let (kind, text) =
                data.split_once(',').ok_or_else(|| Fault::invalid(element, "its data URI has no comma"))?;
            return if kind.ends_with(";base64") {
                base64(text).ok_or_else(|| Fault::invalid(element, "its data URI is not base64"))
            } else {
                Ok(percent_decoded(text))
            };
        }
        let name = String::from_utf8_lossy(&percent_decoded(uri)).into_owned();
        let element = format!("{element} ({name})");
        let path = Path::new(&name);
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
    let folder = folder.canonicalize().map_err(unreadable)?;
    let full = folder.join(path).canonicalize().map_err(unreadable)?;
    if !full.starts_with(&folder) {
        return Err(Fault::invalid(element, "is not a file inside the asset's folder"));
    }
    limit(element, fs::metadata(&full).map_err(unreadable)?.len(), MAX_BYTES)?;
    fs::read(&full).map_err(unreadable)
}

pub(super) fn limit(element: &str, have: u64, most: u64) -> Result<(), Fault> {
    if have <= most { Ok(()) } else { Err(Fault::TooLarge { element: element.to_owned(), have, most }) }
}

/// The JSON chunk and the optional binary chunk of a binary glTF.
fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let cut = |element: &str, need: usize| Fault::Truncated {
        element: element.into(),
        need: need as u64,
        have: bytes.len() as u64,
    };
    let (Some(version), Some(total)) = (word(4), word(8)) else { return Err(cut("the header", 20)) };
    if version != 2 {
        return Err(Fault::NotGltf(format!("its container version is {version}")));
    }
    if total > bytes.len() {
        return Err(cut("the file", total));
    }
    let chunk = |at: usize, element: &str| {
        let (Some(length), Some(kind)) = (word(at), word(at + 4)) else { return Err(cut(element, at + 8)) };
        let end = at + 8 + length;
        bytes.get(at + 8..end).map(|data| (kind, data, end)).ok_or_else(|| cut(element, end))
    };
    let (kind, json, end) = chunk(12, "the JSON part")?;
    if kind != 0x4E4F_534A {
        return Err(Fault::NotGltf("its first part is not JSON".into()));
    }
    if end + 8 > total {
        return Ok((json, None));
    }
    let (kind, binary, _) = chunk(end, "the binary part")?;
    Ok((json, (kind == 0x004E_4942).then_some(binary)))
}

/// Decodes standard base64, padded or not; line breaks are skipped.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for c in text.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            b'\r' | b'\n' => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// Replaces `%20` and the like by the bytes they stand for.
fn percent_decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u8::from_str_radix(h, 16).ok());
        match code {
            Some(byte) if first == b'%' => {
                out.push(byte);
                rest = &tail[2..];
            }
            _ => {
                out.push(first);
                rest = tail;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_and_percent_codes() {
        assert_eq!(base64("U2luZXc=").unwrap(), b"Sinew");
        assert_eq!(base64("AAEC/w").unwrap(), [0, 1, 2, 255]);
        assert_eq!(base64("a*b"), None);
        assert_eq!(percent_decoded("a%20b%zz%"), b"a b%zz%");
    }

    #[test]
    fn files_outside_the_folder_are_refused() {
        let container = Container { root: Root::default(), buffers: Vec::new(), folder: Some(std::env::temp_dir()) };
        for uri in ["../secret.bin", "/etc/hostname", "a/../../b", "file:///etc/hostname", "..%2Fsecret.bin"] {
            let error = container.resource("buffer 0", uri).unwrap_err().to_string();
            assert!(error.contains("inside the asset's folder"), "{uri}: {error}");
        }
    }
}
