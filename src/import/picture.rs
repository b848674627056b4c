//! Pictures: PNG and JPEG, of models and alone.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use image::{ImageReader, Limits};

use super::{Fault, ImportError, guard};
use crate::scene::Image;

/// Longest side of a picture [pixels].
const MAX_SIDE: u32 = 8192;
/// Most pixels of a picture that is read alone.
const MAX_PIXELS: u64 = 1 << 26;

/// Reads a .png or .jpg file.
///
/// # Errors
/// [`ImportError`] naming the file: missing, no picture, cut off, or larger than 8192 pixels a side.
pub fn read_image(path: &Path) -> Result<Image, ImportError> {
    let error = |reason: String| {
        let fault = Fault::Unreadable { element: "the picture".into(), reason };
        ImportError { file: path.to_owned(), fault }
    };
    let bytes = fs::read(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => error("there is no such file".into()),
        _ => error(e.to_string()),
    })?;
    guard::caught(|| decoded(&bytes, &mut 0, MAX_PIXELS))
        .unwrap_or_else(|| Err("its decoder fails".into()))
        .map_err(error)
}

/// The pixels of a file; `pixels` counts those of all so far, of which there may be `most`.
pub(super) fn decoded(bytes: &[u8], pixels: &mut u64, most: u64) -> Result<Image, String> {
    let reader = || ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string());
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    let mut measured = reader()?;
    measured.limits(limits.clone());
    let (width, height) = measured.into_dimensions().map_err(|e| e.to_string())?;
    *pixels += u64::from(width) * u64::from(height);
    if width.max(height) > MAX_SIDE || *pixels > most {
        return Err(format!("{width} x {height} pixels are too many"));
    }
    let mut decoder = reader()?;
    decoder.limits(limits);
    let picture = decoder.decode().map_err(|e| e.to_string())?.into_rgba8();
    Ok(Image { width: picture.width(), height: picture.height(), rgba: picture.into_raw() })
}
