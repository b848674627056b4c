//! Constants and structs of the shaders as Rust: `common::contact::COLLIDER_SLOTS` is that of `shaders/common/contact.wgsl`. The
//! build script writes them, so that WGSL is the only place where they stand.

#![allow(dead_code, missing_docs, unreachable_pub)]
// Numbers, names and nesting are those of the shaders.
#![allow(clippy::unreadable_literal, clippy::cast_lossless, clippy::excessive_precision, clippy::approx_constant)]
#![allow(clippy::module_inception, clippy::type_complexity)]

include!(concat!(env!("OUT_DIR"), "/wgsl.rs"));

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::{CONSTANTS, LAYOUTS};
    use crate::gpu::{layout, shader};

    fn number(module: &naga::Module, init: naga::Handle<naga::Expression>) -> Option<f64> {
        match module.global_expressions[init] {
            naga::Expression::Literal(naga::Literal::U32(v)) => Some(f64::from(v)),
            naga::Expression::Literal(naga::Literal::I32(v)) => Some(f64::from(v)),
            naga::Expression::Literal(naga::Literal::F32(v)) => Some(f64::from(v)),
            _ => None,
        }
    }

    #[test]
    fn what_the_build_script_wrote_is_what_shaders_mean() {
        let (mut layouts, mut constants) = (HashSet::new(), HashSet::new());
        let runs = |text: &str| ["@compute", "@vertex"].iter().any(|stage| text.contains(stage));
        // What kernels are made from while the program runs has no entry point, but compiles alone.
        let parts = ["constraints/global", "constraints/probe"];
        let part = |name: &str| parts.contains(&name) && shader::compose(name).is_ok_and(|c| c.compile().is_ok());
        let entries = shader::names().filter(|name| shader::text(name).is_some_and(runs) || part(name));
        let told: HashSet<&str> = LAYOUTS.iter().map(|row| row.0).chain(CONSTANTS.iter().map(|row| row.0)).collect();
        let mut seen: HashSet<String> = HashSet::new();
        for entry in entries {
            let composed = shader::compose(entry).unwrap();
            let files: HashSet<String> =
                composed.files().filter(|file| told.contains(file)).map(str::to_owned).collect();
            // A file means the same in every shader that has it.
            if files.is_subset(&seen) {
                continue;
            }
            let (module, text) = (composed.compile().unwrap().module, composed.text);
            for (file, name, size, fields) in LAYOUTS.iter().filter(|row| files.contains(row.0)) {
                assert_eq!(layout::check(name, &text, *size, fields), Ok(()), "{file} in {entry}");
                layouts.insert((*file, *name));
            }
            let known: HashMap<&str, f64> =
                CONSTANTS.iter().filter(|row| files.contains(row.0)).map(|row| (row.1, row.2)).collect();
            for constant in module.constants.iter().map(|(_, c)| c) {
                let name = constant.name.as_deref().unwrap_or_default();
                if let (Some(written), Some(meant)) = (known.get(name), number(&module, constant.init)) {
                    assert_eq!(*written, meant, "{name} in {entry}");
                    constants.insert(name.to_owned());
                }
            }
            seen.extend(files);
        }
        let missed = LAYOUTS.iter().filter(|row| !layouts.contains(&(row.0, row.1)));
        assert_eq!(missed.map(|row| row.1).collect::<Vec<_>>(), Vec::<&str>::new(), "structs that no shader has");
        assert!(constants.len() > 100, "{} constants", constants.len());
    }
}
