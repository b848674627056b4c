//! Pictures of at most 256 colors, for films whose pictures all share them: a palette that only grows, and a dither that
//! is fixed to the screen.

use std::collections::{HashMap, HashSet};

use color_quant::NeuQuant;
use image::RgbaImage;

/// Most colors of a palette, and how many of them wait for what comes into view later.
const COLORS: usize = 256;
const LATER: usize = 48;
/// A color this far from all of the palette is new [levels].
const NEW: f32 = 16.0;
/// Colors that one is mixed of, those of a square of pixels.
const SIDE: usize = 4;
const MIXED: usize = SIDE * SIDE;
/// Order in which the pixels of a square take these, the darkest first (Bayer 1973).
const ORDER: [usize; MIXED] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
/// Part of what a mixture is off yet that its next color makes up for. All of it would take colors from far away.
const OWED: f32 = 0.7;
/// Mixtures that are kept from picture to picture.
const KEPT: usize = 1 << 19;
/// Rounds in which colors of the palette move to the middle of what is nearest to them (Lloyd 1982).
const ROUNDS: usize = 4;

type Color = [u8; 3];

/// The palette of a film, and how each color that it met is mixed of it.
#[derive(Debug)]
pub(super) struct Dither {
    palette: Vec<Color>,
    mixtures: HashMap<Color, [u8; MIXED]>,
}

impl Dither {
    /// A palette for pictures like these.
    pub(super) fn new(pictures: &[RgbaImage]) -> Self {
        let palette = all_of(pictures, COLORS - LATER).unwrap_or_else(|| chosen(&tally(pictures)));
        Self { palette, mixtures: HashMap::new() }
    }

    /// Red, green and blue of each color, shape [color_count * 3].
    pub(super) fn palette(&self) -> Vec<u8> {
        self.palette.as_flattened().to_vec()
    }

    /// The color of each pixel as an index into the palette, which takes in what it lacks.
    pub(super) fn indices(&mut self, picture: &RgbaImage) -> Vec<u8> {
        self.take_in(picture);
        if self.mixtures.len() > KEPT {
            self.mixtures.clear();
        }
        let (palette, mixtures) = (&self.palette, &mut self.mixtures);
        let place = |x: u32, y: u32| ORDER[y as usize % SIDE * SIDE + x as usize % SIDE];
        let pixels = picture.enumerate_pixels().map(|(x, y, pixel)| {
            let [r, g, b, _] = pixel.0;
            mixtures.entry([r, g, b]).or_insert_with(|| mixture(palette, [r, g, b]))[place(x, y)]
        });
        pixels.collect()
    }

    /// Adds colors of a picture that are far from all that the palette has, while it has room.
    fn take_in(&mut self, picture: &RgbaImage) {
        let mut lacking: Vec<Tallied> = tally(std::slice::from_ref(picture));
        let known = self.palette.len();
        while self.palette.len() < COLORS {
            let away = |one: &Tallied| apart(one.color, self.palette[nearest(&self.palette, one.color)]).sqrt();
            lacking.retain(|one| away(one) > NEW);
            let worst = lacking.iter().max_by(|a, b| (a.weight * away(a)).total_cmp(&(b.weight * away(b))));
            let Some(worst) = worst else { break };
            self.palette.push(worst.color.map(|level| level.round() as u8));
        }
        if self.palette.len() > known {
            self.mixtures.clear();
        }
    }
}

/// Colors that are alike: their mean [levels], and how much it matters.
#[derive(Debug)]
struct Tallied {
    color: [f32; 3],
    weight: f32,
}

