//! Shaders that were edited while the program runs: they replace the built-in ones until they are withdrawn.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::GpuError;
use super::shader::compose;
use super::sources::{self, Texts};

/// The folder that the shaders of this program were built from.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders")
}

/// All shader files below a folder, by name.
///
/// # Errors
/// [`GpuError::Shader`] naming a folder that cannot be read.
pub fn files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, GpuError> {
    let (mut found, mut left) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(inner) = left.pop() {
        for entry in fs::read_dir(&inner).map_err(|error| unread(&inner, &error))? {
            let path = entry.map_err(|error| unread(&inner, &error))?.path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|ending| ending == "wgsl") {
                let below = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
                found.insert(below.to_string_lossy().replace('\\', "/"), path);
            }
        }
    }
    Ok(found)
}

fn unread(path: &Path, error: &std::io::Error) -> GpuError {
    GpuError::Shader { location: path.display().to_string(), reason: error.to_string() }
}

/// What was taken from files, and what was there before.
#[derive(Debug)]
pub struct Edited {
    /// Names of the shaders that have another text now.
    pub names: Vec<String>,
    before: Texts,
}

impl Edited {
    /// Takes the texts of all files below a folder that are others than those in use. Kernels made from now on have them.
    ///
    /// # Errors
    /// [`GpuError::Shader`] with file, line and column of what does not compile, or of a struct that is not as it was built in: the
    /// program shares it. Then all texts stay.
    pub fn take(folder: &Path) -> Result<Self, GpuError> {
        let before = sources::edited();
        let mut now = before.clone();
        let mut names = Vec::new();
        for (name, path) in files(folder)? {
            let text = fs::read_to_string(&path).map_err(|error| unread(&path, &error))?;
            if sources::text(&name) == Some(text.as_str()) {
                continue;
            }
            check_structs(&name, &text)?;
            now.insert(name.clone(), Box::leak(text.into_boxed_str()));
            names.push(name);
        }
        sources::put(now);
        let edited = Self { names, before };
        if let Err(error) = edited.check() {
            edited.put_back();
            return Err(error);
        }
        Ok(edited)
    }

    /// Puts the texts back that were there before.
    pub fn put_back(self) {
        sources::put(self.before);
    }

    /// Compiles everything that runs and has something edited in it.
    fn check(&self) -> Result<(), GpuError> {
        let edited: BTreeSet<&str> = self.names.iter().map(String::as_str).collect();
        for name in sources::names().filter(|_| !edited.is_empty()) {
            let composed = compose(name)?;
            let runs = ["@compute", "@vertex", "@fragment"].iter().any(|stage| composed.text.contains(stage));
            if runs && composed.files().any(|file| edited.contains(file)) {
                composed.compile()?;
            }
        }
        Ok(())
    }
}

/// Structs of a built-in file are shared with the program: their fields must stay.
fn check_structs(name: &str, text: &str) -> Result<(), GpuError> {
    let Some(built_in) = sources::built_in(name) else { return Ok(()) };
    let now = structs(text);
    for (label, (_, fields)) in structs(built_in) {
        let (line, found) = now.get(label).map_or((1, None), |(line, fields)| (*line, Some(fields)));
        if found != Some(&fields) {
            return Err(GpuError::Shader {
                location: format!("shaders/{name}.wgsl:{line}"),
                reason: format!(
                    "struct `{label}` differs from the one the program was built with; rebuild the program"
                ),
            });
        }
    }
    Ok(())
}

/// Line and fields of each struct of a text.
fn structs(text: &str) -> BTreeMap<&str, (usize, Vec<&str>)> {
    let mut found = BTreeMap::new();
    let mut open: Option<(&str, usize, Vec<&str>)> = None;
    for (line, number) in text.lines().zip(1..) {
        let code = line.split("//").next().unwrap_or_default().trim();
        if let Some(label) = line.strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {")) {
            open = Some((label, number, Vec::new()));
        } else if code.starts_with('}') {
            found.extend(open.take().map(|(label, line, fields)| (label, (line, fields))));
        } else if let Some((_, _, fields)) = &mut open {
            fields.extend((!code.is_empty()).then_some(code));
        }
    }
    found
}
