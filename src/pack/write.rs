//! Serializes into bytes.

use std::fmt::Display;

use serde::ser::{self, Serialize};
use thiserror::Error;

/// What cannot be packed.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct Fault(String);

impl ser::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// A value in bytes.
pub(super) fn bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Fault> {
    let mut writer = Writer(Vec::new());
    value.serialize(&mut writer)?;
    Ok(writer.0)
}

struct Writer(Vec<u8>);

type Done = Result<(), Fault>;

impl Writer {
    fn length(&mut self, length: Option<usize>) -> Done {
        let length = length.and_then(|l| u32::try_from(l).ok());
        let length = length.ok_or_else(|| Fault("a list is longer than can be counted".into()))?;
        self.0.extend_from_slice(&length.to_le_bytes());
        Ok(())
    }
}

macro_rules! numbers {
    ($($name:ident $kind:ty,)*) => {
        $(
            fn $name(self, value: $kind) -> Done {
                self.0.extend_from_slice(&value.to_le_bytes());
                Ok(())
            }
        )*
    };
}

impl ser::Serializer for &mut Writer {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_f32 f32, serialize_f64 f64,
    }

    fn serialize_bool(self, value: bool) -> Done {
        self.serialize_u8(u8::from(value))
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_u32(u32::from(value))
    }

    fn serialize_str(self, value: &str) -> Done {
        self.serialize_bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.length(Some(value.len()))?;
        self.0.extend_from_slice(value);
        Ok(())
    }

    fn serialize_none(self) -> Done {
        self.serialize_u8(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        self.0.push(1);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Done {
        self.serialize_u32(index)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Done {
        self.0.extend_from_slice(&index.to_le_bytes());
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, Fault> {
        self.length(length)?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<Self, Fault> {
        self.0.extend_from_slice(&index.to_le_bytes());
        Ok(self)
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, Fault> {
        self.serialize_seq(length)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Fault> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self, Fault> {
        self.serialize_tuple_variant(name, index, variant, length)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! parts {
    ($($part:ident $method:ident,)*) => {
        $(
            impl ser::$part for &mut Writer {
                type Ok = ();
                type Error = Fault;

                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                    value.serialize(&mut **self)
                }

                fn end(self) -> Done {
                    Ok(())
                }
            }
        )*
    };
}

parts! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

macro_rules! named_parts {
    ($($part:ident,)*) => {
        $(
            impl ser::$part for &mut Writer {
                type Ok = ();
                type Error = Fault;

                fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Done {
                    value.serialize(&mut **self)
                }

                fn end(self) -> Done {
                    Ok(())
                }
            }
        )*
    };
}

named_parts! { SerializeStruct, SerializeStructVariant, }

impl ser::SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        Ok(())
    }
}
