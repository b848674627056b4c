//! Pictures in KTX2 containers: ETC1S, UASTC and ASTC by `basisu`, and plain bytes; all of them also with Zstandard. The largest
//! level of one flat picture is read.

use std::io::Read;

use basisu::{DecodeFlags, TargetFormat, Transcoder};
use ruzstd::StreamingDecoder;

use crate::scene::Image;

/// First bytes of every such file.
pub(super) const SIGNATURE: [u8; 12] = *b"\xabKTX 20\xbb\r\n\x1a\n";

/// Supercompression schemes: none, that of ETC1S, and Zstandard.
const PLAIN: u32 = 0;
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;

/// The largest level and what it holds.
pub(super) struct Ktx2<'a> {
    bytes: &'a [u8],
    format: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    scheme: u32,
    level: &'a [u8],
    /// Bytes of the level once they are inflated.
    inflated: u64,
}

impl<'a> Ktx2<'a> {
    /// Reads the head of a file.
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, String> {
        let cut = || "its KTX2 data is cut off; export it again".to_owned();
        let word = |at: usize| bytes.get(at..at + 4)?.first_chunk().map(|b| u32::from_le_bytes(*b)).map(u64::from);
        let word = |at: usize| word(at).ok_or_else(cut);
        let [format, _, width, height, depth, layers, faces, _, scheme] =
            std::array::from_fn(|i| word(12 + 4 * i).map(|v| v as u32));
        let long = |at: usize| Ok::<u64, String>(word(at)? | word(at + 4)? << 32);
        let (offset, length, inflated) = (long(80)?, long(88)?, long(96)?);
        if depth? != 0 || layers? > 1 || faces? != 1 {
            return Err("it is a volume, a list or a cube of pictures; store one flat picture".into());
        }
        let level = bytes.get(offset as usize..offset.saturating_add(length) as usize).ok_or_else(cut)?;
        Ok(Self { bytes, format: format?, width: width?, height: height?, scheme: scheme?, level, inflated })
    }

    /// The pixels. Sizes must have been checked.
    pub(super) fn decode(&self) -> Result<Image, String> {
        let rgba = match plain(self.format) {
            Some(channels) => self.channels(channels)?,
            // What it holds says the descriptor of a file without a format; the others are ASTC.
            None if self.format == 0 || (157..=184).contains(&self.format) => self.transcoded()?,
            None => {
                return Err(format!(
                    "its pixels have the Vulkan format {}; store it as ETC1S or UASTC, or as PNG, JPEG or WebP",
                    self.format
                ));
            }
        };
        if rgba.len() as u64 != 4 * u64::from(self.width) * u64::from(self.height) {
            return Err("its pixels do not fill it; export it again".into());
        }
        Ok(Image { width: self.width, height: self.height, rgba })
    }

    /// Pixels of bytes; the channels say where red, green, blue and opacity stand.
    fn channels(&self, channels: &[usize]) -> Result<Vec<u8>, String> {
        let size = self.width as usize * self.height as usize * channels.len();
        let inflated;
        let bytes = match self.scheme {
            PLAIN => self.level,
            ZSTANDARD => {
                inflated = inflate(self.level, size)?;
                &inflated
            }
            _ => return Err(self.unknown_scheme()),
        };
        let bytes = bytes.get(..size).ok_or("its KTX2 data is cut off; export it again")?;
        let pixel = |from: &[u8]| {
            let mut rgba = [0, 0, 0, 255];
            channels.iter().zip(from).for_each(|(to, value)| rgba[*to] = *value);
            rgba
        };
        Ok(bytes.chunks_exact(channels.len()).flat_map(pixel).collect())
    }

    fn transcoded(&self) -> Result<Vec<u8>, String> {
        if !matches!(self.scheme, PLAIN | BASIS_LZ | ZSTANDARD) {
            return Err(self.unknown_scheme());
        }
        // Blocks are of 16 pixels at least and have 16 bytes; the transcoder makes room for what the file says.
        let most = 16 * u64::from(self.width.div_ceil(4)) * u64::from(self.height.div_ceil(4));
        if self.scheme == ZSTANDARD && self.inflated > most {
            return Err(format!("its blocks are {} bytes; at most {most} are allowed", self.inflated));
        }
        let wrong = |e: basisu::Error| format!("its blocks cannot be read ({e:?}); export it again");
        let file = Transcoder::new(self.bytes).map_err(wrong)?;
        file.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE).map_err(wrong)
    }

    fn unknown_scheme(&self) -> String {
        format!("its supercompression {} is not read; store it with Zstandard or without", self.scheme)
    }
}

/// Places of the channels of a Vulkan format of bytes.
fn plain(format: u32) -> Option<&'static [usize]> {
    match format {
        9 | 15 => Some(&[0]),
        16 | 22 => Some(&[0, 1]),
        23 | 29 => Some(&[0, 1, 2]),
        30 | 36 => Some(&[2, 1, 0]),
        37 | 43 => Some(&[0, 1, 2, 3]),
        44 | 50 => Some(&[2, 1, 0, 3]),
        _ => None,
    }
}

/// `size` bytes of a Zstandard stream, and no more.
fn inflate(bytes: &[u8], size: usize) -> Result<Vec<u8>, String> {
    let wrong = |e: String| format!("its Zstandard data cannot be read ({e:.100}); export it again");
    let stream = StreamingDecoder::new(bytes).map_err(|e| wrong(e.to_string()))?;
    let mut inflated = Vec::new();
    stream.take(size as u64).read_to_end(&mut inflated).map_err(|e| wrong(e.to_string()))?;
    Ok(inflated)
}
