//! Long lists as text: what they serialize to in bytes, written in base64. Short ones stay lists that a person can read.
//!
//! `#[serde(with = "crate::pack")]` on a field does it. In the bytes every number is as wide as its type, little endian;
//! lists, texts and maps begin with their length, options and variants of enums with their number. Nothing is named there,
//! so a field that is added makes older files unreadable: raise the format of the files with it.

mod base64;
mod read;
mod write;

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer, ser};

/// Longest list that is written element by element.
const SHORT: usize = 12;

/// A value in bytes.
///
/// # Errors
/// A sentence, if a list in it is longer than can be counted.
pub(crate) fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, String> {
    write::bytes(value).map_err(|fault| fault.to_string())
}

/// The value that all of these bytes are.
///
/// # Errors
/// What the bytes are instead.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    read::whole(bytes).map_err(|fault| fault.to_string())
}

/// Writes a list.
///
/// # Errors
/// Those of the serializer.
pub(crate) fn serialize<T: Serialize, S: Serializer>(list: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    if list.len() <= SHORT || !serializer.is_human_readable() {
        return list.serialize(serializer);
    }
    let bytes = write::bytes(list).map_err(ser::Error::custom)?;
    serializer.serialize_str(&base64::encode(&bytes))
}

/// Reads a list that was written so, or element by element.
///
/// # Errors
/// Those of the deserializer; base64 that is cut off or altered; bytes that are not such a list.
pub(crate) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Either(PhantomData))
    } else {
        de::Deserialize::deserialize(deserializer)
    }
}

/// A list, or base64.
struct Either<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Either<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list, or one packed in base64")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let mut found = Vec::new();
        while let Some(next) = list.next_element()? {
            found.push(next);
        }
        Ok(found)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<T>, E> {
        let bytes =
            base64::decode(text).ok_or_else(|| E::custom("a packed list is no base64: it is cut off or altered"))?;
        read::whole(&bytes).map_err(|fault| E::custom(format!("a packed list is {fault}")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use glam::{Mat3, Quat, Vec3};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Nothing,
        One(u64),
        Both(i8, f64),
        Named { name: String, at: Option<Vec3> },
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        kind: Kind,
        turn: (Quat, Mat3),
        list: Vec<u8>,
        map: BTreeMap<u32, bool>,
        unit: (),
        letter: char,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct File {
        #[serde(with = "crate::pack")]
        rows: Vec<Row>,
    }

    fn row(i: u64) -> Row {
        let kinds =
            [Kind::Nothing, Kind::One(i), Kind::Both(-3, 0.1), Kind::Named { name: "ä".into(), at: Some(Vec3::NEG_X) }];
        Row {
            kind: kinds[i as usize % 4].clone(),
            turn: (Quat::from_rotation_x(i as f32), Mat3::from_diagonal(Vec3::splat(f32::MIN_POSITIVE))),
            list: vec![7; i as usize],
            map: BTreeMap::from([(i as u32, true), (9, false)]),
            unit: (),
            letter: 'ß',
        }
    }

    fn text(count: u64) -> (File, String) {
        let file = File { rows: (0..count).map(row).collect() };
        let text = ron::to_string(&file).unwrap();
        (file, text)
    }

    #[test]
    fn lists_come_back_as_they_were() {
        for count in [0, 1, 12, 13, 200] {
            let (file, text) = text(count);
            assert_eq!(text.contains('['), count <= 12, "{text}");
            assert_eq!(ron::from_str::<File>(&text).unwrap(), file);
        }
    }

    #[test]
    fn altered_bytes_are_an_error_or_another_list() {
        let (_, text) = text(14);
        let begin = text.find('"').unwrap() + 1;
        for at in begin..text.len() - 2 {
            for letter in ["A", "/", "!"] {
                let mut altered = text.clone();
                altered.replace_range(at..=at, letter);
                let _ = ron::from_str::<File>(&altered);
            }
            let mut cut = text.clone();
            cut.remove(at);
            let error = ron::from_str::<File>(&cut).unwrap_err().to_string();
            assert!(error.contains("base64"), "{error}");
        }
    }
}
