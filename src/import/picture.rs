//! Pictures: PNG, JPEG, WebP and KTX2, of models and alone.

use std::io::Cursor;
use std::path::Path;

use image::{ImageReader, Limits};

use super::ktx2::{self, Ktx2};
use super::{Fault, ImportError, guard};
use crate::files;
use crate::scene::Image;

/// Longest side of a picture [pixels].
const MAX_SIDE: u32 = 8192;
/// Most pixels of a picture that is read alone.
const MAX_PIXELS: u64 = 1 << 26;

/// Reads a .png, .jpg, .webp or .ktx2 file.
///
/// # Errors
/// [`ImportError`] naming the file: missing, no picture, cut off, or larger than 8192 pixels a side.
pub fn read_image(path: &Path) -> Result<Image, ImportError> {
    let error = |reason: String| {
        let fault = Fault::Unreadable { element: "the picture".into(), reason };
        ImportError { file: path.to_owned(), fault }
    };
    let bytes = files::read(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => error("there is no such file".into()),
        _ => error(e.to_string()),
    })?;
    decoded(&bytes, &mut 0, MAX_PIXELS).map_err(error)
}

/// The pixels of a file; `pixels` counts those of all so far, of which there may be `most`.
pub(super) fn decoded(bytes: &[u8], pixels: &mut u64, most: u64) -> Result<Image, String> {
    // Its decoders are of others.
    let picture = guard::caught(|| pixels_of(bytes, *pixels, most))
        .unwrap_or_else(|| Err("its decoder fails; export it again".into()))?;
    *pixels += u64::from(picture.width) * u64::from(picture.height);
    Ok(picture)
}

fn pixels_of(bytes: &[u8], before: u64, most: u64) -> Result<Image, String> {
    if bytes.starts_with(&ktx2::SIGNATURE) {
        let file = Ktx2::new(bytes)?;
        check(file.width, file.height, before, most)?;
        return file.decode();
    }
    let reader = || ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string());
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    let mut measured = reader()?;
    measured.limits(limits.clone());
    let (width, height) = measured.into_dimensions().map_err(|e| e.to_string())?;
    check(width, height, before, most)?;
    let mut decoder = reader()?;
    decoder.limits(limits);
    let picture = decoder.decode().map_err(|e| e.to_string())?.into_rgba8();
    Ok(Image { width: picture.width(), height: picture.height(), rgba: picture.into_raw() })
}

/// Checks the size of a picture before there is room made for it.
fn check(width: u32, height: u32, before: u64, most: u64) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err("it has no pixels".into());
    }
    if width.max(height) > MAX_SIDE {
        return Err(format!("{width} x {height} pixels are too many: a side has at most {MAX_SIDE}"));
    }
    let sum = before + u64::from(width) * u64::from(height);
    if sum > most {
        return Err(format!("{width} x {height} pixels are too many: with those before it {sum}, of at most {most}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image::RgbaImage::new(width, height).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn what_is_refused_takes_no_room() {
        let mut pixels = 0;
        assert!(decoded(&png(4, 4), &mut pixels, 20).is_ok());
        let error = decoded(&png(4, 2), &mut pixels, 20).unwrap_err();
        assert!(error.contains("24") && error.contains("20"), "{error}");
        let whole = png(2, 2);
        assert!(decoded(&whole[..whole.len() - 20], &mut pixels, 20).is_err());
        assert_eq!(pixels, 16);
        assert!(decoded(&whole, &mut pixels, 20).is_ok());
    }
}
