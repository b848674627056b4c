//! Captions in a picture: in the panel's font, at its lower edge on a darker band.

use egui::{Align2, Color32, FontId, Pos2, Rect, Vec2, epaint};
use image::{Rgba, RgbaImage};

/// Height of letters over that of the picture, or over its width where that is less.
const LETTERS: f32 = 0.05;
/// Least height of letters [pixels].
const LEAST: f32 = 9.0;
/// How much the band keeps of what is behind it.
const BEHIND: f32 = 0.45;

/// Height of letters in a picture of this size.
fn letters(size: Vec2) -> f32 {
    (LETTERS * size.min_elem()).max(LEAST)
}

/// A text as coverage of the pixels of a picture.
#[derive(Debug)]
pub(crate) struct Caption {
    width: u32,
    /// First row of the band.
    top: u32,
    /// Of each pixel from there on, rows first.
    coverage: Vec<u8>,
}

impl Caption {
    /// `text` for pictures of this size [pixels]; long lines are broken, and what does not fit above is left out.
    pub(crate) fn new(text: &str, (width, height): (u32, u32)) -> Self {
        let (wide, high) = (width as f32, height as f32);
        let letters = letters(Vec2::new(wide, high));
        let ctx = egui::Context::default();
        let screen = Rect::from_min_size(Pos2::ZERO, Vec2::new(wide, high));
        let mut top = 0;
        let output = ctx.run_ui(egui::RawInput { screen_rect: Some(screen), ..Default::default() }, |ui| {
            let painter = ui.ctx().debug_painter();
            let wrap = wide - 2.0 * letters;
            let galley = painter.layout(text.to_owned(), FontId::proportional(letters), Color32::WHITE, wrap);
            let at = Pos2::new(0.5 * wide, high - 0.4 * letters);
            let place = Align2::CENTER_BOTTOM.anchor_size(at, galley.size());
            top = (place.top() - 0.4 * letters).max(0.0) as u32;
            painter.galley(place.min.round(), galley, Color32::WHITE);
        });
        let mut caption = Self { width, top, coverage: vec![0; (width * (height - top)) as usize] };
        let letters = output.textures_delta.set.get(&egui::TextureId::default()).and_then(|deltas| deltas.last());
        let Some(epaint::ImageData::Color(font)) = letters.map(|delta| &delta.image) else { return caption };
        for shape in ctx.tessellate(output.shapes, 1.0) {
            if let epaint::Primitive::Mesh(mesh) = shape.primitive {
                mesh.vertices.as_chunks::<4>().0.iter().for_each(|letter| caption.stamp(letter, font));
            }
        }
        caption
    }

    /// Covers the rectangle of a letter with its part of the picture of all letters.
    fn stamp(&mut self, corners: &[epaint::Vertex; 4], font: &epaint::ColorImage) {
        let [first, .., last] = corners;
        let (size, part) = (last.pos - first.pos, last.uv - first.uv);
        let texels = Vec2::new(font.size[0] as f32, font.size[1] as f32);
        let (from, to) = (first.pos.round(), last.pos.round());
        for y in from.y.max(self.top as f32) as u32..to.y.max(0.0) as u32 {
            for x in from.x.max(0.0) as u32..to.x.clamp(0.0, self.width as f32) as u32 {
                let within = (Pos2::new(x as f32 + 0.5, y as f32 + 0.5) - first.pos) / size;
                let texel = (first.uv + part * within).to_vec2() * texels;
                let index = texel.y as usize * font.size[0] + texel.x as usize;
                let place = ((y - self.top) * self.width + x) as usize;
                if let (Some(pixel), Some(covered)) = (font.pixels.get(index), self.coverage.get_mut(place)) {
                    *covered = (*covered).max(pixel.a());
                }
            }
        }
    }

    /// Writes it into a picture of that size.
    pub(crate) fn draw(&self, picture: &mut RgbaImage) {
        for (i, covered) in self.coverage.iter().enumerate() {
            let (x, y) = (i as u32 % self.width, self.top + i as u32 / self.width);
            if x < picture.width() && y < picture.height() {
                let Rgba([r, g, b, a]) = *picture.get_pixel(x, y);
                let share = f32::from(*covered) / 255.0;
                let mixed = |c: u8| (f32::from(c) * BEHIND * (1.0 - share) + 255.0 * share) as u8;
                picture.put_pixel(x, y, Rgba([mixed(r), mixed(g), mixed(b), a]));
            }
        }
    }
}

/// Shows `text` in a window in the same place, right of what covers `left` [points].
pub(crate) fn show(ui: &egui::Ui, text: &str, left: f32) {
    let screen = ui.ctx().content_rect();
    let letters = letters(Vec2::new(screen.width() - left, screen.height()));
    let painter = ui.ctx().layer_painter(egui::LayerId::background());
    let band = |top: f32| Rect::from_min_max(Pos2::new(left, top), screen.max);
    let galley = painter.layout(
        text.to_owned(),
        FontId::proportional(letters),
        Color32::WHITE,
        band(0.0).width() - 2.0 * letters,
    );
    let at = Pos2::new(band(0.0).center().x, screen.bottom() - 0.4 * letters);
    let place = Align2::CENTER_BOTTOM.anchor_size(at, galley.size());
    let dark = ((1.0 - BEHIND) * 255.0) as u8;
    painter.rect_filled(band(place.top() - 0.4 * letters), 0.0, Color32::from_black_alpha(dark));
    painter.galley(place.min.round(), galley, Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pixels that are nearly white.
    fn white(text: &str) -> Vec<(u32, u32)> {
        let mut picture = RgbaImage::from_pixel(320, 200, Rgba([90, 90, 90, 255]));
        Caption::new(text, (320, 200)).draw(&mut picture);
        picture.enumerate_pixels().filter(|(.., p)| p.0[0] > 200).map(|(x, y, _)| (x, y)).collect()
    }

    #[test]
    fn words_leave_a_portrait_picture_free() {
        for (width, height) in [(300, 800), (1000, 800)] {
            let caption = Caption::new(
                "a dancer among crates and balls; L: she goes limp, L again: she gets up",
                (width, height),
            );
            assert!(caption.top > 82 * height / 100, "from {} of {height}", caption.top);
        }
    }

    #[test]
    fn words_are_written_at_the_lower_edge_and_long_ones_take_more_lines() {
        let short = white("A sheet");
        assert!(short.len() > 40, "{} pixels", short.len());
        let middle = short.iter().map(|p| p.0).sum::<u32>() / short.len() as u32;
        assert!(short.iter().all(|p| p.1 > 170) && middle.abs_diff(160) < 25, "{middle}");
        let long = white(&"sheets upon sheets ".repeat(8));
        assert!(long.iter().any(|p| p.1 < 170) && long.len() > 5 * short.len());
        assert!(white("").is_empty());
    }
}
