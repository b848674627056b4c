//! What is wrong with a scene file, and where.

use std::path::{Path, PathBuf};

use ron::Options;
use ron::error::Position;
use ron::extensions::Extensions;
use serde::Deserialize;
use thiserror::Error;

use crate::demos::{DemoError, TargetError};
use crate::nesting::way_to;

/// A scene file that is no scene.
#[derive(Debug, Error)]
#[error("{}{}: {problem}", .file.display(), place(*.line, *.column))]
pub struct FileError {
    /// The file.
    pub file: PathBuf,
    /// Line of the item, field or letter that is wrong, from 1; 0 where all of the file is meant.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Debug, Error)]
pub enum Problem {
    /// The file cannot be read, or the text is not what a scene file is made of: an unknown key, a wrong type, a name that
    /// nothing has. A sentence.
    #[error("{0}")]
    Text(String),
    /// An item that cannot be built: a number out of range, a model file that is missing or broken.
    #[error("{item}: {error}")]
    Item {
        /// The item, by its kind and its name if it has one.
        item: String,
        /// What is wrong with it.
        error: Box<DemoError>,
    },
    /// The demo or model that the scene is based on.
    #[error(transparent)]
    Base(Box<TargetError>),
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(":{line}:{column}") }
}

/// The text of a file, in which slices of it are found again.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Its name in messages.
    pub(crate) file: &'a Path,
    /// All of it.
    pub(crate) text: &'a str,
}

/// RON as scene files have it: `Some` and doubled parentheses may be left out.
pub(crate) fn options() -> Options {
    let easy = Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES;
    Options::default().with_default_extension(easy)
}

impl<'a> Source<'a> {
    /// An error at the start of `part`, a slice of the text.
    pub(crate) fn error(&self, part: &str, problem: Problem) -> FileError {
        let (line, column) = self.place(part);
        FileError { file: self.file.to_owned(), line, column, problem }
    }

    /// Line and column of the first letter of `part`, a slice of the text, from 1.
    fn place(&self, part: &str) -> (usize, usize) {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let Some(before) = self.text.get(..start) else { return (0, 0) };
        let last = before.rsplit('\n').next().unwrap_or_default();
        (1 + before.matches('\n').count(), 1 + last.chars().count())
    }

    /// Reads `part`, a slice of the text, as a `T`; `path` leads to it in messages.
    pub(crate) fn read<T: Deserialize<'a>>(&self, part: &'a str, path: &str) -> Result<T, FileError> {
        let options = options();
        let wrong = |error: ron::error::SpannedError| {
            let (line, column) = self.place(part);
            let found = error.span.start;
            let around = matches!(
                error.code,
                ron::Error::MissingStructField { .. } | ron::Error::ExpectedDifferentLength { .. }
            );
            let field = [path, &way_to(part, offset(part, found), around)].concat();
            let field = field.trim_end_matches('.');
            let field = if field.is_empty() { String::new() } else { format!("`{field}`: ") };
            let column = if found.line == 1 { column + found.col - 1 } else { found.col };
            let told = if self.text.trim().is_empty() { "the file is empty".into() } else { told(&error.code) };
            let (line, problem) = (line + found.line - 1, Problem::Text(format!("{field}{told}")));
            FileError { file: self.file.to_owned(), line, column, problem }
        };
        options.from_str(part).map_err(wrong)
    }
}

/// The byte of a text at a line and column.
fn offset(text: &str, at: Position) -> usize {
    let line: usize = text.split_inclusive('\n').take(at.line.saturating_sub(1)).map(str::len).sum();
    line + text[line..].chars().take(at.col.saturating_sub(1)).map(char::len_utf8).sum::<usize>()
}

/// What a scene file says wrong, with the nearest right word.
fn told(error: &ron::Error) -> String {
    use ron::Error as E;
    match error {
        E::NoSuchStructField { expected, found, .. } => unknown("key", found, expected),
        E::NoSuchEnumVariant { expected, found, .. } => unknown("kind", found, expected),
        E::MissingStructField { field, outer } => {
            let of = outer.as_deref().map_or(String::new(), |outer| format!(" of {outer}"));
            format!("the key `{field}`{of} is missing")
        }
        E::DuplicateStructField { field, .. } => format!("the key `{field}` is there twice"),
        E::InvalidValueForType { expected, found } => format!("{found} stands where {expected} should be"),
        E::ExpectedDifferentLength { expected, found } => {
            format!("{found} numbers or parts stand where {expected} should be")
        }
        E::ExpectedFloat => "expected a number here, without quotes and without a key before it".into(),
        E::InvalidIdentifier(_) | E::SuggestRawIdentifier(_) | E::ExpectedIdentifier => {
            "expected a key here, followed by a colon and its value, as in (radius: 0.1)".into()
        }
        E::ExpectedNamedStructLike(name) if !name.is_empty() => {
            format!("{name} begins with a parenthesis, which is expected here")
        }
        E::ExpectedDifferentStructName { expected, found } => {
            format!("`{found}` stands where {expected} begins, which has no name: it begins with a parenthesis")
        }
        E::Eof => "the text ends too early; is a parenthesis missing?".into(),
        E::Message(text) => text.clone(),
        other => {
            let text = other.to_string();
            let mut letters = text.chars();
            letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
        }
    }
}

/// Names that are less alike are not meant.
const LIKE: f64 = 0.6;

/// A word that is not there, the one most like it, and all that there are.
pub(super) fn unknown<S: AsRef<str>>(what: &str, found: &str, known: &[S]) -> String {
    let likeness = |word: &str| strsim::jaro_winkler(&found.to_lowercase(), &word.to_lowercase());
    let like = known.iter().map(AsRef::as_ref).filter(|word| likeness(word) > LIKE);
    let near = like.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let all: Vec<_> = known.iter().take(48).map(AsRef::as_ref).collect();
    let more = if known.len() > all.len() { ", …" } else { "" };
    match near {
        Some(near) => {
            format!("there is no {what} `{found}` here; did you mean `{near}`? There are {}{more}", all.join(", "))
        }
        None if known.is_empty() => format!("there is no {what} `{found}` here, and no other"),
        None => format!("there is no {what} `{found}` here; there are {}{more}", all.join(", ")),
    }
}
