//! Shader text: the files of `shaders/` built into the program, joined by `#import "common/params"` (each file once),
//! with every composed line remembered so that errors name the file that a person edits.

use std::collections::HashSet;

use super::GpuError;
pub use super::sources::{names, text};

/// A shader with its imports inlined.
#[derive(Clone, Debug)]
pub struct Composed {
    /// Name the shader goes by.
    pub name: String,
    /// WGSL without imports.
    pub text: String,
    /// For every line of `text`, its file and line there, counted from 1.
    lines: Vec<(String, u32)>,
}

/// A checked shader.
#[derive(Debug)]
pub struct Compiled {
    /// The parsed module.
    pub module: naga::Module,
    /// What its functions use.
    pub info: naga::valid::ModuleInfo,
}

/// The built-in shader `name`, imports inlined.
///
/// # Errors
/// [`GpuError::NoShader`] for it or an import.
pub fn compose(name: &str) -> Result<Composed, GpuError> {
    let source = text(name).ok_or_else(|| GpuError::NoShader { name: name.into(), from: None })?;
    compose_source(name, source)
}

/// Refuses overrides that a shader does not declare.
pub(super) fn check_overrides(shader: &str, declared: &[String], given: &[(&str, f64)]) -> Result<(), GpuError> {
    let Some((name, _)) = given.iter().find(|(name, _)| !declared.iter().any(|d| d == name)) else { return Ok(()) };
    let reason = format!("there is no such override; there are: {}", declared.join(", "));
    Err(GpuError::Binding { shader: shader.into(), binding: (*name).into(), reason })
}

/// The `override` constants of a built-in shader, imports included.
///
/// # Errors
/// As [`compose`].
pub fn overrides(name: &str) -> Result<Vec<String>, GpuError> {
    let declared = |line: &str| Some(line.strip_prefix("override ")?.split(':').next()?.trim().to_owned());
    Ok(compose(name)?.text.lines().filter_map(declared).collect())
}

/// As [`compose`], for text that is no file; it may import built-in files.
///
/// # Errors
/// [`GpuError::NoShader`] for an import, [`GpuError::Shader`] for an import line that is not understood.
pub fn compose_source(name: &str, source: &str) -> Result<Composed, GpuError> {
    compose_with(name, source, &text)
}

type Find<'a> = &'a dyn Fn(&str) -> Option<&'static str>;

fn compose_with(name: &str, source: &str, find: Find<'_>) -> Result<Composed, GpuError> {
    let mut composed = Composed { name: name.into(), text: String::new(), lines: Vec::new() };
    let mut seen = HashSet::from([name.to_string()]);
    append(&mut composed, name, source, find, &mut seen)?;
    Ok(composed)
}

fn append(
    composed: &mut Composed,
    file: &str,
    source: &str,
    find: Find<'_>,
    seen: &mut HashSet<String>,
) -> Result<(), GpuError> {
    for (line, number) in source.lines().zip(1..) {
        let Some(rest) = line.trim_start().strip_prefix("#import") else {
            composed.text += line;
            composed.text.push('\n');
            composed.lines.push((file.to_string(), number));
            continue;
        };
        let location = format!("shaders/{file}.wgsl:{number}");
        let import = rest.trim().strip_prefix('"').and_then(|r| r.strip_suffix('"')).ok_or_else(|| {
            GpuError::Shader { location: location.clone(), reason: "an import is #import \"folder/file\"".into() }
        })?;
        if seen.insert(import.to_string()) {
            let text = find(import).ok_or(GpuError::NoShader { name: import.into(), from: Some(location) })?;
            append(composed, import, text, find, seen)?;
        }
    }
    Ok(())
}

