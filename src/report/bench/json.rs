//! The tables as JSON that is short and can still be compared line by line: deeply nested values stay on one line.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use super::Bench;

/// Levels that are indented.
const DEEP: usize = 4;
/// Decimals of a number written with an exponent: no more mean something in times and errors.
const DECIMALS: usize = 4;

#[derive(Default)]
struct Shallow {
    depth: usize,
}

impl Shallow {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> Result<()> {
        self.depth += 1;
        writer.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> Result<()> {
        self.depth -= 1;
        if self.depth + 1 < DEEP {
            self.new_line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn separate<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        match self.depth {
            depth if depth < DEEP => self.new_line(writer),
            _ if first => Ok(()),
            _ => writer.write_all(b" "),
        }
    }

    fn new_line<W: ?Sized + Write>(&self, writer: &mut W) -> Result<()> {
        writer.write_all(b"\n")?;
        writer.write_all("  ".repeat(self.depth).as_bytes())
    }
}

impl Formatter for Shallow {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> Result<()> {
        let short: f64 = format!("{value:.DECIMALS$e}").parse().unwrap_or(value);
        write!(writer, "{short}")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.separate(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.separate(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        writer.write_all(b": ")
    }
}

/// `tables` as JSON.
pub(super) fn shallow(tables: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Shallow::default());
    // Only maps with keys that are not text can fail.
    tables.serialize(&mut serializer).expect("tables are plain data");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

impl Bench {
    /// The tables as JSON.
    pub fn to_json(&self) -> String {
        shallow(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_reads_back_and_keeps_rows_on_a_line() {
        let value = serde_json::json!({"a": [{"b": [{"sizes": [3, 2, 1], "ms": 1.5}, {"ms": null}]}], "empty": []});
        let text = shallow(&value);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        assert!(text.lines().any(|line| line.contains("1.5") && line.contains('3')), "{text}");
    }
}
