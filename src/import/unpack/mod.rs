//! Compressed parts of a file, unpacked before anything else reads them: buffer views
//! of `EXT_meshopt_compression` and `KHR_meshopt_compression`, primitives of `KHR_draco_mesh_compression`.

mod attributes;
mod draco;
mod filters;
mod indices;
mod stream;

use gltf::json::Root;
use gltf::json::buffer::View;
use gltf::json::validation::USize64;
use gltf::json::{Buffer, Index};
use serde_json::{Map, Value};

use super::Fault;
use super::error::limit;
use filters::Filter;

/// Names of the extension of buffer views; they differ in what the streams may hold.
const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
/// Most bytes that all compressed parts of one file may become [bytes].
const MAX_UNPACKED: u64 = 256 << 20;

/// How to get a file that works.
const ADVICE: &str = "compress the file again, or run `gltf-transform copy in.glb out.glb`";

/// The file while its compressed parts are written out.
struct Unpacker<'a> {
    root: &'a mut Root,
    buffers: &'a mut Vec<Vec<u8>>,
    /// Bytes that may still come [bytes].
    left: u64,
}

/// Writes out all that is compressed: new buffers come after those of the file, and views and accessors point into them.
pub(super) fn unpack(root: &mut Root, buffers: &mut Vec<Vec<u8>>) -> Result<(), Fault> {
    let mut unpacker = Unpacker { root, buffers, left: MAX_UNPACKED };
    for index in 0..unpacker.root.buffer_views.len() {
        unpacker.view(index)?;
    }
    for mesh in 0..unpacker.root.meshes.len() {
        for part in 0..unpacker.root.meshes[mesh].primitives.len() {
            unpacker.primitive(mesh, part)?;
        }
    }
    Ok(())
}

/// Which buffers only stand in for compressed data and hold none: all of their views are compressed, or an extension says so.
pub(super) fn placeholders(root: &Root) -> Vec<bool> {
    let (mut plain, mut compressed) = (vec![false; root.buffers.len()], vec![false; root.buffers.len()]);
    for view in &root.buffer_views {
        let own = meshopt(view);
        let list = if own.is_some() { &mut compressed } else { &mut plain };
        list.get_mut(view.buffer.value()).into_iter().for_each(|entry| *entry = true);
        let source = own.and_then(|(_, own)| own.get("buffer")?.as_u64()).and_then(|at| plain.get_mut(at as usize));
        source.into_iter().for_each(|entry| *entry = true);
    }
    let told = |index: usize| {
        let own = root.buffers[index].extensions.as_ref().map(|e| &e.others);
        own.is_some_and(|own| MESHOPT.iter().any(|name| own.get(*name).is_some_and(|e| e["fallback"] == true)))
    };
    (0..root.buffers.len()).map(|index| !plain[index] && (compressed[index] || told(index))).collect()
}

/// The extension of a compressed view.
fn meshopt(view: &View) -> Option<(&'static str, &Map<String, Value>)> {
    let others = &view.extensions.as_ref()?.others;
    MESHOPT.iter().find_map(|name| Some((*name, others.get(*name)?.as_object()?)))
}

impl Unpacker<'_> {
    /// Counts `bytes` that are about to be written.
    fn spend(&mut self, bytes: u64) -> Result<(), Fault> {
        let have = (MAX_UNPACKED - self.left).saturating_add(bytes);
        limit("the sum of all that is compressed", have, MAX_UNPACKED)?;
        self.left = MAX_UNPACKED - have;
        Ok(())
    }

    /// A new buffer.
    fn add_buffer(&mut self, bytes: Vec<u8>) -> Index<Buffer> {
        let (byte_length, index) = (USize64(bytes.len() as u64), Index::new(self.root.buffers.len() as u32));
        let buffer = Buffer { byte_length, name: None, uri: None, extensions: None, extras: Default::default() };
        self.root.buffers.push(buffer);
        self.buffers.push(bytes);
        index
    }

    /// Bytes `offset .. offset + length` of a buffer.
    fn bytes(&self, element: &str, buffer: u64, offset: u64, length: u64) -> Result<&[u8], Fault> {
        let (index, count) = (usize::try_from(buffer).unwrap_or(usize::MAX), self.buffers.len());
        let from = self.buffers.get(index).ok_or_else(|| Fault::missing(element, "buffer", index, count))?;
        let end = offset.saturating_add(length);
        from.get(offset as usize..end as usize).ok_or_else(|| Fault::Truncated {
            element: format!("{element} in buffer {buffer}"),
            need: end,
            have: from.len() as u64,
        })
    }

    /// Writes out view `index`, if it is compressed.
    fn view(&mut self, index: usize) -> Result<(), Fault> {
        let view = &self.root.buffer_views[index];
        let Some((name, own)) = meshopt(view) else { return Ok(()) };
        let element = format!("buffer view {index}");
        let wrong = |problem: &str| Fault::invalid(&element, format!("{name}: {problem}; {ADVICE}"));
        let packed = Packed::read(own, view.byte_length.0).map_err(|problem| wrong(&problem))?;
        self.spend(packed.unpacked())?;
        let bytes = self.bytes(&element, packed.buffer, packed.offset, packed.length)?;
        let unpacked = packed.unpack(bytes).map_err(wrong)?;
        let buffer = self.add_buffer(unpacked);
        let view = &mut self.root.buffer_views[index];
        (view.buffer, view.byte_offset) = (buffer, None);
        Ok(())
    }
}

/// What the streams of a view hold.
#[derive(Clone, Copy)]
enum Mode {
    Attributes(Filter),
    Triangles,
    Indices,
}