impl Composed {
    /// Names of the files that it is made of, once for each of their lines.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(file, _)| file.as_str())
    }

    /// `shaders/file.wgsl:line:column` of a place in [`Composed::text`], or the file alone without one.
    fn place(&self, location: Option<naga::SourceLocation>) -> String {
        let found = location.and_then(|l| Some((l, self.lines.get(l.line_number as usize - 1)?)));
        match found {
            Some((at, (file, line))) => format!("shaders/{file}.wgsl:{line}:{}", at.line_position),
            None => format!("shaders/{}.wgsl", self.name),
        }
    }

    /// Parses and validates.
    ///
    /// # Errors
    /// [`GpuError::Shader`] with file, line and column of the original.
    pub fn compile(&self) -> Result<Compiled, GpuError> {
        let module = naga::front::wgsl::parse_str(&self.text).map_err(|error| {
            let mut reason = error.message().to_string();
            for (_, label) in error.labels().filter(|(_, label)| !label.is_empty()) {
                reason += &format!("; {label}");
            }
            GpuError::Shader { location: self.place(error.location(&self.text)), reason }
        })?;
        let mut validator =
            naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
        let info = validator.validate(&module).map_err(|error| {
            let location = self.place(error.location(&self.text));
            let mut reason = error.as_inner().to_string();
            let mut source = std::error::Error::source(error.as_inner());
            while let Some(cause) = source {
                reason += &format!(": {cause}");
                source = cause.source();
            }
            GpuError::Shader { location, reason }
        })?;
        Ok(Compiled { module, info })
    }

    /// A module for the device. Bounds checks stay on; the loop counter that a driver-agnostic compiler would add to
    /// every loop is left out.
    #[allow(unsafe_code)]
    pub(crate) fn module(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(&self.name),
            source: wgpu::ShaderSource::Wgsl(self.text.as_str().into()),
        };
        let checks = wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
        // SAFETY: the only check turned off is loop bounding, which asks for shaders without endless loops; all
        // shaders are our own files and their loops run to a bound known before the loop starts.
        unsafe { device.create_shader_module_trusted(descriptor, checks) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn files(name: &str) -> Option<&'static str> {
        match name {
            "a" => Some("#import \"b\"\nconst A = B;"),
            "b" => Some("#import \"a\"\nconst B = 1u;"),
            "broken" => Some("fn f() {\n    let x = ;\n}"),
            _ => None,
        }
    }

    #[test]
    fn imports_are_inlined_once_in_order() {
        let composed = compose_with("main", "#import \"a\"\n#import \"b\"\nconst M = A;", &files).unwrap();
        assert_eq!(composed.text, "const B = 1u;\nconst A = B;\nconst M = A;\n");
        let expected = [("b", 2), ("a", 2), ("main", 3)].map(|(f, l)| (f.to_string(), l));
        assert_eq!(composed.lines, expected);
    }

    #[test]
    fn errors_name_the_original_file_and_line() {
        let composed = compose_with("main", "const M = 1u;\n\n#import \"broken\"\n", &files).unwrap();
        let Err(GpuError::Shader { location, .. }) = composed.compile() else { panic!("broken text compiled") };
        assert_eq!(location, "shaders/broken.wgsl:2:13");
        let invalid = compose_with("v", "\nfn f() -> u32 {\n    return 1.0f;\n}", &files).unwrap();
        let message = invalid.compile().unwrap_err().to_string();
        assert!(message.starts_with("shaders/v.wgsl:"), "{message}");
    }

    #[test]
    fn bad_imports_are_refused_where_they_stand() {
        let missing = compose_with("main", "\n#import \"nowhere\"", &files).unwrap_err();
        let from = Some("shaders/main.wgsl:2".to_string());
        assert_eq!(missing, GpuError::NoShader { name: "nowhere".into(), from });
        let malformed = compose_with("main", "#import nowhere", &files).unwrap_err();
        assert!(matches!(malformed, GpuError::Shader { location, .. } if location == "shaders/main.wgsl:1"));
        assert!(matches!(compose("nowhere"), Err(GpuError::NoShader { from: None, .. })));
    }

    #[test]
    fn every_file_of_the_folder_is_built_in_and_valid() {
        fn count(folder: &Path) -> usize {
            let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
            entries
                .map(|p| if p.is_dir() { count(&p) } else { usize::from(p.extension().is_some_and(|e| e == "wgsl")) })
                .sum()
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        assert_eq!(names().count(), count(&folder));
        for name in names() {
            let text = text(name).unwrap();
            assert_eq!(text, std::fs::read_to_string(folder.join(format!("{name}.wgsl"))).unwrap());
            // A file without an entry point may lean on what the importing file declares.
            if !["@compute", "@vertex", "@fragment"].iter().any(|stage| text.contains(stage)) {
                continue;
            }
            if let Err(error) = compose(name).and_then(|c| c.compile()) {
                panic!("{error}");
            }
        }
    }
}