/// What colors there are, those alike as one.
fn tally(pictures: &[RgbaImage]) -> Vec<Tallied> {
    /// Bits of each channel in which colors that are alike agree.
    const BITS: u32 = 5;
    let mut cells = vec![[0_u64; 4]; 1 << (3 * BITS)];
    for pixel in pictures.iter().flat_map(RgbaImage::pixels) {
        let [r, g, b, _] = pixel.0.map(u64::from);
        let cell = [r, g, b].into_iter().fold(0, |cell, level| (cell << BITS) | (level >> (8 - BITS)));
        let sums = &mut cells[cell as usize];
        [r, g, b, 1].into_iter().zip(sums).for_each(|(more, sum)| *sum += more);
    }
    let filled = cells.into_iter().filter(|[.., count]| *count > 0);
    filled
        .map(|[r, g, b, count]| Tallied {
            color: [r, g, b].map(|sum| sum as f32 / count as f32),
            // By its area alone a small thing would get no color beside a large floor.
            weight: (count as f32).cbrt(),
        })
        .collect()
}

/// All colors of some pictures, in the order of their levels; none where there are more than `most`.
fn all_of(pictures: &[RgbaImage], most: usize) -> Option<Vec<Color>> {
    let mut found = HashSet::new();
    for pixel in pictures.iter().flat_map(RgbaImage::pixels) {
        let [r, g, b, _] = pixel.0;
        found.insert([r, g, b]);
        if found.len() > most {
            return None;
        }
    }
    let mut colors: Vec<Color> = found.into_iter().collect();
    colors.sort_unstable();
    Some(colors)
}

/// The best colors for what was tallied.
fn chosen(tallied: &[Tallied]) -> Vec<Color> {
    let sample = tallied.iter().flat_map(|one| {
        let [r, g, b] = one.color.map(|level| level.round() as u8);
        std::iter::repeat_n([r, g, b, u8::MAX], one.weight.ceil() as usize)
    });
    let sample: Vec<[u8; 4]> = sample.collect();
    let network = NeuQuant::new(1, COLORS - LATER, sample.as_flattened()).color_map_rgb();
    let mut palette: Vec<[f32; 3]> = network.as_chunks::<3>().0.iter().map(|color| color.map(f32::from)).collect();
    for _ in 0..ROUNDS {
        let mut sums = vec![[0.0; 4]; palette.len()];
        for one in tallied {
            let [r, g, b] = one.color.map(|level| one.weight * level);
            let sum = &mut sums[nearest(&palette, one.color)];
            [r, g, b, one.weight].into_iter().zip(sum).for_each(|(more, sum)| *sum += more);
        }
        for (color, [r, g, b, weight]) in palette.iter_mut().zip(sums).filter(|(_, sum)| sum[3] > 0.0) {
            *color = [r, g, b].map(|sum| sum / weight);
        }
    }
    let mut palette: Vec<Color> = palette.into_iter().map(|color| color.map(|level| level.round() as u8)).collect();
    palette.sort_unstable();
    palette.dedup();
    palette
}

/// Colors of the palette whose mean is near a color, the darkest first: each is nearest to what the ones before it left (Knoll 1999).
fn mixture(palette: &[Color], color: Color) -> [u8; MIXED] {
    let goal = color.map(f32::from);
    let mut owed = [0.0; 3];
    let mut mixed = [0; MIXED];
    for one in &mut mixed {
        let wanted = std::array::from_fn(|k| goal[k] + OWED * owed[k]);
        let found = nearest(palette, wanted);
        owed = std::array::from_fn(|k| owed[k] + goal[k] - f32::from(palette[found][k]));
        *one = found as u8;
    }
    let brightness = |index: &u8| {
        let [r, g, b] = palette[*index as usize].map(u32::from);
        (2 * r + 5 * g + b, *index)
    };
    mixed.sort_unstable_by_key(brightness);
    mixed
}

/// Index of the color of a palette that is nearest to one.
fn nearest<T: Copy + Into<f32>>(palette: &[[T; 3]], color: [f32; 3]) -> usize {
    let mut best = (f32::INFINITY, 0);
    for (index, other) in palette.iter().enumerate() {
        let distance = apart(color, *other);
        if distance < best.0 {
            best = (distance, index);
        }
    }
    best.1
}

/// Square of the distance between two colors [levels²].
fn apart<T: Copy + Into<f32>>(a: [f32; 3], b: [T; 3]) -> f32 {
    a.into_iter().zip(b).map(|(a, b)| a - b.into()).map(|off| off * off).sum()
}
