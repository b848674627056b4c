//! A small picture of each demo, all in one image: `tools/thumbnails` draws it.

use egui::{ColorImage, Image, Rect, TextureHandle, TextureOptions, Ui, Vec2, pos2};

use crate::demos::DEMOS;

const SHEET: &[u8] = include_bytes!("../../../assets/thumbnails.jpg");
/// Size of a picture [pixels], and pictures in a row of the sheet.
const WIDTH: u32 = 96;
const HEIGHT: u32 = 60;
const ACROSS: u32 = 6;
/// Pictures in which a demo is brought into sight: in the first ones of a window nobody knows yet how long the list is.
const COMES: u32 = 4;

/// The sheet, once it is on the GPU, and the demo whose picture was brought into sight.
#[derive(Default)]
pub(super) struct Thumbnails {
    sheet: Option<TextureHandle>,
    seen: String,
    /// Pictures in which it still has to be brought there.
    frames: u32,
}

impl std::fmt::Debug for Thumbnails {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thumbnails").field("seen", &self.seen).finish_non_exhaustive()
    }
}

impl Thumbnails {
    /// Whether this demo is to be brought into sight, since another one was last.
    pub(super) fn is_coming(&mut self, demo: &str) -> bool {
        if self.seen != demo {
            demo.clone_into(&mut self.seen);
            self.frames = COMES;
        }
        let coming = self.frames > 0;
        self.frames = self.frames.saturating_sub(1);
        coming
    }

    /// Loads the sheet anew for the next picture: what it was drawn with is gone.
    pub(super) fn forget(&mut self) {
        self.sheet = None;
    }

    /// The picture of the demo at this place of the list, so high [points].
    pub(super) fn picture(&mut self, ui: &Ui, demo: usize, height: f32) -> Image<'static> {
        let sheet =
            self.sheet.get_or_insert_with(|| ui.ctx().load_texture("thumbnails", sheet(), TextureOptions::LINEAR));
        let [across, down] = sheet.size().map(|side| side as f32);
        let (column, row) = (demo as u32 % ACROSS, demo as u32 / ACROSS);
        let place = |column: u32, row: u32| pos2((column * WIDTH) as f32 / across, (row * HEIGHT) as f32 / down);
        let uv = Rect::from_min_max(place(column, row), place(column + 1, row + 1));
        let size = Vec2::new(height * WIDTH as f32 / HEIGHT as f32, height);
        Image::new((sheet.id(), size)).uv(uv).corner_radius(3.0)
    }
}

/// The sheet in pixels; gray if it cannot be read, which a test does not allow.
fn sheet() -> ColorImage {
    let rows = (DEMOS.len() as u32).div_ceil(ACROSS);
    match image::load_from_memory(SHEET) {
        Ok(picture) => {
            let picture = picture.to_rgba8();
            let size = [picture.width() as usize, picture.height() as usize];
            ColorImage::from_rgba_unmultiplied(size, picture.as_raw())
        }
        Err(_) => ColorImage::filled([(ACROSS * WIDTH) as usize, (rows * HEIGHT) as usize], egui::Color32::GRAY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_demo_has_a_picture_of_its_own() {
        let sheet = image::load_from_memory(SHEET).expect("assets/thumbnails.jpg").to_rgb8();
        let rows = (DEMOS.len() as u32).div_ceil(ACROSS);
        let size = (ACROSS * WIDTH, rows * HEIGHT);
        assert_eq!(sheet.dimensions(), size, "tools/thumbnails draws it anew when a demo comes or goes");
        for (index, demo) in (0..).zip(DEMOS) {
            let (x, y) = (index % ACROSS * WIDTH, index / ACROSS * HEIGHT);
            let pixels = (0..WIDTH * HEIGHT).map(|i| sheet.get_pixel(x + i % WIDTH, y + i / WIDTH).0);
            let (mut low, mut high) = ([255; 3], [0; 3]);
            for pixel in pixels {
                for k in 0..3 {
                    low[k] = low[k].min(pixel[k]);
                    high[k] = high[k].max(pixel[k]);
                }
            }
            let span = (0..3).map(|k| high[k] - low[k]).max().unwrap_or(0);
            assert!(span > 60, "the picture of {} shows nothing: {low:?} to {high:?}", demo.name);
        }
    }
}
