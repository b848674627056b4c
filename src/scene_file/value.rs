//! Small parts of scene files: settings by name, colors, turns.

use std::fmt;

use glam::{Quat, Vec3, Vec4};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::unknown;
use crate::scene::{PARAMETERS, Params};
use crate::spawn::palette;

/// Keys with values, as `--set` takes them: `(substeps: 8, partition: "colors")`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings(pub(crate) Vec<(String, String)>);

/// Names of all parameters of the world.
pub(super) fn world_keys() -> Vec<&'static str> {
    PARAMETERS.iter().map(|row| row.name).collect()
}

type Sets = Vec<(String, String)>;

/// Settings of the world, and the others.
pub(super) fn of_world(sets: &[(String, String)]) -> (Sets, Sets) {
    sets.iter().cloned().partition(|(key, _)| PARAMETERS.iter().any(|row| row.name == key))
}

impl Settings {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets them.
    ///
    /// # Errors
    /// A sentence naming the key.
    pub(crate) fn apply(&self, params: &mut Params) -> Result<(), String> {
        for (key, text) in &self.0 {
            match params.set(key, text) {
                Some(set) => set?,
                None => return Err(unknown("parameter", key, &world_keys())),
            }
        }
        Ok(())
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Settings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("parameters by name, as in (substeps: 8, wind_x: 3)")
            }

            fn visit_unit<E: Error>(self) -> Result<Settings, E> {
                Ok(Settings::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
                let mut found: Vec<(String, String)> = Vec::new();
                while let Some((key, Word(value))) = map.next_entry::<String, Word>()? {
                    found.push((key, value));
                }
                let is_again = |i: &usize| found[..*i].iter().any(|(key, _)| *key == found[*i].0);
                match (1..found.len()).find(is_again) {
                    Some(again) => Err(A::Error::custom(format!("the key `{}` is there twice", found[again].0))),
                    None => Ok(Settings(found)),
                }
            }
        }
        deserializer.deserialize_any(Keys)
    }
}

/// A number or a text.
struct Word(String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Word;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a text in quotes")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_f32<E: Error>(self, value: f32) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
                Ok(Word(text.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// A turn in degrees about the fixed axes X, then Y, then Z.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "Vec3")]
pub(super) struct Turn(Vec3);

impl TryFrom<Vec3> for Turn {
    type Error = &'static str;

    fn try_from(degrees: Vec3) -> Result<Self, Self::Error> {
        if degrees.is_finite() { Ok(Self(degrees)) } else { Err("a turn has three finite numbers of degrees") }
    }
}

impl Turn {
    /// As a rotation.
    pub(super) fn rotation(self) -> Quat {
        let [x, y, z] = self.radians().to_array();
        Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x)
    }

    /// The three angles [rad].
    pub(super) fn radians(self) -> Vec3 {
        self.0 * (std::f32::consts::PI / 180.0)
    }
}

const PARTS: &str = "a color has 3 or 4 parts from 0 to 1; \"#rrggbb\" takes those of a screen";

/// A linear color `(r, g, b)` or `(r, g, b, alpha)`, a color of the screen `"#rrggbb"`, or the number of one of the palette.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Color(pub(super) Vec4);

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ColorVisitor)
    }
}

struct ColorVisitor;

impl<'de> Visitor<'de> for ColorVisitor {
    type Value = Color;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a color: (r, g, b), (r, g, b, alpha), \"#rrggbb\" or the number of one of the palette")
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<Color, E> {
        Ok(Color(palette((index % 1024) as usize)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Color, E> {
        let wrong = || E::custom(format!("color is `{text}`; it must be \"#rrggbb\""));
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = u32::from_str_radix(digits.ok_or_else(wrong)?, 16).map_err(|_| wrong())?;
        let part = |shift: u32| (f32::from((number >> shift) as u8) / 255.0).powf(2.2);
        Ok(Color(Vec4::new(part(16), part(8), part(0), 1.0)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Color, A::Error> {
        let mut rgba = Vec4::ONE;
        let mut count = 0;
        while let Some(part) = parts.next_element::<f32>()? {
            if count == 4 || !(0.0..=1.0).contains(&part) {
                return Err(A::Error::custom(PARTS));
            }
            rgba[count] = part;
            count += 1;
        }
        if count < 3 {
            return Err(A::Error::custom(PARTS));
        }
        Ok(Color(rgba))
    }
}