/// What the extension of a view says.
struct Packed {
    buffer: u64,
    offset: u64,
    length: u64,
    count: u64,
    stride: u64,
    mode: Mode,
}

impl Packed {
    /// Reads the extension of a view of `view` bytes, by the rules of its specification.
    fn read(own: &Map<String, Value>, view: u64) -> Result<Self, String> {
        let null = &Value::Null;
        let at = |key: &str| own.get(key).unwrap_or(null);
        let number = |key: &str| at(key).as_u64().ok_or_else(|| format!("it has no {key}"));
        let filter = at("filter");
        let mode = match at("mode").as_str() {
            Some("ATTRIBUTES") => {
                Mode::Attributes(Filter::named(filter).ok_or_else(|| format!("the filter {filter} does not exist"))?)
            }
            Some("TRIANGLES") => Mode::Triangles,
            Some("INDICES") => Mode::Indices,
            _ => return Err(format!("the mode {} does not exist", at("mode"))),
        };
        let (count, stride) = (number("count")?, number("byteStride")?);
        let fits = match mode {
            Mode::Attributes(filter) => {
                stride.is_multiple_of(4) && (4..=256).contains(&stride) && filter.fits(stride as usize)
            }
            Mode::Triangles => matches!(stride, 2 | 4) && count.is_multiple_of(3),
            Mode::Indices => matches!(stride, 2 | 4),
        };
        if !fits {
            return Err(format!("{count} elements of {stride} bytes do not fit its mode"));
        }
        let unpacked = count.checked_mul(stride).filter(|bytes| *bytes == view);
        unpacked.ok_or_else(|| format!("{count} elements of {stride} bytes are not the {view} bytes of the view"))?;
        let offset = at("byteOffset").as_u64().unwrap_or(0);
        Ok(Self { buffer: number("buffer")?, offset, length: number("byteLength")?, count, stride, mode })
    }

    /// Bytes that it becomes; those of a view, so that the product has a place.
    fn unpacked(&self) -> u64 {
        self.count * self.stride
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
        let (count, stride) = (self.count as usize, self.stride as usize);
        let indices = match self.mode {
            Mode::Attributes(filter) => {
                let mut unpacked = attributes::decode(bytes, count, stride)?;
                filter.apply(&mut unpacked, stride);
                return Ok(unpacked);
            }
            Mode::Triangles => indices::triangles(bytes, count)?,
            Mode::Indices => indices::sequence(bytes, count)?,
        };
        Ok(match stride {
            2 => indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
            _ => indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use data_url::DataUrl;

    use super::*;

    /// Streams by the encoder of others, and what its decoder makes of them; `tools/compressed` writes them.
    fn streams() -> Vec<(Packed, Vec<u8>, Vec<u8>, bool)> {
        let list: Vec<Value> = serde_json::from_str(include_str!("../../../tests/files/meshopt-streams.json")).unwrap();
        let bytes = |text: &Value| {
            let url = format!("data:;base64,{}", text.as_str().unwrap());
            DataUrl::process(&url).unwrap().decode_to_vec().unwrap().0
        };
        let mut streams = Vec::new();
        for entry in &list {
            let plain = bytes(&entry["plain"]);
            for packed in entry["packed"].as_array().unwrap().iter().map(bytes) {
                let mut own = entry.as_object().unwrap().clone();
                own.insert("byteStride".into(), entry["stride"].clone());
                own.insert("byteLength".into(), packed.len().into());
                own.insert("buffer".into(), 0.into());
                let read = Packed::read(&own, plain.len() as u64).unwrap();
                let exact = matches!(entry["filter"].as_str(), Some("NONE" | "EXPONENTIAL"));
                streams.push((read, packed, plain.clone(), exact));
            }
        }
        streams
    }

    #[test]
    fn streams_of_others_are_read() {
        let streams = streams();
        assert_eq!(streams.len(), 40);
        for (index, (packed, stream, plain, exact)) in streams.iter().enumerate() {
            let unpacked = packed.unpack(stream).unwrap_or_else(|e| panic!("stream {index}: {e}"));
            let off = |wide: bool| {
                if !wide {
                    return unpacked
                        .iter()
                        .zip(plain)
                        .map(|(a, b)| a.wrapping_sub(*b) as i8 as i32)
                        .collect::<Vec<_>>();
                }
                let word = |b: &[u8; 2]| u16::from_le_bytes(*b);
                let pairs = unpacked.as_chunks().0.iter().zip(plain.as_chunks().0);
                pairs.map(|(a, b)| i32::from(word(a).wrapping_sub(word(b)) as i16)).collect()
            };
            // Filters may differ in their last bit.
            let most = off(packed.stride == 8).into_iter().map(i32::abs).max().unwrap_or(0);
            assert!(most <= i32::from(!exact) && unpacked.len() == plain.len(), "stream {index}: off by {most}");
        }
    }

    #[test]
    fn cut_and_spoiled_streams_end_in_bytes_or_a_sentence() {
        let mut state = 0x5EED_CAFE_u32;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as usize % below
        };
        let (mut read, mut refused) = (0, 0);
        for (index, (packed, stream, plain, _)) in streams().iter().enumerate() {
            for end in 0..stream.len() {
                assert!(packed.unpack(&stream[..end]).is_err(), "stream {index} cut at {end}");
            }
            for _ in 0..500 {
                let mut spoiled = stream.clone();
                (0..1 + random(3)).for_each(|_| spoiled[random(stream.len())] = random(256) as u8);
                match packed.unpack(&spoiled) {
                    Ok(bytes) => {
                        assert_eq!(bytes.len(), plain.len());
                        read += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(read > 1000 && refused > 1000, "{read} read, {refused} refused");
    }
}
