//! Constraints in files: by the name of their type where people read, by a number made of it where rows are many.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::{SerializeStruct, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::kind::{MOST_VALUES, Row, Type};
use super::user::defined;
use super::{GLOBAL_TYPES, GlobalType, Partition, TYPES};

/// A number of a name that does not change when types come and go: FNV-1a.
fn number_of(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn unknown<'a, E: Error>(name: &str, names: impl Iterator<Item = &'a str>) -> E {
    let names: Vec<&str> = names.collect();
    E::custom(format!("there is no constraint type `{name}`; there are {}", names.join(", ")))
}

/// The type of this name.
fn named<E: Error>(name: &str) -> Result<&'static Type, E> {
    let found = TYPES.iter().copied().find(|kind| kind.name == name).or_else(|| defined(|kind| kind.name == name));
    found.ok_or_else(|| unknown(name, TYPES.iter().map(|kind| kind.name)))
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (particles, values) = (self.joined(), &self.values[..self.kind.values]);
        if serializer.is_human_readable() {
            let mut row = serializer.serialize_struct("Row", 4)?;
            row.serialize_field("kind", self.kind.name)?;
            row.serialize_field("particles", particles)?;
            row.serialize_field("values", values)?;
            row.serialize_field("damping", &self.damping)?;
            return row.end();
        }
        let mut row = serializer.serialize_tuple(2 + particles.len() + values.len())?;
        row.serialize_element(&number_of(self.kind.name))?;
        particles.iter().try_for_each(|particle| row.serialize_element(particle))?;
        values.iter().chain([&self.damping]).try_for_each(|value| row.serialize_element(value))?;
        row.end()
    }
}

/// A row as people read it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Row")]
struct Told {
    kind: String,
    particles: Vec<u32>,
    values: Vec<f32>,
    damping: f32,
}

impl Told {
    fn row<E: Error>(self) -> Result<Row, E> {
        let kind = named(&self.kind)?;
        if (self.particles.len(), self.values.len()) != (kind.particles, kind.values) {
            let (name, particles, values) = (kind.name, kind.particles, kind.values);
            return Err(E::custom(format!("a {name} constraint has {particles} particles and {values} values")));
        }
        let mut row = Row::blank(kind);
        row.particles[..kind.particles].copy_from_slice(&self.particles);
        row.values[..kind.values].copy_from_slice(&self.values);
        Ok(Row { damping: self.damping, ..row })
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Told::deserialize(deserializer)?.row();
        }
        // Type, particles, values, damping; shorter for most types.
        deserializer.deserialize_tuple(2 + 4 + MOST_VALUES, Packed)
    }
}

/// A row as one of many.
struct Packed;

impl<'de> Visitor<'de> for Packed {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a packed constraint")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Row, A::Error> {
        fn next<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(parts: &mut A) -> Result<T, A::Error> {
            parts.next_element()?.ok_or_else(|| A::Error::custom("a constraint is cut off"))
        }
        let number: u32 = next(&mut parts)?;
        let kind = TYPES.iter().copied().find(|kind| number_of(kind.name) == number);
        let kind = kind.or_else(|| defined(|kind| number_of(kind.name) == number));
        let unknown =
            || A::Error::custom("of an unknown type of constraint; a user's is defined before its rows are read");
        let mut row = Row::blank(kind.ok_or_else(unknown)?);
        for particle in &mut row.particles[..row.kind.particles] {
            *particle = next(&mut parts)?;
        }
        for value in &mut row.values[..row.kind.values] {
            *value = next(&mut parts)?;
        }
        row.damping = next(&mut parts)?;
        Ok(row)
    }
}

/// Types of global constraints by their name.
pub(super) mod global_type {
    use super::{Deserialize, Deserializer, GLOBAL_TYPES, GlobalType, Serializer, unknown};

    pub(in crate::constraints) fn serialize<S: Serializer>(
        kind: &GlobalType,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    pub(in crate::constraints) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static GlobalType, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = GLOBAL_TYPES.iter().find(|kind| kind.name() == name);
        found.copied().ok_or_else(|| unknown(&name, GLOBAL_TYPES.iter().map(|kind| kind.name())))
    }
}

impl Serialize for Partition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Partition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| D::Error::custom(format!("partition is `{text}`; it must be {}", Self::ALLOWED)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_types_differ_and_rows_come_back() {
        let numbers: std::collections::HashSet<u32> = TYPES.iter().map(|kind| number_of(kind.name)).collect();
        assert_eq!(numbers.len(), TYPES.len());
        #[derive(Serialize, Deserialize)]
        struct File(#[serde(with = "crate::pack")] Vec<Row>);
        for copies in [1, 9] {
            let rows: Vec<Row> = TYPES.iter().flat_map(|kind| vec![(kind.example)().row; copies]).collect();
            let text = ron::to_string(&File(rows.clone())).unwrap();
            let again: File = ron::from_str(&text).unwrap();
            assert_eq!(format!("{:?}", again.0), format!("{rows:?}"));
        }
        let bad = ron::from_str::<Row>("(kind: \"distence\", particles: [], values: [], damping: 0)").unwrap_err();
        assert!(bad.to_string().contains("distance"), "{bad}");
        let bad = ron::from_str::<Row>("(kind: \"distance\", particles: [], values: [], damping: 0)").unwrap_err();
        assert!(bad.to_string().contains("2 particles"), "{bad}");
    }
}
