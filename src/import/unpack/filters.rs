//! Filters of `KHR_meshopt_compression`: attributes that were stored in fewer bits, back in the form that accessors have.

use serde_json::Value;

/// What is done to attributes once they are unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

impl Filter {
    /// By its name in the file; none if it is not known.
    pub(super) fn named(name: &Value) -> Option<Self> {
        match name.as_str() {
            None if name.is_null() => Some(Self::None),
            Some("NONE") => Some(Self::None),
            Some("OCTAHEDRAL") => Some(Self::Octahedral),
            Some("QUATERNION") => Some(Self::Quaternion),
            Some("EXPONENTIAL") => Some(Self::Exponential),
            Some("COLOR") => Some(Self::Color),
            _ => None,
        }
    }

    pub(super) fn fits(self, stride: usize) -> bool {
        match self {
            Self::None | Self::Exponential => true,
            Self::Octahedral | Self::Color => matches!(stride, 4 | 8),
            Self::Quaternion => stride == 8,
        }
    }

    /// Elements of `stride` bytes, which fits.
    pub(super) fn apply(self, bytes: &mut [u8], stride: usize) {
        match self {
            Self::None => {}
            Self::Exponential => bytes.as_chunks_mut().0.iter_mut().for_each(|v| *v = exponential(*v)),
            Self::Quaternion => words(bytes, quaternion),
            Self::Octahedral if stride == 4 => {
                bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|v| {
                    let [x, y, one, w] = v.map(|b| i32::from(b as i8));
                    *v = octahedral([x, y, one, w], f32::from(i8::MAX)).map(|v| v as u8);
                });
            }
            Self::Octahedral => words(bytes, |v| octahedral(v.map(i32::from), f32::from(i16::MAX)).map(|v| v as i16)),
            Self::Color if stride == 4 => {
                bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|v| {
                    let [y, co, cg, a] = *v;
                    let source = [i32::from(y), i32::from(co as i8), i32::from(cg as i8), i32::from(a)];
                    *v = color(source, f32::from(u8::MAX)).map(|v| v as u8);
                });
            }
            Self::Color => words(bytes, |[y, co, cg, a]| {
                let source = [i32::from(y as u16), i32::from(co), i32::from(cg), i32::from(a as u16)];
                color(source, f32::from(u16::MAX)).map(|v| v as i16)
            }),
        }
    }
}

/// Applies `change` to elements of four 16-bit words.
fn words(bytes: &mut [u8], change: impl Fn([i16; 4]) -> [i16; 4]) {
    for element in bytes.as_chunks_mut::<8>().0 {
        let word = |i: usize| i16::from_le_bytes([element[2 * i], element[2 * i + 1]]);
        let changed = change([word(0), word(1), word(2), word(3)]);
        element.as_chunks_mut::<2>().0.iter_mut().zip(changed).for_each(|(to, v)| *to = v.to_le_bytes());
    }
}

/// A unit vector on an octahedron of half width `one`; the fourth number stays.
fn octahedral([x, y, one, w]: [i32; 4], full: f32) -> [i32; 4] {
    let (x, y) = (x as f32 / one as f32, y as f32 / one as f32);
    let z = 1.0 - x.abs() - y.abs();
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let scale = full / (x * x + y * y + z * z).sqrt();
    let [x, y, z] = [x, y, z].map(|v| (v * scale).round().clamp(-full, full) as i32);
    [x, y, z, w]
}

/// Three components of a unit quaternion, each to be divided by √2 of the fourth number, whose low bits name the one left out.
fn quaternion([x, y, z, last]: [i16; 4]) -> [i16; 4] {
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(last | 3);
    let [x, y, z] = [x, y, z].map(|v| f32::from(v) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let left_out = usize::from(last as u16 & 3);
    let mut out = [0; 4];
    for (place, v) in [w, x, y, z].into_iter().enumerate() {
        out[(left_out + place) % 4] = (v * f32::from(i16::MAX)).round() as i16;
    }
    out
}

/// 24 bits times a power of two, as a float.
fn exponential(bytes: [u8; 4]) -> [u8; 4] {
    let stored = i32::from_le_bytes(bytes);
    let value = f64::from(stored << 8 >> 8) * 2.0_f64.powi(stored >> 24);
    (value as f32).to_le_bytes()
}

/// Light, orange and green as red, green and blue; the highest bit of the fourth number tells how many bits there are.
fn color([y, co, cg, a]: [i32; 4], full: f32) -> [i32; 4] {
    let bits = a.checked_ilog2().map_or(0, |bit| bit + 1);
    let all = (1_i32 << bits) - 1;
    let opacity = a & (all >> 1);
    let opacity = opacity << 1 | (opacity & 1);
    let scale = full / all.max(1) as f32;
    [y + co - cg, y + cg, y - co - cg, opacity].map(|v| (v as f32 * scale).round().clamp(0.0, full) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_turns_numbers_and_colors() {
        assert_eq!(octahedral([127, 0, 127, 5], 127.0), [127, 0, 0, 5]);
        assert_eq!(octahedral([0, 0, 7, 1], 32_767.0), [0, 0, 32_767, 1]);
        // Folded to the far side.
        assert_eq!(octahedral([127, 127, 127, 0], 127.0), [0, 0, -127, 0]);
        // The identity leaves out its fourth component.
        assert_eq!(quaternion([0, 0, 0, 0x7ff | 3]), [0, 0, 0, 32_767]);
        let half = quaternion([0, 0, 0x7ff, 0x7fc]);
        assert!((half[0] - 23_170).abs() < 40 && (half[3] - 23_170).abs() < 40 && half[1] == 0, "{half:?}");
        assert_eq!(f32::from_le_bytes(exponential((3_i32 | -2 << 24).to_le_bytes())), 0.75);
        assert_eq!(f32::from_le_bytes(exponential((-3_i32 & 0x00ff_ffff | 4 << 24).to_le_bytes())), -48.0);
        assert_eq!(color([128, 0, 0, 255], 255.0), [128, 128, 128, 255]);
        assert_eq!(color([63, 64, -64, 0x80], 255.0), [191, 0, 63, 0]);
    }

    #[test]
    fn nonsense_gives_some_number() {
        for bytes in [[0_u8; 8], [0x80; 8], [0xff; 8], [1, 2, 0, 0, 0, 0, 0, 0]] {
            for filter in [Filter::Octahedral, Filter::Quaternion, Filter::Exponential, Filter::Color] {
                let mut changed = bytes;
                filter.apply(&mut changed, 8);
            }
        }
    }
}
