//! Pictures: PNG, JPEG, WebP and KTX2, of models and alone.

use std::io::Cursor;
use std::path::Path;

use image::{ColorType, DynamicImage, ImageReader, Limits};

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
    read_with(path, |bytes| decoded(bytes, &mut 0, MAX_PIXELS))
}

/// What a picture says by its red, as finely as its file has it.
pub(crate) struct Red {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Row by row, shape [height × width].
    pub(crate) values: Vec<u16>,
    /// What is full red: 255, or 65535 of a file of 16 bits.
    pub(crate) full: u16,
}

/// Reads the red of what [`read_image`] reads.
///
/// # Errors
/// As [`read_image`].
pub(crate) fn read_red(path: &Path) -> Result<Red, ImportError> {
    read_with(path, |bytes| guarded(|| red_of(bytes)))
}

/// Reads a file by `decode`, and names it where that fails.
fn read_with<T>(path: &Path, decode: impl FnOnce(&[u8]) -> Result<T, String>) -> Result<T, ImportError> {
    let error = |reason: String| {
        let fault = Fault::Unreadable { element: "the picture".into(), reason };
        ImportError { file: path.to_owned(), fault }
    };
    let bytes = files::read(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => error("there is no such file".into()),
        _ => error(e.to_string()),
    })?;
    decode(&bytes).map_err(error)
}

/// The pixels of a file; `pixels` counts those of all so far, of which there may be `most`.
pub(super) fn decoded(bytes: &[u8], pixels: &mut u64, most: u64) -> Result<Image, String> {
    let picture = guarded(|| pixels_of(bytes, *pixels, most))?;
    *pixels += u64::from(picture.width) * u64::from(picture.height);
    Ok(picture)
}

/// What `decode` gives; its decoders are of others.
fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    guard::caught(decode).unwrap_or_else(|| Err("its decoder fails; export it again".into()))
}

fn pixels_of(bytes: &[u8], before: u64, most: u64) -> Result<Image, String> {
    if bytes.starts_with(&ktx2::SIGNATURE) {
        let file = Ktx2::new(bytes)?;
        check(file.width, file.height, before, most)?;
        return file.decode();
    }
    let picture = picture_of(bytes, before, most)?.into_rgba8();
    Ok(Image { width: picture.width(), height: picture.height(), rgba: picture.into_raw() })
}

fn red_of(bytes: &[u8]) -> Result<Red, String> {
    let picture = if bytes.starts_with(&ktx2::SIGNATURE) { None } else { Some(picture_of(bytes, 0, MAX_PIXELS)?) };
    if let Some(picture) = picture.filter(|picture| is_fine(picture.color())) {
        let (width, height) = (picture.width(), picture.height());
        let values = picture.into_rgb16().pixels().map(|pixel| pixel.0[0]).collect();
        return Ok(Red { width, height, values, full: u16::MAX });
    }
    let Image { width, height, rgba } = pixels_of(bytes, 0, MAX_PIXELS)?;
    let values = rgba.chunks_exact(4).map(|pixel| u16::from(pixel[0])).collect();
    Ok(Red { width, height, values, full: u16::from(u8::MAX) })
}

/// Whether pixels have more than 8 bits a channel.
fn is_fine(color: ColorType) -> bool {
    color.bytes_per_pixel() > color.channel_count()
}

/// A file of another kind than KTX2, once it is known not to be too large.
fn picture_of(bytes: &[u8], before: u64, most: u64) -> Result<DynamicImage, String> {
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
    decoder.decode().map_err(|e| e.to_string())
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
    #[test]
    fn reds_are_as_fine_as_their_file() {
        let written = |picture: DynamicImage| {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
            red_of(&bytes.into_inner()).unwrap()
        };
        let fine: Vec<u16> = vec![0, 1, 256, 257, 40_000, 65_535];
        let red = written(image::ImageBuffer::<image::Luma<u16>, _>::from_raw(3, 2, fine.clone()).unwrap().into());
        assert_eq!((red.width, red.height, red.full, &red.values), (3, 2, u16::MAX, &fine));
        let colors = fine.iter().flat_map(|red| [*red, 7, 9]).collect();
        let red = written(image::ImageBuffer::<image::Rgb<u16>, _>::from_raw(2, 3, colors).unwrap().into());
        assert_eq!((red.width, red.height, red.full, red.values), (2, 3, u16::MAX, fine));
        let red = written(image::GrayImage::from_raw(2, 1, vec![3, 255]).unwrap().into());
        assert_eq!((red.full, red.values), (255, vec![3, 255]));
    }
}
