//! Default colors for things that have none of their own.

use glam::Vec4;

/// Muted colors that are easy to tell apart, sRGB.
const COLORS: [[u8; 3]; 10] = [
    [226, 111, 81],
    [78, 154, 182],
    [238, 184, 88],
    [104, 166, 120],
    [156, 116, 178],
    [220, 138, 148],
    [92, 112, 172],
    [170, 176, 92],
    [202, 152, 112],
    [96, 178, 170],
];

/// Linear color number `i`, repeating with small changes of brightness.
pub fn palette(i: usize) -> Vec4 {
    let round = (i / COLORS.len()) % 3;
    let shade = [1.0, 0.78, 1.18][round];
    let linear = COLORS[i % COLORS.len()].map(|c| (f32::from(c) / 255.0).powf(2.2) * shade);
    Vec4::new(linear[0].min(1.0), linear[1].min(1.0), linear[2].min(1.0), 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_and_stay_in_range() {
        for i in 0..60 {
            let (a, b) = (palette(i), palette(i + 1));
            assert!(a.min_element() >= 0.0 && a.max_element() <= 1.0 && a.w == 1.0);
            assert!(a.distance(b) > 0.1, "{i}");
        }
    }
}
