//! Films as GIF: pictures are buffered until there are enough to choose colors from; then each is written as it comes.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Result, bail};
use image::RgbaImage;

use super::dither::Dither;

/// Pictures that colors are chosen by: half a second of them, which memory bears.
const GATHERED: usize = 16;

/// The size of pictures [pixels], as a GIF has it.
///
/// # Errors
/// They are too large.
pub(super) fn size_of((width, height): (u32, u32)) -> Result<(u16, u16)> {
    let (Ok(width), Ok(height)) = (u16::try_from(width), u16::try_from(height)) else {
        bail!("a GIF is at most 65535 pixels wide and high, not {width}x{height}");
    };
    Ok((width, height))
}

/// A GIF that is being written.
pub(super) struct GifFilm {
    encoder: gif::Encoder<BufWriter<File>>,
    /// From picture to picture, and what the whole hundredths of those written have left of it [s / 100].
    interval: f32,
    owed: f32,
    waiting: Vec<RgbaImage>,
    dither: Option<Dither>,
}

impl GifFilm {
    /// Begins a film of pictures of this size [pixels], `interval` apart [s].
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn create(path: &Path, (width, height): (u16, u16), interval: f32) -> Result<Self> {
        let mut encoder = gif::Encoder::new(BufWriter::new(File::create(path)?), width, height, &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Self { encoder, interval: 100.0 * interval, owed: 0.0, waiting: Vec::new(), dither: None })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn push(&mut self, picture: RgbaImage) -> Result<()> {
        self.waiting.push(picture);
        if self.dither.is_some() || self.waiting.len() == GATHERED { self.write() } else { Ok(()) }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn finish(mut self) -> Result<()> {
        self.write()?;
        Ok(self.encoder.into_inner()?.flush()?)
    }

    /// Writes what waits.
    fn write(&mut self) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let dither = self.dither.get_or_insert_with(|| Dither::new(&waiting));
        for picture in waiting {
            self.owed += self.interval;
            let hundredths = self.owed.round().max(1.0);
            self.owed -= hundredths;
            let buffer = Cow::Owned(dither.indices(&picture));
            let frame = gif::Frame {
                delay: hundredths as u16,
                width: picture.width() as u16,
                height: picture.height() as u16,
                palette: Some(dither.palette()),
                buffer,
                ..gif::Frame::default()
            };
            self.encoder.write_frame(&frame)?;
        }
        Ok(())
    }
}
